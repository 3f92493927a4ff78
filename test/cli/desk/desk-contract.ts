import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Desk, readHistory } from '../../../src/cli/desk/desk.ts';

export interface OpenedDesks {
  /** The same announcements in the hands of two editors. */
  readonly anna: Desk;
  readonly ben: Desk;
  close(): Promise<void>;
}

/** What holds for every desk, wherever its announcements are. `open` begins with none. */
export function describeDesk(kind: string, open: () => Promise<OpenedDesks>): void {
  describe(`a desk on a ${kind}`, () => {
    let desks: OpenedDesks;
    let anna: Desk;
    let ben: Desk;

    beforeEach(async () => {
      desks = await open();
      ({ anna, ben } = desks);
    });
    afterEach(() => desks.close());

    const newBody = (id: string, more: object = {}) => ({
      ...{ message: `Message of ${id}`, id, expires: '+1h', ...more },
    });
    const entries = async () => (await readHistory(ben)).announcements;

    test('publishes with every field, and answers with what is stored and what it changed', async () => {
      const value = await anna.publish(
        newBody('full', {
          link: 'https://example.org/',
          linkLabel: 'More',
          severity: 'critical',
          dismissible: false,
          alongside: true,
          translations: { de: { message: 'Auf Deutsch', linkLabel: 'Mehr' } },
          audience: { sites: ['https://example.org'], paths: ['/docs/*'] },
        }),
      );
      const [entry = {}] = await entries();
      expect(value).toEqual({
        ...{ ...entry, state: 'active', change: 1, before: null, supersedes: [] },
        ...{ current: null, currentBefore: null, warnings: [] },
      });
      expect(entry).toMatchObject({
        severity: 'critical',
        linkLabel: 'More',
        dismissible: false,
        alongside: true,
        translations: { de: { message: 'Auf Deutsch', linkLabel: 'Mehr' } },
        audience: { sites: ['https://example.org'], paths: ['/docs/*'] },
      });
    });

    test('says what a change does to what readers see', async () => {
      await anna.publish(newBody('a'));
      const soon = await anna.publish(newBody('soon', { at: '+30m', expires: '+2h' }));
      expect(soon).toMatchObject({ state: 'scheduled', supersedes: ['a'], current: 'a', currentBefore: 'a' });
      const edited = await ben.edit('a', { message: 'b' });
      expect(edited.before).toMatchObject({ id: 'a', message: 'Message of a' });
      const gone = await ben.withdraw('a');
      expect(gone).toMatchObject({ state: 'withdrawn', current: null, currentBefore: 'a' });
      const back = await anna.undo(undefined);
      expect(back).toMatchObject({
        current: 'a',
        currentBefore: null,
        before: { withdrawn: expect.any(String) },
      });
    });

    test('a dry run answers the same and changes nothing', async () => {
      const tried = await anna.publish(newBody('a'), { dryRun: true });
      expect(tried).toMatchObject({ id: 'a', state: 'active', change: 1, current: 'a', currentBefore: null });
      expect(await entries()).toEqual([]);
      await anna.publish(newBody('a'));
      for (const try_ of [
        () => anna.withdraw('a', { dryRun: true }),
        () => anna.expire('a', {}, { dryRun: true }),
        () => anna.edit('a', { message: 'b' }, { dryRun: true }),
        () => anna.undo(1, { dryRun: true }),
      ])
        expect((await try_()).change).toBe(2);
      expect((await anna.changes()).total).toBe(1);
    });

    test('ends and withdraws; undo reverts one change after the other; the log names each editor', async () => {
      await anna.publish(newBody('a'));
      expect((await ben.expire('a', { at: '+10m' })).expired).toBeDefined();
      await anna.withdraw('a');
      const first = await ben.undo(3);
      const undone = { change: 4, undone: 3, by: 'anna', action: 'withdraw', undoes: null, id: 'a' };
      expect(first).toMatchObject(undone);
      expect(first.announcement?.withdrawn).toBeUndefined();
      await ben.undo(2);
      expect((await ben.undo(1)).announcement).toBeNull();
      expect(await entries()).toEqual([]);
      const { changes } = await anna.changes();
      expect(changes.map(({ by, action }) => `${by} ${action}`).reverse()).toEqual([
        'anna publish',
        'ben expire',
        'anna withdraw',
        'ben undo',
        'ben undo',
        'ben undo',
      ]);
      expect([(await anna.list()).editor, (await ben.list()).editor]).toEqual(['anna', 'ben']);
    });

    test('refuses in the same words, and changes nothing', async () => {
      await anna.publish(newBody('a'));
      const before = await readHistory(anna);
      const said = (change: Promise<unknown>) =>
        change.then(
          () => 'done',
          (error: Error) => error.message,
        );
      expect(await said(anna.publish(newBody('a')))).toBe('The id a is taken; every id is used once.');
      expect(await said(anna.withdraw('none'))).toBe('There is no announcement none.');
      expect(await said(anna.expire('a', { at: '+2h' }))).toMatch(/^Announcement a expires before that/);
      expect(await said(anna.undo(9))).toMatch(/^There is no change 9/);
      expect(await readHistory(anna)).toEqual(before);
    });

    test('an editor with an outdated revision learns what another one changed', async () => {
      await anna.publish(newBody('a'));
      await anna.publish(newBody('b', { alongside: true }));
      const { revision } = await anna.list({ id: 'a' });
      await ben.edit('a', { message: 'from ben' });
      const body = { message: 'from anna' };
      await expect(anna.edit('a', body, { ifMatch: revision })).rejects.toThrow(
        'Something was changed meanwhile: ben edited a (change 3).',
      );
      expect((await entries()).map(({ message }) => message)).toEqual(['from ben', 'Message of b']);
    });

    test('simultaneous changes lose nothing', async () => {
      await Promise.all(
        Array.from({ length: 10 }, (_, at) =>
          (at % 2 === 0 ? anna : ben).publish(newBody(`n${at}`, { alongside: true })),
        ),
      );
      expect((await entries()).map(({ id }) => id).sort()).toEqual(
        Array.from({ length: 10 }, (_, at) => `n${at}`),
      );
      expect((await anna.changes()).total).toBe(10);
    });
  });
}
