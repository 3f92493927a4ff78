/** A player key: at least 128 bits in the alphabet of base64url. */
export const playerKeyPattern = /^[A-Za-z0-9_-]{22,128}$/;

/** An editor's token: a prefix that scanners for leaked secrets can find, and 256 bits in base64url. */
export const editorTokenPattern = /^tbe_[A-Za-z0-9_-]{43}$/;

/** The error of a 401 `UNAUTHENTICATED` for a token that was valid and has expired. */
export const expiredTokenSentence =
  'This token has expired: ask the operator of this server for a new one (typebadge editors add).';
