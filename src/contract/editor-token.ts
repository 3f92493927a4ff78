/** An editor's token: a prefix that scanners for leaked secrets can find, and 256 bits in base64url. */
export const editorTokenPattern = /^tbe_[A-Za-z0-9_-]{43}$/;
