import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ChangeRequest, Desk } from '../../../src/cli/desk/port/desk.ts';

export interface OpenedDesks {
  /** The same announcements in the hands of two editors. */
  readonly anna: Desk;
  readonly ben: Desk;
  close(): Promise<void>;
}

const now = () => Math.floor(Date.now() / 1000) * 1000;
const hour = 3_600_000;

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

    const publish = (id: string, more: object = {}): ChangeRequest => ({
      kind: 'publish',
      draft: { message: `Message of ${id}`, id, published: now(), expires: now() + hour, ...more },
    });
    const change = (desk: Desk, request: ChangeRequest) => desk.change(request, Date.now());
    const entries = async () => (await ben.read()).history.announcements;

    test('publishes with every field, and returns what is stored', async () => {
      const { made, before } = await change(
        anna,
        publish('full', {
          link: 'https://example.org/',
          linkLabel: 'More',
          severity: 'critical',
          dismissible: false,
          alongside: true,
          translations: { de: { message: 'Auf Deutsch' } },
          audience: { sites: ['https://example.org'], paths: ['/docs/*'] },
        }),
      );
      expect(before.announcements).toEqual([]);
      expect(made).toMatchObject({ number: 1, warnings: [], entry: { id: 'full', severity: 'critical' } });
      expect(await entries()).toEqual([made.entry]);
      expect(made.history.announcements).toEqual([made.entry]);
      expect(made.entry).toMatchObject({
        linkLabel: 'More',
        dismissible: false,
        alongside: true,
        translations: { de: { message: 'Auf Deutsch' } },
        audience: { sites: ['https://example.org'], paths: ['/docs/*'] },
      });
    });

    test('warns of a long message', async () => {
      const { made } = await change(anna, publish('long', { message: 'x'.repeat(101) }));
      expect(made.warnings).toEqual([expect.stringContaining('101')]);
    });

    test('edits part by part, removes fields, and says if nothing changes', async () => {
      await change(
        anna,
        publish('a', { link: 'https://example.org/', translations: { de: { message: 'A' } } }),
      );
      const changes = { link: false, translations: { fr: { message: 'B' } }, expires: now() + 2 * hour };
      const { made } = await change(ben, { kind: 'edit', id: 'a', changes });
      expect(made.entry).toMatchObject({
        link: '',
        translations: { de: { message: 'A' }, fr: { message: 'B' } },
      });
      const again = await change(ben, { kind: 'edit', id: 'a', changes: { message: made.entry.message } });
      expect(again.made.number).toBeUndefined();
      expect((await anna.read()).history.changes).toHaveLength(2);
      const without = await change(ben, { kind: 'edit', id: 'a', changes: { translations: false } });
      expect(without.made.entry.translations).toBeUndefined();
    });

    test('ends and withdraws; undo reverts one change after the other; the log names each editor', async () => {
      await change(anna, publish('a'));
      const ended = await change(ben, { kind: 'expire', id: 'a', at: now() + 600_000 });
      expect(ended.made.entry.expired).toBeDefined();
      await change(anna, { kind: 'withdraw', id: 'a' });
      const first = await ben.undo(3, Date.now());
      expect(first.undone).toMatchObject({
        number: 4,
        undoneNumber: 3,
        undone: { by: 'anna', action: 'withdraw' },
      });
      expect(first.undone.entry?.withdrawn).toBeUndefined();
      await ben.undo(2, Date.now());
      const last = await ben.undo(1, Date.now());
      expect([last.undone.entry, last.undone.history.announcements]).toEqual([null, []]);
      expect(await entries()).toEqual([]);
      const { changes } = (await anna.read()).history;
      expect(changes.map(({ by, action }) => `${by} ${action}`)).toEqual([
        'anna publish',
        'ben expire',
        'anna withdraw',
        'ben undo',
        'ben undo',
        'ben undo',
      ]);
      expect([await anna.editor(), await ben.editor()]).toEqual(['anna', 'ben']);
    });

    test('refuses in the same words, and changes nothing', async () => {
      await change(anna, publish('a'));
      const before = (await anna.read()).history;
      const said = (request: ChangeRequest) =>
        change(anna, request).then(
          () => 'done',
          (error: Error) =>
            `${error.message.charAt(0).toLowerCase()}${error.message.slice(1)}`.replace(/\.$/, ''),
        );
      expect(await said(publish('a'))).toBe('the id a is taken; every id is used once');
      expect(await said({ kind: 'withdraw', id: 'none' })).toBe('there is no announcement none');
      expect(await said({ kind: 'expire', id: 'a', at: now() + 2 * hour })).toMatch(/^a expires before that/);
      await expect(anna.undo(9, Date.now())).rejects.toThrow(/there is no change 9/i);
      expect((await anna.read()).history).toEqual(before);
    });

    test('an editor with an outdated revision learns what another one changed', async () => {
      await change(anna, publish('a'));
      await change(anna, publish('b', { alongside: true }));
      const seen = await anna.read();
      await change(ben, { kind: 'edit', id: 'a', changes: { message: 'from ben' } });
      await expect(
        change(anna, { kind: 'edit', id: 'a', changes: { message: 'from anna' }, seen }),
      ).rejects.toThrow(/a was changed meanwhile: ben edited a \(change 3\)/);
      // What others did elsewhere is no conflict.
      await change(anna, { kind: 'edit', id: 'b', changes: { message: 'from anna' }, seen });
      expect((await entries()).map(({ message }) => message)).toEqual(['from ben', 'from anna']);
    });

    test('simultaneous changes lose nothing', async () => {
      await Promise.all(
        Array.from({ length: 10 }, (_, at) =>
          change(at % 2 === 0 ? anna : ben, publish(`n${at}`, { alongside: true })),
        ),
      );
      expect((await entries()).map(({ id }) => id).sort()).toEqual(
        Array.from({ length: 10 }, (_, at) => `n${at}`),
      );
      expect((await anna.read()).history.changes).toHaveLength(10);
    });

    test('keeps the allow-list', async () => {
      const added = await anna.addOrigins(['https://b.example', 'https://a.example', 'https://b.example']);
      expect(added).toEqual({
        added: ['https://b.example', 'https://a.example'],
        origins: ['https://b.example', 'https://a.example'],
      });
      expect((await ben.addOrigins(['https://a.example'])).added).toEqual([]);
      await expect(ben.removeOrigins(['https://a.example', 'https://c.example'])).rejects.toThrow(
        'https://c.example is not on the list',
      );
      expect(await ben.removeOrigins(['https://b.example'])).toEqual(['https://a.example']);
      expect(await anna.origins()).toEqual(['https://a.example']);
    });

    test('has statistics of the requested days', async () => {
      await change(anna, publish('a'));
      const stats = await ben.stats(3, undefined);
      expect(stats.days).toHaveLength(3);
      expect(stats.total).toEqual({ impressions: 0, clicks: 0, dismissals: 0, clickThrough: null });
      expect((await ben.stats(1, 'a')).announcements).toEqual([]);
    });

    test('reads everything in the order in which it was written', async () => {
      for (const id of ['a', 'b', 'c']) await change(anna, publish(id, { alongside: true }));
      const { history } = await anna.read();
      expect(history.announcements.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
      expect(history.changes.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    });
  });
}
