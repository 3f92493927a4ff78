import { randomBytes } from 'node:crypto';
import type { Records } from './records/records.ts';

const id = 'text/address-key';

/**
 * The secret with which client addresses are hashed, made by the first server that needs it. All servers of a
 * store must use the same one, otherwise a client would be a different player on each of them.
 */
export async function openAddressKey(records: Records): Promise<string> {
  const known = await readAddressKey(records);
  if (known !== undefined) return known;
  await records.commit(id, { if: '', put: { text: randomBytes(32).toString('hex') }, durable: true });
  return (await readAddressKey(records)) ?? '';
}

async function readAddressKey(records: Records): Promise<string | undefined> {
  return (await records.read(id, ['text'])).values?.[0];
}
