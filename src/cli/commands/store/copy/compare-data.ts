import { contentNames, type StoredSession } from '../../../../server/stores/ports.ts';
import type { PulseCount } from '../../../../server/stores/pulse-tally.ts';
import { toSessionText } from '../../../../server/stores/session-events/session-text.ts';
import { nameOf } from '../sides/copy-counts.ts';
import type { DataSide, FolderSide, RoundBatch, StoreSide } from '../sides/data-side.ts';
import type { UnreadData } from '../sides/unread-data.ts';

export interface Difference {
  /** Such as `history.json`, `session …`, `round …` or `counter …`. */
  readonly what: string;
  readonly how: 'only in the folder' | 'only in the store' | 'different' | 'damaged in the store';
}

/**
 * Everything that is not the same in both, in the order content, sessions, rounds, counters; but for what the folder has of
 * players who have had their data deleted since, and rounds that are too old to be copied.
 */
export async function compareData(folder: FolderSide, store: StoreSide): Promise<Difference[]> {
  const sessions = await withoutForgotten(await folder.sessions(), store);
  const rounds = await toRounds(folder, async (batch) => (await store.sift(batch)).rounds);
  return [
    ...(await compareContent(folder, store)),
    ...compareMaps('session', toSessions(sessions), toSessions(await store.sessions())),
    ...compareMaps('round', rounds, await toRounds(store)),
    ...compareMaps('counter', toNamed(await folder.counts.read()), toNamed(await store.counts.read())),
  ];
}

/** Names what could not be read, instead of calling it missing. */
export function withUnread(differences: readonly Difference[], unread: readonly UnreadData[]): Difference[] {
  const names = new Set(unread.map(({ what }) => what));
  const damaged = [...names].map((what) => ({ what, how: 'damaged in the store' }) as const);
  return [...damaged, ...differences.filter(({ what }) => !names.has(what))];
}

/** Of the texts of the content: announcements, allow-list and editors. */
export async function compareContent(folder: DataSide, store: DataSide): Promise<Difference[]> {
  const textsOf = async ({ content }: DataSide) => {
    const texts = new Map<string, string>();
    for (const name of contentNames) {
      const text = (await content.read(name))?.text;
      if (text !== undefined) texts.set(name, text);
    }
    return texts;
  };
  return compareMaps('', await textsOf(folder), await textsOf(store));
}

function toSessions(sessions: readonly StoredSession[]): Map<string, string> {
  return new Map(
    sessions.map(({ session }) => {
      const { header, inputs } = toSessionText(session);
      return [session.id, `${header}\n${inputs}`];
    }),
  );
}

async function withoutForgotten(
  sessions: readonly StoredSession[],
  store: StoreSide,
): Promise<StoredSession[]> {
  const remaining: StoredSession[] = [];
  for (const stored of sessions) if (!(await store.isForgotten(stored))) remaining.push(stored);
  return remaining;
}

async function toRounds(
  side: DataSide,
  sift: (batch: RoundBatch) => Promise<RoundBatch['rounds']> = async ({ rounds }) => rounds,
): Promise<Map<string, string>> {
  const lines = new Map<string, string>();
  for await (const batch of side.rounds()) for (const { id, line } of await sift(batch)) lines.set(id, line);
  return lines;
}

function toNamed(counts: readonly PulseCount[]): Map<string, string> {
  return new Map(counts.map((count) => [nameOf(count), String(count.count)]));
}

function compareMaps(
  noun: string,
  folder: ReadonlyMap<string, string>,
  store: ReadonlyMap<string, string>,
): Difference[] {
  const names = [...new Set([...folder.keys(), ...store.keys()])];
  return names.flatMap((name): Difference[] => {
    const what = `${noun} ${name}`.trim();
    if (!store.has(name)) return [{ what, how: 'only in the folder' }];
    if (!folder.has(name)) return [{ what, how: 'only in the store' }];
    return folder.get(name) === store.get(name) ? [] : [{ what, how: 'different' }];
  });
}
