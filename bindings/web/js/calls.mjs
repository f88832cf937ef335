// What passes between a program and the worker in which the library runs: calls by name, with models, scenes and their
// objects as numbers.
import { TumbleError } from "./error.mjs";

// The memory of all typed arrays in a result, which is moved instead of copied.
export function buffersOf(value, found = new Set()) {
    if (ArrayBuffer.isView(value)) {
        found.add(value.buffer);
    } else if (value !== null && typeof value === "object") {
        for (const part of Object.values(value)) {
            buffersOf(part, found);
        }
    }
    return found;
}

export const errorOf = (error) => ({ status: error?.status ?? "TUMBLE_ERROR_DEVICE", message: error?.message ?? String(error) });
export const asError = ({ status, message }) => new TumbleError(status, message);

// Replaces things by what `change` makes of them, in arguments and results.
export function mapped(value, change) {
    if (value === null || typeof value !== "object" || ArrayBuffer.isView(value) || value instanceof ArrayBuffer) {
        return value;
    }
    const other = change(value);
    if (other !== undefined) {
        return other;
    }
    if (value instanceof Map) {
        return value;
    }
    return Array.isArray(value) ? value.map((part) => mapped(part, change))
        : Object.fromEntries(Object.entries(value).map(([name, part]) => [name, mapped(part, change)]));
}
