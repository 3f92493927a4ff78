import { afterAll, describe, expect, it } from 'vitest';
import type * as answers from '../../../src/contract/answer-types.ts';
import type * as wireStatistics from '../../../src/contract/answer-types.ts';
import type { Rules } from '../../../src/contract/session-setup.ts';
import { modeNames, modes, modeTypes } from '../../../src/typing/modes/mode.ts';
import { startTestServer } from '../../support/test-server.ts';
import { createTypingClient, flawless } from '../../support/typing-client.ts';

const server = await startTestServer();
const client = createTypingClient(server.port);
afterAll(() => server.close());

async function createSession(body: object): Promise<string> {
  const created = await client.call<{ session_id: string }>('POST', '/sessions', body);
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  return created.body.session_id;
}

describe('the lists', () => {
  it('have every language with its letters and counts', async () => {
    const { languages } = (await client.call<answers.LanguageList>('GET', '/languages')).body;
    expect(languages.length).toBeGreaterThanOrEqual(20);
    expect(languages[0]).toMatchObject({ id: 'en', name: 'English', alphabet: 'abcdefghijklmnopqrstuvwxyz' });
    for (const { words } of languages) expect(words).toBeGreaterThanOrEqual(1000);
  });
});

it.each([
  ['language', { language: 'tlh' }, /^language must be one of .*"en"|^language must be "/],
  ['layout', { layout: 'none' }, /^layout must be one of \d+ ids, such as "qwerty"/],
  ['code', { mode: { type: 'code', language: 'malbolge' } }, /^mode\.language must be .*"typescript"/],
])('an unknown id is refused with the known ones: %s', async (_, body, error) => {
  expect(await client.call('POST', '/sessions', body)).toEqual({
    status: 400,
    body: { code: 'INVALID_REQUEST', error: expect.stringMatching(error) },
  });
});

describe('rounds', () => {
  /** Types a whole round, and gives its words and historical statistics. */
  async function play(body: object, ms = 90): Promise<{ round: answers.Round; id: string }> {
    const id = await createSession(body);
    const round = await client.startRound(id);
    for (let at = 0; at < flawless(round.words, ms).length; at += 500)
      await client.input(id, flawless(round.words, ms).slice(at, at + 500));
    return { round, id };
  }

  it.each<readonly [mode: { readonly type: string; readonly [name: string]: unknown }, language: string]>([
    // A timed test ends otherwise, see below.
    ...modeTypes.filter((type) => type !== 'time').map((type) => [modes[type].example, 'en'] as const),
    [{ type: 'words', count: 10 }, 'en'],
    [{ type: 'words', count: 200 }, 'de'],
    [{ type: 'words', count: 30 }, 'ru'],
    [{ type: 'quote', length: 'long' }, 'fr'],
    [{ type: 'code', language: 'python' }, 'en'],
    [{ type: 'drill', on: 'letters' }, 'en'],
    [{ type: 'drill', on: 'words' }, 'es'],
    [{ type: 'guided' }, 'el'],
    [{ type: 'guided', target_wpm: 60 }, 'en'],
    [{ type: 'words', count: 20, numbers: true }, 'en'],
    [{ type: 'drill', on: 'letters', targets: ['b', 'j'] }, 'en'],
    [{ type: 'text', text: 'Zwei Zeilen\n  über 👍 alles\n' }, 'de'],
  ])('of %j in %s are typed to their end and counted under their mode', async (mode, language) => {
    const { round, id } = await play({ mode, language, layout: 'dvorak' });
    const { text: _, ...answered } = mode as { text?: string };
    expect(round).toMatchObject({ mode: answered, language, layout: 'dvorak' });
    expect(await client.timing(id, 60_000)).toEqual({ success: true });
    const statistics = await client.sessionStatistics(id);
    const isDrill = mode.type === 'drill';
    expect(statistics).toMatchObject({
      accuracy: 100,
      counts: !isDrill,
      counts_reason: isDrill ? 'drill' : null,
    });
    const numbers = 'numbers' in mode ? '-numbers' : '';
    const ofCode = 'language' in mode ? `-${mode.language}` : '';
    const name = 'count' in mode ? `words-${mode.count}${numbers}` : `${mode.type}${ofCode}`;
    const history = await client.call<wireStatistics.HistoricalStatistics>(
      'GET',
      `/sessions/${id}/stats/historical?mode=${name}&language=${language}&layout=dvorak`,
    );
    if (!isDrill && language === 'el')
      expect(Object.keys(history.body.letter_accuracy).length).toBeGreaterThan(3);
    expect(isDrill ? history.body.rounds_not_counted : history.body.total_sessions).toBeGreaterThan(0);
  });

  it('repeat the same text on request, with its lines and indentation, but not before the first', async () => {
    const mode = { type: 'code', language: 'python' };
    const id = await createSession({ mode });
    const again = (body: object) => client.call<answers.Round>('POST', `/sessions/${id}/round`, body);
    expect(await again({ repeat: true })).toMatchObject({ status: 400, body: { code: 'ROUND_NOT_STARTED' } });
    const { round_id: first, ...text } = (await again({})).body;
    await client.input(id, flawless(text.words).slice(0, 5));
    const { round_id: second, ...repeated } = (await again({ repeat: true })).body;
    expect(repeated).toEqual(text);
    expect(second).not.toBe(first);
    expect((await client.state(id)).current_word_idx).toBe(0);
    expect((await again({ repeat: 'yes' })).status).toBe(400);
    expect((await again({ repeat: false })).status).toBe(200);
  });

  it('of a list of words have only those, and the list is not sent back', async () => {
    const list = [...'abcdefghij'].map((letter) => `${letter}${letter}`);
    const { words, mode } = await client.startRound(await createSession({ mode: { type: 'words', list } }));
    expect(mode).toEqual({ type: 'words', count: 30 });
    expect(words.filter((word) => !list.includes(word))).toEqual([]);
  });

  it('of code and custom texts say where lines end, and accept a line feed there', async () => {
    const id = await createSession({ mode: { type: 'text', text: 'one two\n\n    three' } });
    const { words, line_ends } = await client.startRound(id);
    expect([words, line_ends]).toEqual([
      ['one', 'two', 'three'],
      [1, 2],
    ]);
    for (const char of 'one') await client.keystroke(id, { char });
    expect(await client.space(id, { char: '\n' })).toMatchObject({ advanced: true });
    expect((await client.call('POST', `/sessions/${id}/space`, { char: '\t' })).status).toBe(400);
    expect((await client.state(id)).line_ends).toEqual([1, 2]);
  });

  it('of a timed test end with their timing, in the middle of a word', async () => {
    const id = await createSession({ mode: { type: 'time', seconds: 10 } });
    const { words } = await client.startRound(id);
    expect(words).toHaveLength(50);
    const typed = flawless(words).slice(0, 23);
    await client.input(id, typed);
    const late = await client.call<answers.ErrorBody>('POST', `/sessions/${id}/timing`, {
      start_time_unix_ms: 0,
      end_time_unix_ms: 13_000,
      duration_ms: 13_000,
    });
    expect([late.status, late.body.error]).toEqual([
      400,
      'duration_ms must be within 2 seconds of the 10 seconds of this round.',
    ]);
    await client.timing(id, 10_400);
    const characters = typed.filter(({ type }) => type === 'keystroke').length;
    expect(await client.sessionStatistics(id)).toMatchObject({ total_chars: characters, counts: true });
    const after = await client.call<answers.ErrorBody>('POST', `/sessions/${id}/keystroke`, { char: 'a' });
    expect(after.body.code).toBe('ROUND_NOT_STARTED');
    await client.save(id);
    const history = await client.history(id);
    const presented = Object.values(history.letter_accuracy).reduce((sum, each) => sum + each.presented, 0);
    expect([history.total_sessions, presented]).toEqual([1, characters]);
  });

  it('accept only inputs for themselves, if these say which round they are for', async () => {
    const id = await createSession({});
    const first = await client.startRound(id);
    const second = await client.startRound(id);
    expect(second.round_id).not.toBe(first.round_id);
    const input = { char: (second.words[0] as string).charAt(0), seq: 1 };
    const refused = await client.call<answers.ErrorBody>('POST', `/sessions/${id}/keystroke`, {
      ...input,
      round_id: first.round_id,
    });
    expect([refused.status, refused.body.code]).toEqual([409, 'ROUND_CHANGED']);
    expect(await client.state(id)).toMatchObject({ current_input: '', round_id: second.round_id });
    expect(await client.keystroke(id, { ...input, round_id: second.round_id })).toMatchObject({
      is_correct: true,
    });
  });
});

describe('historical statistics', () => {
  it('are of the letters of the language, on the fingers of the layout', async () => {
    const id = await createSession({
      mode: { type: 'text', text: 'où été' },
      language: 'fr',
      layout: 'azerty',
    });
    const { words } = await client.startRound(id);
    await client.input(id, flawless(words));
    await client.timing(id, 30_000);
    const query = '?language=fr&layout=azerty';
    const { body } = await client.call<wireStatistics.HistoricalStatistics>(
      'GET',
      `/sessions/${id}/stats/historical${query}`,
    );
    expect(Object.keys(body.letter_accuracy).sort()).toEqual(['o', 't', 'ù', 'é'].sort());
    expect(body.bigrams).toMatchObject({ ét: { count: 1 }, où: { count: 1 }, té: { count: 1 } });
    const { layouts } = (await client.call<answers.LayoutList>('GET', '/layouts')).body;
    const fingers = layouts.find((layout) => layout.id === 'azerty')?.fingers ?? {};
    const expected = new Set(['o', 'ù', 'é', 't'].flatMap((letter) => fingers[letter] ?? []).map(String));
    expect(new Set(Object.keys(body.finger_stats))).toEqual(expected);
  });

  it('cover the session’s own mode by default, and any other on request', async () => {
    const one = await startTestServer();
    const player = createTypingClient(one.port);
    const playIn = async (body: object) => {
      const { session_id: id } = (await player.call<{ session_id: string }>('POST', '/sessions', body)).body;
      const { words } = await player.startRound(id);
      await player.input(id, flawless(words));
      await player.timing(id, 60_000);
      return id;
    };
    await playIn({});
    await playIn({ language: 'de', layout: 'qwertz' });
    const id = await playIn({ mode: { type: 'words', count: 20 } });
    const total = async (query: string) =>
      (
        await player.call<wireStatistics.HistoricalStatistics>(
          'GET',
          `/sessions/${id}/stats/historical${query}`,
        )
      ).body.total_sessions;
    expect(await total('')).toBe(1);
    expect(await total('?mode=words-30')).toBe(2);
    expect(await total('?mode=all')).toBe(3);
    expect(await total('?mode=all&language=de')).toBe(1);
    expect(await total('?mode=all&layout=qwerty&language=')).toBe(2);
    const wrong = await player.call<answers.ErrorBody>('GET', `/sessions/${id}/stats/historical?mode=sprint`);
    expect([wrong.status, wrong.body.error]).toEqual([
      400,
      `mode must be ${modeNames.slice(0, -1).join(', ')} or all.`,
    ]);
    await one.close();
  });
});

const documented: Rules = { early_space: 'error', stop_on: 'none', backspace: 'free' };

describe('the rules of a session', () => {
  it.each([
    ['none', {}, {}],
    ['one', { rules: { early_space: 'skip' } }, { early_space: 'skip' }],
    [
      'all',
      { rules: { early_space: 'skip', stop_on: 'word', backspace: 'none' } },
      { early_space: 'skip', stop_on: 'word', backspace: 'none' },
    ],
  ])('are the requested ones, with defaults for the others: %s', async (_, body, expected) => {
    const id = await createSession(body);
    expect((await client.startRound(id)).rules).toEqual({ ...documented, ...expected });
    expect((await client.state(id)).rules).toEqual({ ...documented, ...expected });
  });
});
