import { readFileSync } from 'node:fs';
import type { StoreAddress } from '../../server/settings/store-url.ts';
import { UsageError } from '../program/command-errors.ts';

const variable = 'TYPEBADGE_STORE_PASSWORD';

/** The address with the password that the environment, or a file that it names, has for it. */
export function withPassword(
  address: StoreAddress | undefined,
  env: NodeJS.ProcessEnv,
): StoreAddress | undefined {
  const password = env[variable] ?? readPassword(env[`${variable}_FILE`]);
  return address === undefined || password === undefined ? address : { ...address, password };
}

function readPassword(file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  try {
    return readFileSync(file, 'utf8').trimEnd();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UsageError(`the file of ${variable}_FILE cannot be read (${code ?? message}).`);
  }
}
