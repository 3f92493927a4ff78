import { afterEach, expect, it } from 'vitest';
import { createMemorySessions } from '../../../../src/server/stores/memory/memory-sessions.ts';
import { askingLocally } from '../../../../src/server/stores/player.ts';
import { type Rounds, SessionMemoryError } from '../../../../src/server/stores/ports.ts';
import { startedBytes, storedBytes } from '../../../../src/server/stores/redis/sessions/stored-size.ts';
import { newSession, type Session } from '../../../../src/server/stores/session.ts';
import { toHeaderText } from '../../../../src/server/stores/session-events/session-text.ts';
import { sessionBytes, startBytes } from '../../../../src/server/stores/session-size.ts';
import { openLibrary } from '../../../../src/server/typing/library/library.ts';
import { createGame } from '../../../../src/server/typing/typing-service.ts';
import type { Mode } from '../../../../src/typing/modes/mode.ts';
import { defaultPractice, type Practice } from '../../../../src/typing/modes/practice.ts';
import { toRoundText } from '../../../../src/typing/modes/round-text.ts';
import { toTextSize } from '../../../../src/typing/modes/words.ts';
import { newRound } from '../../../../src/typing/round.ts';
import { newHistory } from '../../../../src/typing/statistics/history.ts';

const library = openLibrary();
let drawn = 0;
afterEach(() => {
  drawn = 0;
});

/** Rounds of nobody: each is kept at once, and none is ever read. */
const rounds: Rounds = {
  history: () => newHistory(),
  unread: () => 0,
  note: () => undefined,
  keep: async () => undefined,
  list: async () => undefined,
  forget: async () => undefined,
};

/** A game that counts how often somebody asks for what a text is made of. */
function openGame(memory: number) {
  const sessions = createMemorySessions({ ttl: 60_000, limit: 100, memory });
  const counting = {
    ...library,
    materialOf: (...args: Parameters<typeof library.materialOf>) => {
      drawn += 1;
      return library.materialOf(...args);
    },
  };
  const stores = { sessions, rounds, addressKey: '' };
  return { sessions, game: createGame({ stores, seed: 7, clock: () => 1_700_000_000_000 }, counting) };
}

const timed: Practice = { ...defaultPractice, mode: { type: 'time', seconds: 600 }, punctuation: true };
/** Room for one round of ten minutes and for several sessions without a round. */
const room = 2.5e6;

it('a round without room is refused before its words are drawn', async () => {
  const { game, sessions } = openGame(room);
  const ids: string[] = [];
  for (let at = 0; at < 2; at += 1) {
    const created = await game.createSession(askingLocally, timed);
    ids.push('id' in created ? created.id : '');
  }
  expect((await game.startRound(askingLocally, ids[0] as string))?.round.words).toHaveLength(3000);
  expect(drawn).toBe(1);
  for (let again = 0; again < 3; again += 1) {
    await expect(game.startRound(askingLocally, ids[1] as string)).rejects.toThrow(SessionMemoryError);
  }
  expect(drawn).toBe(1);
  expect(sessions.peek(ids[1] as string)?.session).toMatchObject({ round: null, roundCount: 0 });
  // The first has its room already: its next round takes the place of the one before.
  expect((await game.startRound(askingLocally, ids[0] as string))?.round.words).toHaveLength(3000);
  await game.deleteSession(askingLocally, ids[0] as string);
  expect((await game.startRound(askingLocally, ids[1] as string))?.round.words).toHaveLength(3000);
});

it('finished rounds that take up the room of the next one are saved, and its words are drawn once', async () => {
  const { game, sessions } = openGame(room);
  // Without punctuation marks, little more is drawn than is known before.
  const practice = { ...timed, punctuation: false };
  const created = await game.createSession(askingLocally, practice);
  const id = 'id' in created ? created.id : '';
  const keep = (whose: string, length: number) =>
    sessions.update(whose, (session) => ({
      session: { ...session, unsaved: [{ id: `round of ${whose}`, line: 'x'.repeat(length) }] },
      result: true,
    }));
  sessions.create(newSession('other', defaultPractice, 0));
  keep('other', 10);
  const own = () => sessionBytes(sessions.peek(id)?.session as Session);
  const next = startBytes({ practice, unsaved: [] }, toTextSize(practice.mode)) + 20_000;
  keep('other', Math.floor((room - next - sessions.bytes() + own()) / 2));
  keep(id, 40_000);
  expect((await game.startRound(askingLocally, id))?.round.words).toHaveLength(3000);
  expect(drawn).toBe(1);
  expect(sessions.peek(id)?.session.unsaved).toEqual([]);
});

const modes: Mode[] = [
  ...[10, 11, 30, 31, 44, 59, 199, 200].map((count) => ({ type: 'words', count }) as const),
  ...[5, 15, 61, 600].map((seconds) => ({ type: 'time', seconds }) as const),
  { type: 'text', text: 'x' },
  { type: 'quote', length: 'any' },
  { type: 'code', language: 'go' },
  { type: 'drill', on: 'letters' },
  { type: 'guided' },
];

it.each(library.languages().map(({ id }) => id))(
  'the size estimated before a round is drawn is never more than it takes, in %s',
  (language) => {
    for (const mode of modes) {
      for (const punctuation of [false, true]) {
        const practice: Practice = { ...defaultPractice, mode, language, punctuation };
        const material = library.materialOf(practice, 3 + modes.indexOf(mode), newHistory());
        const { words, lineEnds } = toRoundText(practice, material);
        const session = { ...newSession('s', practice, 0), round: newRound('r', words, practice, lineEnds) };
        const least = startBytes(session, toTextSize(mode));
        expect(least, JSON.stringify(practice.mode)).toBeLessThanOrEqual(sessionBytes(session));
        const sizes = { headerBytes: Buffer.byteLength(toHeaderText(session)), inputBytes: 0 };
        const leastInStore = startedBytes(session, toTextSize(mode));
        expect(leastInStore).toBeLessThanOrEqual(storedBytes({ session, ...sizes }));
        if (mode.type === 'time') expect(least).toBeGreaterThan(0.6 * sessionBytes(session));
      }
    }
  },
);
