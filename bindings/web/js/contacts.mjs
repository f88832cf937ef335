// Contacts as arrays. One in memory is four whole numbers of 32 bits (two polygons, coplanar, apart) and six doubles.
const words = 16, doubles = 8;

export function contactsOf(memory, address, count) {
    const result = {
        count, polygons: new Uint32Array(2 * count), points: new Float64Array(6 * count),
        coplanar: new Uint8Array(count), apart: new Uint8Array(count)
    };
    const { u32, f64 } = memory;
    for (let i = 0; i < count; i++) {
        const word = address / 4 + words * i, double = address / 8 + doubles * i + 2;
        result.polygons[2 * i] = u32[word];
        result.polygons[2 * i + 1] = u32[word + 1];
        result.coplanar[i] = u32[word + 2];
        result.apart[i] = u32[word + 3];
        for (let k = 0; k < 6; k++) {
            result.points[6 * i + k] = f64[double + k];
        }
    }
    return result;
}
