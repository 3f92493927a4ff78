/** Milliseconds that a server has for its answer. */
export const patience = 15_000;

const unknownIssuer = new Set([
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'CERT_UNTRUSTED',
]);

const noTls =
  'it does not speak TLS at that port; check the address (behind a TLS proxy, it is that of the proxy)';

/** Without TLS nothing was sent: another attempt would fail in the same way, and nothing can have been changed. */
const certificateProblems: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'its certificate has expired; its operator has to renew it',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet; check the clock of this computer',
  CERT_REVOKED: 'its certificate was revoked; ask its operator',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name; check the address',
  ERR_SSL_WRONG_VERSION_NUMBER: noTls,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: noTls,
};

/** What is wrong with the certificate of a server, and what to do about it; undefined where this code means another failure. */
export function describeCertificate(server: string, code: string | undefined): string | undefined {
  if (code === undefined) return undefined;
  if (unknownIssuer.has(code))
    return `this computer does not know who issued the certificate of ${server} (${code}). If that is your own certificate authority, save its certificate as a file and set NODE_EXTRA_CA_CERTS to it: NODE_EXTRA_CA_CERTS=/path/to/ca.pem typebadge …; if not, do not go on, and ask the operator of the server`;
  const problem = certificateProblems[code];
  return problem === undefined ? undefined : `${server} cannot be trusted: ${problem} (${code})`;
}

/** Why no answer came, and what that leaves open. */
export function describeFailure(server: string, error: unknown, method = 'GET'): string {
  const { code, message = '' } = causeOf(error);
  const { name } = error as Error;
  const reason = name === 'TimeoutError' ? `nothing within ${patience / 1000} s` : (code ?? message) || name;
  const doubt =
    method === 'GET' ? '' : ' Whether the change was made is not known: look before you try again.';
  return `no server answers at ${server} (${reason}); check the address and your network.${doubt}`;
}

/** Where a redirect leads to another server, and what to do; undefined for any other answer. The token is for one server, so that none is followed. */
export function describeRedirect(
  server: string,
  { status, url, headers }: Pick<Response, 'status' | 'url' | 'headers'>,
): string | undefined {
  const location = headers.get('location');
  if (status < 300 || status > 399 || location === null || !URL.canParse(location, url)) return undefined;
  const { protocol, origin } = new URL(location, url);
  if ((protocol !== 'https:' && protocol !== 'http:') || origin === server) return undefined;
  return `${server} redirects to ${origin}: log in there (typebadge login ${origin})`;
}

/** What undici says of a failed `fetch`. */
export function causeOf(error: unknown): { readonly code?: string; readonly message?: string } {
  return Object((error as Error).cause);
}
