/** A player key: at least 128 bits in the alphabet of base64url. */
export const playerKeyPattern = /^[A-Za-z0-9_-]{22,128}$/;
