import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { openSecretFile } from '../../../kit/secret-file.ts';

/** The secret that the addresses of this data folder's clients are hashed with, made at the first start that needs it. */
export function openAddressKey(dataDir: string): Promise<string> {
  const make = () => randomBytes(32).toString('hex');
  return openSecretFile({ path: join(dataDir, 'address-key'), pattern: /^[0-9a-f]{64}$/, make });
}
