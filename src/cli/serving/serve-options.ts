import { readFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { newServeConfig, type ServeConfig, settings } from '../../server/settings/config.ts';
import { parseWebhookSecret } from '../../server/settings/config-parsers.ts';
import type { RedisAddress } from '../../server/settings/store-url.ts';
import { optionParser } from '../program/arguments.ts';
import { UsageError } from '../program/command-io.ts';

/** Every option of `serve`, each also an environment variable. */
export function serveOptions(): Option[] {
  return Object.entries(settings).map(([key, { notation, about, parse, isList }]) => {
    const name = key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    const option = new Option(`${key === 'port' ? '-p, ' : ''}--${name} ${notation}`.trim(), about);
    option.env(`TYPEBADGE_${name.toUpperCase().replaceAll('-', '_')}`);
    if (notation === '') return option;
    const parsed = optionParser<unknown>(parse);
    return option.argParser((text: string, before: unknown) =>
      isList ? [before ?? [], parsed(text)].flat() : parsed(text),
    );
  });
}

/** The configuration that options ask for, with the store's password. Wrong usage if it shows a password. */
export function readConfig(command: Command, env: NodeJS.ProcessEnv): ServeConfig {
  const config = newServeConfig(command.opts());
  if (config.store?.password !== undefined && command.getOptionValueSource('store') === 'cli')
    throw new UsageError(visiblePassword);
  return { ...config, store: config.store && withSecrets(config.store, env) };
}

/** The error for a password that every user can read. */
export const visiblePassword =
  'a password on the command line can be read by every user of this machine: set TYPEBADGE_STORE_PASSWORD or TYPEBADGE_STORE_PASSWORD_FILE instead.';

const password = 'TYPEBADGE_STORE_PASSWORD';
const webhookSecret = 'TYPEBADGE_WEBHOOK_SECRET';

/** Read from the environment or from files that it names, so that `ps` never shows them. */
const secretVariables = [password, webhookSecret].flatMap((name) => [name, `${name}_FILE`]);

/** Variables that are not options of `serve`. */
const otherVariables = [
  ...secretVariables,
  'TYPEBADGE_SERVER',
  'TYPEBADGE_TOKEN',
  'TYPEBADGE_EDITOR',
  'TYPEBADGE_PROFILE',
  'TYPEBADGE_DEBUG',
];

/** A sentence for each variable that looks like ours but is not read, with the question which was meant. */
export function unknownVariables(env: NodeJS.ProcessEnv): { message: string; fix: string | undefined }[] {
  const known = [...serveOptions().map(({ envVar = '' }) => envVar), ...otherVariables];
  const unknown = Object.keys(env).filter((name) => /^TYPE/i.test(name) && !known.includes(name));
  return unknown.sort().flatMap((name) => {
    const similar = known.find((each) => isMisspelling(name.toUpperCase(), each));
    if (similar === undefined && !name.startsWith('TYPEBADGE_')) return [];
    const fix = similar && `Did you mean ${similar}?`;
    return [{ message: `${name} is not a variable that typebadge reads.`, fix }];
  });
}

/** Whether all but two adjacent characters are the same. */
function isMisspelling(text: string, name: string): boolean {
  const longest = Math.max(text.length, name.length);
  let [start, end] = [0, 0];
  while (start < longest && text[start] === name[start]) start += 1;
  while (end < longest - start && text.at(-1 - end) === name.at(-1 - end)) end += 1;
  return longest - start - end <= 2;
}

/** The address with the password. Throws a UsageError if its file cannot be read. */
export function withSecrets(address: RedisAddress, env: NodeJS.ProcessEnv): RedisAddress {
  const secret = env[password] ?? readNamed(env, `${password}_FILE`)?.trimEnd();
  return secret === undefined ? address : { ...address, password: secret };
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
