import { beforeEach, describe, expect, it } from 'vitest';
import { localPlayer } from '../../../src/server/stores/player.ts';
import type { Rounds } from '../../../src/server/stores/ports.ts';
import { toUnsavedRound } from '../../../src/server/stores/unsaved-rounds.ts';
import { newJournalRound, toRoundId } from './journal-rounds.ts';

/** What every store of rounds must hold. `open` opens one more server's view of a store that is empty at first. */
export function describeRounds(name: string, open: () => Promise<Rounds>): void {
  describe(name, () => {
    let rounds: Rounds;
    beforeEach(async () => {
      rounds = await open();
    });
    const stranger = `key-${'7'.repeat(64)}`;
    const round = (number: number, player = localPlayer) => ({
      ...newJournalRound(toRoundId(number)),
      player,
      completedAt: new Date(Date.UTC(2026, 0, 1, 0, number)).toISOString(),
    });
    const kept = (...numbers: number[]) => numbers.map((number) => toUnsavedRound(round(number)));
    const countOf = async (view: Rounds, player = localPlayer) => (await view.history(player)).rounds;
    const listed = async (view: Rounds, limit = 100, after?: number) => {
      const page = await view.list(localPlayer, {
        limit,
        after: after === undefined ? undefined : toRoundId(after),
      });
      return page?.rounds.map(({ id }) => Number.parseInt(id, 16));
    };

    it('is empty at first', async () => {
      expect(await countOf(rounds)).toBe(0);
      expect(await listed(rounds)).toEqual([]);
    });

    it('counts a round when it is noted, and not again when it is saved', async () => {
      await rounds.history(localPlayer);
      await rounds.note(localPlayer, [round(1)]);
      expect(await countOf(rounds)).toBe(1);
      await rounds.note(localPlayer, [round(1)]);
      await rounds.keep(localPlayer, kept(1));
      expect(await countOf(rounds)).toBe(1);
      await rounds.note(localPlayer, [round(1)]);
      expect(await countOf(rounds)).toBe(1);
    });

    it('saves a round once, however often it is sent, even by several servers at once', async () => {
      const others = [await open(), await open()];
      await Promise.all([rounds, ...others].map((view) => view.keep(localPlayer, kept(1, 2, 3))));
      await rounds.keep(localPlayer, kept(2, 4));
      for (const view of [rounds, ...others, await open()]) expect(await countOf(view)).toBe(4);
    });

    it('shows saved rounds to other servers', async () => {
      const other = await open();
      expect(await countOf(other)).toBe(0);
      await rounds.keep(localPlayer, kept(2));
      expect(await countOf(other)).toBe(1);
      expect(await countOf(rounds)).toBe(1);
    });

    it('says how much has to be read before a history is known, and opens nothing for it', async () => {
      expect(await rounds.unread(stranger)).toBe(0);
      const line = toUnsavedRound(round(1, stranger));
      await rounds.keep(stranger, [line]);
      const other = await open();
      for (let times = 0; times < 2; times += 1)
        expect(await other.unread(stranger)).toBeGreaterThanOrEqual(line.line.length);
      await other.history(stranger);
      expect(await other.unread(stranger)).toBe(0);
    });

    it('is the same after opening it again', async () => {
      await rounds.keep(localPlayer, kept(1, 2, 3));
      const before = await rounds.history(localPlayer);
      expect(before.rounds).toBe(3);
      expect(await (await open()).history(localPlayer)).toEqual(before);
    });

    it('never changes a history that it has returned', async () => {
      const before = await rounds.history(localPlayer);
      await rounds.keep(localPlayer, kept(1));
      await rounds.history(localPlayer);
      expect(before.rounds).toBe(0);
    });

    it('returns the same history until there is another round, because statistics are kept with it', async () => {
      await rounds.keep(localPlayer, kept(1));
      await rounds.keep(stranger, [toUnsavedRound(round(9, stranger))]);
      for (const player of [localPlayer, stranger]) {
        const before = await rounds.history(player);
        expect(await rounds.history(player)).toBe(before);
      }
      const other = await open();
      const before = await rounds.history(localPlayer);
      await other.keep(localPlayer, kept(2));
      expect(await rounds.history(localPlayer)).not.toBe(before);
    });

    it('lists the newest first, in pages', async () => {
      await rounds.keep(localPlayer, kept(1, 2, 3, 4, 5));
      expect(await listed(rounds)).toEqual([5, 4, 3, 2, 1]);
      expect(await listed(rounds, 2)).toEqual([5, 4]);
      expect(await listed(rounds, 2, 4)).toEqual([3, 2]);
      expect(await listed(rounds, 2, 99)).toBeUndefined();
    });

    it('keeps players separate, and forgets everything of one', async () => {
      await rounds.keep(localPlayer, kept(1, 2));
      await rounds.keep(stranger, [toUnsavedRound(round(9, stranger))]);
      expect([await countOf(rounds), await countOf(rounds, stranger)]).toEqual([2, 1]);
      await rounds.forget(stranger);
      expect([await countOf(rounds), await countOf(rounds, stranger)]).toEqual([2, 0]);
      expect([await countOf(await open()), await countOf(await open(), stranger)]).toEqual([2, 0]);
    });
  });
}
