import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { ServeConfig } from '../../server/settings/config.ts';
import { parseWebhookSecret } from '../../server/settings/config-parsers.ts';
import type { StoreAddress, StoreCertificates } from '../../server/settings/store-url.ts';
import { UsageError } from '../program/command-io.ts';

/** The error for a password that every user can read. */
export const visiblePassword =
  'a password on the command line can be read by every user of this machine: set TYPEBADGE_STORE_PASSWORD or TYPEBADGE_STORE_PASSWORD_FILE instead.';

/** Why settings that are each valid cannot be combined, as a sentence; undefined if they can. */
export function findSettingsProblem(
  { workers, typing, store }: ServeConfig,
  isStoreOnCommandLine: boolean,
): string | undefined {
  if (workers !== undefined && typing === 'on' && store === undefined)
    return '--workers needs --store, or --typing off: without a store, typing sessions live in the memory of one process.';
  return isStoreOnCommandLine && store?.password !== undefined ? visiblePassword : undefined;
}

const password = 'TYPEBADGE_STORE_PASSWORD';
const ca = 'TYPEBADGE_STORE_CA_FILE';
const cert = 'TYPEBADGE_STORE_CERT_FILE';
const key = 'TYPEBADGE_STORE_KEY_FILE';
const webhookSecret = 'TYPEBADGE_WEBHOOK_SECRET';

/** Read from the environment or from files that it names, so that `ps` never shows them. */
export const secretVariables = [password, `${password}_FILE`, ca, cert, key].concat(
  webhookSecret,
  `${webhookSecret}_FILE`,
);

/**
 * The address with the password and, for TLS, certificates. Throws a UsageError if a file cannot be read,
 * holds something else, or does not match the address.
 */
export function withSecrets(
  address: StoreAddress | undefined,
  env: NodeJS.ProcessEnv,
): StoreAddress | undefined {
  if (address === undefined) return undefined;
  const secret = env[password] ?? readNamed(env, `${password}_FILE`)?.trimEnd();
  const certificates = readCertificates(address, env);
  return {
    ...address,
    ...(secret !== undefined && { password: secret }),
    ...(certificates !== undefined && { certificates }),
  };
}

/** Never ignored: an operator who names one wants TLS, and without it the password would be sent in clear. */
function readCertificates({ tls }: StoreAddress, env: NodeJS.ProcessEnv): StoreCertificates | undefined {
  const given = [ca, cert, key].filter((name) => (env[name] ?? '') !== '');
  if (given.length === 0) return undefined;
  if (!tls) throw new UsageError(`${given[0]} needs a store with TLS: write rediss:// instead of redis://.`);
  if (given.includes(cert) !== given.includes(key))
    throw new UsageError(`${cert} and ${key} go together: set both, or none.`);
  const found = {
    ca: readPem(env, ca, 'certificate', (text) => new X509Certificate(text)),
    cert: readPem(env, cert, 'certificate', (text) => new X509Certificate(text)),
    key: readPem(env, key, 'private key', createPrivateKey),
  };
  return Object.fromEntries(Object.entries(found).filter(([, text]) => text !== undefined));
}

function readPem(
  env: NodeJS.ProcessEnv,
  variable: string,
  what: string,
  check: (text: string) => unknown,
): string | undefined {
  const text = readNamed(env, variable);
  try {
    if (text !== undefined) check(text);
    return text;
  } catch {
    throw new UsageError(`the file of ${variable} holds no ${what} in PEM form that can be read.`);
  }
}

/** The file that a variable names; undefined if it names none. */
function readNamed(env: NodeJS.ProcessEnv, variable: string): string | undefined {
  const file = env[variable];
  if (file === undefined || file === '') return undefined;
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UsageError(`the file of ${variable} cannot be read (${code ?? message}).`);
  }
}

/** The key that signs webhooks. */
export function readWebhookSecret(isNeeded: boolean, env: NodeJS.ProcessEnv): Buffer | undefined {
  if (!isNeeded) return undefined;
  const text = env[webhookSecret] || readNamed(env, `${webhookSecret}_FILE`);
  if (text === undefined)
    throw new UsageError(
      `--webhook needs a secret to sign with, which its receivers know: set ${webhookSecret} or ${webhookSecret}_FILE. Make one with: echo "whsec_$(openssl rand -base64 32)"`,
    );
  try {
    return parseWebhookSecret(text);
  } catch (error) {
    throw new UsageError(`the secret in ${webhookSecret} is not valid: ${(error as Error).message}`);
  }
}
