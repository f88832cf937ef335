// The built documentation site, from the disk: it searches, fits a phone, and loads nothing from elsewhere.
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const folder = (t) => join(t.root, "build", "site", "html");
const at = (t, page) => pathToFileURL(join(folder(t), page)).href;

async function search(t, address) {
    const page = await t.page();
    await page.goto(address);
    await page.focus(".md-search__input");
    await page.keyboard.type("tumble_first_contact");
    await t.until(page, 'document.querySelectorAll(".md-search-result__link").length > 2');
    const found = await page.$$eval(".md-search-result__link", (links) => links.map((link) => link.getAttribute("href")));
    t.check(found.some((link) => /c\/motion\.html.*#tumble_first_contact$/.test(link)), `found: ${found.slice(0, 3).join(" ")}`);
    await t.screenshot(page, "search");
    await page.goto(found.find((link) => /#tumble_first_contact$/.test(link)));
    t.check(await page.evaluate(() => Boolean(document.getElementById("tumble_first_contact"))), "the place that was found");
}

export async function run(t) {
    await search(t, at(t, "kdop.html"));
    await search(t, `${await t.serve(folder(t))}index.html`);
    for (const [name, dark] of [["index", false], ["questions", true], ["c/query", true], ["python/tumble", false],
        ["peers", false], ["command-line", true]]) {
        const phone = await t.page({ width: 390, height: 780, phone: true, dark });
        await phone.goto(at(t, `${name}.html`));
        t.check(await phone.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${name} fits a phone`);
        t.equal(await phone.evaluate(() => document.body.getAttribute("data-md-color-scheme")), dark ? "slate" : "default",
            `${name}: as the system is`);
        await t.screenshot(phone, `phone-${name.replace("/", "-")}`);
    }
    const wide = await t.page({ dark: true });
    await wide.goto(at(t, "index.html"));
    await t.screenshot(wide, "dark");
}
