import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, type RedisProcess, startRedis } from './redis-process.ts';

/** Files in PEM form. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** An authority of our own, which nobody trusts by themselves. */
export interface Authority {
  readonly ca: string;
  /** @param names such as `DNS:localhost` or `IP:127.0.0.1` */
  issue(name: string, names: readonly string[]): Certificate;
}

const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'pipe' });

export function createAuthority(dir: string): Authority {
  mkdirSync(dir, { recursive: true });
  const at = (file: string) => join(dir, file);
  const own = ['-keyout', at('ca.key'), '-out', at('ca.pem')];
  openssl('req', '-x509', ...newKey, '-days', '2', '-subj', '/CN=authority of the tests', ...own);
  return {
    ca: at('ca.pem'),
    issue(name, names) {
      const [cert, key, request, extensions] = [
        `${name}.pem`,
        `${name}.key`,
        `${name}.csr`,
        `${name}.ext`,
      ].map(at) as [string, string, string, string];
      openssl('req', ...newKey, '-subj', `/CN=${name}`, '-keyout', key, '-out', request);
      writeFileSync(extensions, `subjectAltName=${names.join(',')}\n`);
      const signer = ['-CA', at('ca.pem'), '-CAkey', at('ca.key'), '-CAcreateserial'];
      openssl('x509', '-req', '-in', request, ...signer, '-days', '2', '-extfile', extensions, '-out', cert);
      return { cert, key };
    },
  };
}

/** What a server of the store is started with to speak TLS on a port of its own, beside its plain one. */
function toTlsSettings(port: number, { ca }: Authority, { cert, key }: Certificate): string[] {
  return [
    ...['--tls-port', String(port), '--tls-cert-file', cert, '--tls-key-file', key],
    ...['--tls-ca-cert-file', ca, '--tls-auth-clients', 'no'],
  ];
}

export interface TlsRedis extends RedisProcess {
  readonly tlsPort: number;
}

export async function startTlsRedis(
  dir: string,
  authority: Authority,
  certificate: Certificate,
  options: readonly string[] = [],
): Promise<TlsRedis> {
  const tlsPort = await freePort();
  const redis = await startRedis(dir, [...toTlsSettings(tlsPort, authority, certificate), ...options]);
  return { ...redis, tlsPort };
}
