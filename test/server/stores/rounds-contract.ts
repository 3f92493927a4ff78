import { beforeEach, describe, expect, it } from 'vitest';
import { localPlayer } from '../../../src/server/stores/player.ts';
import type { Rounds } from '../../../src/server/stores/rounds.ts';
import { roundLine, type StoredRound } from '../../../src/server/stores/stored-round.ts';
import { labelEntries } from '../../../src/typing/labels.ts';
import { newStoredRound, toRoundId } from './stored-rounds.ts';

/** What every store of rounds must hold. `open` opens one more server's view of a store that is empty at first. */
export function describeRounds(name: string, open: () => Promise<Rounds>): void {
  describe(name, () => {
    let rounds: Rounds;
    beforeEach(async () => {
      rounds = await open();
    });
    const stranger = `key-${'7'.repeat(64)}`;
    const round = (number: number): StoredRound => ({
      ...newStoredRound(toRoundId(number)),
      completedAt: new Date(Date.UTC(2026, 0, 1, 0, number)).toISOString(),
    });
    const keep = async (view: Rounds, player: string, ...numbers: number[]) => {
      for (const number of numbers) await view.add(player, round(number));
      await view.flush(player);
    };
    const countOf = async (view: Rounds, player = localPlayer) => (await view.history(player)).rounds;
    const listed = async (view: Rounds, limit = 100, after?: number) => {
      const page = await view.list(localPlayer, {
        limit,
        after: after === undefined ? undefined : toRoundId(after),
      });
      return page?.rounds.map(({ id }) => Number.parseInt(id, 16));
    };

    it('says whether it had a round already', async () => {
      expect(await rounds.add(localPlayer, round(1))).toBe('added');
      expect(await rounds.add(localPlayer, round(1))).toBe('known');
      expect(await countOf(rounds)).toBe(1);
      expect(await rounds.add(localPlayer, round(2), async () => false)).toBe('unwanted');
      expect(await countOf(await open())).toBe(1);
    });

    it('returns a round as it was added', async () => {
      const bests = { wpm: true, accuracy: false, time: true };
      const added = {
        ...round(7),
        newBests: bests,
        ...labelEntries(({ maxLength }) => 'v'.repeat(maxLength)),
        keys: ['o', '👩‍👩‍👧‍👦', '\b', ' '],
        seekTimes: [1, 2, 3, 4],
      };
      await rounds.add(localPlayer, added);
      expect(await (await open()).find(localPlayer, added.id)).toEqual(added);
      expect(await rounds.find(localPlayer, toRoundId(8))).toBeUndefined();
      expect(await rounds.find(stranger, added.id)).toBeUndefined();
    });

    it('saves a round once, however often it is sent, even by several servers at once', async () => {
      const others = [await open(), await open()];
      await Promise.all([rounds, ...others].map((view) => keep(view, localPlayer, 1, 2, 3)));
      await keep(rounds, localPlayer, 2, 4);
      for (const view of [rounds, ...others, await open()]) expect(await countOf(view)).toBe(4);
    });

    it('returns the same history until there is another round, because statistics are kept with it', async () => {
      await keep(rounds, localPlayer, 1);
      await keep(rounds, stranger, 9);
      for (const player of [localPlayer, stranger]) {
        const before = await rounds.history(player);
        expect(await rounds.history(player)).toBe(before);
      }
      const other = await open();
      const before = await rounds.history(localPlayer);
      await keep(other, localPlayer, 2);
      expect(await rounds.history(localPlayer)).not.toBe(before);
    });

    it('lists the newest first, in pages', async () => {
      await keep(rounds, localPlayer, 1, 2, 3, 4, 5);
      expect(await listed(rounds)).toEqual([5, 4, 3, 2, 1]);
      expect(await listed(rounds, 2)).toEqual([5, 4]);
      expect(await listed(rounds, 2, 4)).toEqual([3, 2]);
      expect(await listed(rounds, 2, 99)).toBeUndefined();
    });

    it('ends a page of long rounds after 200,000 characters, and the next goes on', async () => {
      const others = roundLine({ ...round(1), words: [''] }).length;
      const long = { words: ['x'.repeat(50_000 - others)] };
      for (let number = 1; number <= 9; number += 1)
        await rounds.add(localPlayer, { ...round(number), ...long });
      expect(await listed(rounds)).toEqual([9, 8, 7, 6]);
      expect(await listed(rounds, 9, 6)).toEqual([5, 4, 3, 2]);
      expect(await rounds.list(localPlayer, { limit: 9, after: toRoundId(2) })).toEqual({
        rounds: [{ ...round(1), ...long }],
      });
    });

    it('does not keep a first round whose player is forgotten by another server meanwhile', async () => {
      const other = await open();
      let isOpen = true;
      const isWanted = async () => {
        const answer = isOpen;
        if (isOpen) await other.deleteAll(stranger);
        isOpen = false;
        return answer;
      };
      const round = { ...newStoredRound(toRoundId(1)), mode: 'first' };
      expect(await rounds.add(stranger, round, isWanted)).toBe('unwanted');
      expect([await countOf(rounds, stranger), await countOf(await open(), stranger)]).toEqual([0, 0]);
    });

    it('keeps players separate, and forgets everything of one', async () => {
      await keep(rounds, localPlayer, 1, 2);
      await keep(rounds, stranger, 9);
      expect([await countOf(rounds), await countOf(rounds, stranger)]).toEqual([2, 1]);
      await rounds.deleteAll(stranger);
      expect([await countOf(rounds), await countOf(rounds, stranger)]).toEqual([2, 0]);
      expect([await countOf(await open()), await countOf(await open(), stranger)]).toEqual([2, 0]);
    });
  });
}
