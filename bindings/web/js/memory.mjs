// The module's memory: views of it, which are taken anew when it grows, and arrays that go in and come out.
import { refuse, TumbleError } from "./error.mjs";

// Numbers of an argument as a typed array; an array of numbers becomes one of type `otherwise`.
export function numbersOf(value, name, types, otherwise) {
    if (types.some((type) => value instanceof type)) {
        return value;
    }
    if (!Array.isArray(value) && !ArrayBuffer.isView(value)) {
        refuse(`${name}: expected ${types.map((type) => type.name).join(", ")} or an array of numbers`);
    }
    const result = new otherwise(value.length);
    for (let i = 0; i < value.length; i++) {
        const number = value[i];
        if (typeof number !== "number" || (otherwise !== Float64Array && (!Number.isInteger(number) || number < 0 ||
            number > 0xffffffff))) {
            refuse(`${name}[${i}]: ${String(number)} is not a ${otherwise === Float64Array ? "number" :
                "whole number of 0 to 4294967295"}`);
        }
        result[i] = number;
    }
    return result;
}

export class Memory {
    constructor(instance) {
        this.c = instance.exports;
        this.refresh();
    }

    // The module calls it when its memory has grown, which detaches all older views.
    refresh() {
        const buffer = this.c.memory.buffer;
        this.u8 = new Uint8Array(buffer);
        this.u32 = new Uint32Array(buffer);
        this.f64 = new Float64Array(buffer);
    }

    start() {
        this.c._initialize();
        const status = this.c.web_start();
        if (status !== 0) {
            throw new TumbleError(this.text(this.c.web_status_name(status)), "there is no memory for the library");
        }
        this.poses = this.c.web_poses() >>> 3;
        this.results = this.c.web_numbers() >>> 3;
    }

    text(address) {
        let end = address >>>= 0;
        while (this.u8[end] !== 0) {
            end++;
        }
        // A copy, as shared memory cannot be decoded.
        return new TextDecoder().decode(this.u8.slice(address, end));
    }

    // Throws what the library says if a call has failed.
    check(status) {
        if (status !== 0) {
            throw new TumbleError(this.text(this.c.web_status_name(status)), this.text(this.c.web_error()));
        }
    }

    // Result `i` of the last call.
    result(i) {
        return this.f64[this.results + i];
    }

    point(i) {
        return [this.result(i), this.result(i + 1), this.result(i + 2)];
    }

    // Memory of the module; the caller gives it back.
    allocate(bytes) {
        const address = this.c.web_allocate(bytes) >>> 0;
        if (address === 0) {
            throw new TumbleError("TUMBLE_ERROR_MEMORY", `there is no memory for ${bytes} bytes`);
        }
        return address;
    }

    // Calls `use` with the addresses of copies of typed arrays, 0 for what is null, and frees them again.
    with(arrays, use) {
        const addresses = [];
        try {
            for (const array of arrays) {
                addresses.push(array ? this.allocate(array.byteLength) : 0);
            }
            arrays.forEach((array, i) => {
                if (array) {
                    this.u8.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), addresses[i]);
                }
            });
            return use(...addresses);
        } finally {
            for (const address of addresses) {
                this.c.web_release(address);
            }
        }
    }

    // A copy of `count` numbers at an address.
    copy(type, address, count) {
        return count > 0 ? new type(this.c.memory.buffer, address, count).slice() : new type(0);
    }

    // Writes up to two poses and tells which were given: see web_pose.
    pose(value, which) {
        if (value === undefined || value === null) {
            return 0;
        }
        const m = value.elements ?? value, to = this.poses + 12 * which, f64 = this.f64;
        if (m.length === 16) {
            if (m[3] !== 0 || m[7] !== 0 || m[11] !== 0 || m[15] !== 1) {
                refuse(`pose of ${"AB"[which]}: the last row of a 4 x 4 matrix, numbers 3, 7, 11 and 15, must be 0 0 0 1`);
            }
            for (let row = 0; row < 3; row++) {
                for (let column = 0; column < 4; column++) {
                    f64[to + 4 * row + column] = m[4 * column + row];
                }
            }
        } else if (m.length === 12) {
            f64.set(m, to);
        } else {
            refuse(`pose of ${"AB"[which]}: expected 16 numbers, column by column as in three.js, or 12, row by row`);
        }
        return 1 << which;
    }
}
