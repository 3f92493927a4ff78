import { randomBytes } from 'node:crypto';
import type { Records } from './records/records.ts';

export const addressKeyRecord = 'text/address-key';

/**
 * The secret with which client addresses are hashed, created by the first server that needs it. All servers
 * of a store must use the same one, otherwise a client would be a different player on each of them.
 */
export async function openAddressKey(records: Records): Promise<string> {
  const known = await readAddressKey(records);
  if (known !== undefined) return known;
  const text = randomBytes(32).toString('hex');
  await records.commit(addressKeyRecord, { if: '', put: { text }, durable: true });
  return (await readAddressKey(records)) ?? '';
}

export async function readAddressKey(records: Records): Promise<string | undefined> {
  return (await records.read(addressKeyRecord, ['text'])).values?.[0];
}
