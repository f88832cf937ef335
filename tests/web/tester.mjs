// What a browser test is given: pages whose errors and network requests count as failures, checks, a web server.
import { createServer } from "node:http";
import { readFileSync, statSync } from "node:fs";
import { extname, join, normalize } from "node:path";

const types = {
    ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".mjs": "text/javascript", ".css": "text/css",
    ".json": "application/json", ".wasm": "application/wasm", ".svg": "image/svg+xml", ".png": "image/png"
};

export class Tester {
    constructor(name, { browser, root, out, modules }) {
        Object.assign(this, { name, browser, root, out, modules });
        this.failures = [];
        this.count = 0;
        this.pages = [];
        this.servers = [];
        this.allowed = [];
    }

    check(condition, text) {
        this.count++;
        if (!condition) {
            this.failures.push(`not so: ${text}`);
        }
    }

    equal(found, expected, text) {
        this.count++;
        const [a, b] = [JSON.stringify(found), JSON.stringify(expected)];
        if (a !== b) {
            this.failures.push(`${text}: ${a}, expected ${b}`);
        }
    }

    // A new page; what it logs as an error, throws, or asks the network for is a failure, unless it comes from a server
    // of this test.
    async page({ width = 1280, height = 800, dark = false, phone = false } = {}) {
        const context = await this.browser.createBrowserContext();
        const page = await context.newPage();
        this.pages.push(context);
        await page.setViewport({ width, height, deviceScaleFactor: phone ? 2 : 1, isMobile: phone, hasTouch: phone });
        await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: dark ? "dark" : "light" },
            { name: "prefers-reduced-motion", value: "reduce" }]);
        page.on("console", (message) => {
            if (message.type() === "error" || (/^warn/.test(message.type()) && /THREE/.test(message.text()))) {
                this.failures.push(`console: ${message.text()}`);
            }
        });
        page.on("pageerror", (error) => this.failures.push(`thrown in the page: ${error.stack || error}`));
        page.on("request", (request) => {
            const url = request.url();
            if (!/^(file|data|blob):/.test(url) && !this.allowed.some((prefix) => url.startsWith(prefix))) {
                this.failures.push(`network request: ${url}`);
            }
        });
        page.on("requestfailed", (request) => {
            if (/^file:/.test(request.url())) {
                this.failures.push(`missing file: ${request.url()}`);
            }
        });
        return page;
    }

    async screenshot(page, name) {
        await page.screenshot({ path: join(this.out, `${this.name}-${name}.png`) });
    }

    // Waits until an expression is true in the page.
    async until(page, expression, seconds = 60) {
        try {
            await page.waitForFunction(expression, { timeout: seconds * 1000, polling: 20 });
        } catch (error) {
            throw new Error(`waited ${seconds} s in vain for ${expression}`);
        }
    }

    // Serves a folder at http://127.0.0.1; returns the address, which ends in a slash.
    async serve(folder, headers = {}) {
        const server = createServer((request, response) => {
            const path = normalize(decodeURIComponent(new URL(request.url, "http://x").pathname));
            const file = join(folder, path.endsWith("/") ? `${path}index.html` : path);
            try {
                if (!file.startsWith(folder) || !statSync(file).isFile()) {
                    throw new Error(file);
                }
                response.writeHead(200, { "content-type": types[extname(file)] || "application/octet-stream",
                    ...headers });
                response.end(readFileSync(file));
            } catch {
                response.writeHead(path === "/favicon.ico" ? 204 : 404, headers).end();
            }
        });
        await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
        this.servers.push(server);
        const address = `http://127.0.0.1:${server.address().port}/`;
        this.allowed.push(address);
        return address;
    }

    async close() {
        await Promise.all(this.pages.map((context) => context.close()));
        for (const server of this.servers) {
            server.closeAllConnections?.();
            server.close();
        }
    }
}
