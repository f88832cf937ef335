// What the library refuses, and what is wrong with arguments.
export class TumbleError extends Error {
    // `status` is the name of the C library's status, such as "TUMBLE_ERROR_INDEX".
    constructor(status, message) {
        super(message);
        this.name = "TumbleError";
        this.status = status;
    }
}

export const refuse = (message) => {
    throw new TumbleError("TUMBLE_ERROR_ARGUMENT", message);
};
