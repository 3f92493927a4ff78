import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { openSecretFile } from '../../../kit/files/secret-file.ts';

/** The secret with which client addresses are hashed, kept in the data folder and made at the first start that needs it. */
export function openAddressKey(dataDir: string): Promise<string> {
  const make = () => randomBytes(32).toString('hex');
  return openSecretFile({ path: join(dataDir, 'address-key'), pattern: /^[0-9a-f]{64}$/, make });
}
