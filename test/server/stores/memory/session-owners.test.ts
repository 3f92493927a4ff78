import { expect, it } from 'vitest';
import { createSessionOwners } from '../../../../src/server/stores/memory/session-owners.ts';
import type { Session } from '../../../../src/server/stores/session.ts';

const owned = (id: number, by: { player: string; client: string; block?: string }) =>
  ({ id: String(id), ...by }) as Session;

it('sessions of clients without a block or an address do not fill each other’s places', () => {
  const owners = createSessionOwners(1, () => true);
  for (let at = 0; at < 100; at++) {
    const session = owned(at, { player: `player ${at}`, client: '' });
    expect(owners.areFull(session)).toBe(false);
    owners.add(session);
  }
});

it('a player, a client and the sixteen clients of a block have as many sessions as allowed, until one is removed', () => {
  for (const same of [{ player: 'one' }, { client: 'one' }, { block: 'one' }]) {
    const owners = createSessionOwners(2, () => true);
    const most = 'block' in same ? 32 : 2;
    const own = (at: number) => owned(at, { player: `player ${at}`, client: `client ${at}`, ...same });
    for (let at = 0; at < most; at++) {
      expect(owners.areFull(own(at))).toBe(false);
      owners.add(own(at));
    }
    expect(owners.areFull(own(most))).toBe(true);
    owners.remove(own(0));
    expect(owners.areFull(own(most))).toBe(false);
  }
});
