/** Explanations of failed TLS connections for operators. The patterns match error codes of Node and OpenSSL. */
const sentences: readonly (readonly [pattern: RegExp, sentence: string])[] = [
  [
    /^(?:SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_(?:VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT.*))$/,
    'The store’s certificate is not from an authority that this machine trusts: name the authority’s certificate in TYPEBADGE_STORE_CA_FILE.',
  ],
  [
    /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    'The store’s certificate is for another host name: write the address as the certificate has it, or make one that names this address.',
  ],
  [/^CERT_HAS_EXPIRED$/, 'The store’s certificate has expired: renew it.'],
  [
    /^CERT_NOT_YET_VALID$/,
    'The store’s certificate is not valid yet: check the clock of this machine and of the one that made it.',
  ],
  [
    /^ERR_SSL_.*ALERT_(?:CERTIFICATE_REQUIRED|HANDSHAKE_FAILURE)$/,
    'The store asks for a client certificate: set TYPEBADGE_STORE_CERT_FILE and TYPEBADGE_STORE_KEY_FILE, or "tls-auth-clients no" in the store.',
  ],
  [
    /^ERR_SSL_.*ALERT_(?:UNKNOWN_CA|BAD_CERTIFICATE|CERTIFICATE_(?:EXPIRED|UNKNOWN|REVOKED))$/,
    'The store refuses the client certificate of TYPEBADGE_STORE_CERT_FILE: use one from an authority that it trusts.',
  ],
  [
    /^(?:ERR_SSL_WRONG_VERSION_NUMBER|ERR_SSL_PACKET_LENGTH_TOO_LONG)$/,
    'The store does not speak TLS at this address: correct the port, or write redis:// instead of rediss://.',
  ],
];

/** For an address without TLS if the store has not answered yet. */
const wantsTls =
  'The store closes the connection at once: if it expects TLS, write rediss:// instead of redis://.';

const noHandshake =
  'The store completes no TLS connection: check its address, port and certificate (TYPEBADGE_STORE_CA_FILE); if it does not speak TLS at this address, write redis:// instead of rediss://.';

/** One sentence that says what to do; undefined if the error has nothing to do with TLS. */
export function findTlsProblem(error: unknown): string | undefined {
  const code = codeOf(error);
  return sentences.find(([pattern]) => pattern.test(code))?.[1];
}

/** The same for an address without TLS: a server that expects TLS closes such a connection. */
export function findMissingTls(error: unknown): string | undefined {
  return codeOf(error) === 'ECONNRESET' ? wantsTls : undefined;
}

/** For an address with TLS if an error does not say why there is no connection, as that of a time-out or of a sentinel. */
export function tlsHint(error: unknown): string | undefined {
  const code = codeOf(error);
  const isKnown = /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN)$/.test(code) || Object(error).name === 'ReplyError';
  return isKnown ? undefined : noHandshake;
}

function codeOf(error: unknown): string {
  return String(Object(error).code ?? '');
}
