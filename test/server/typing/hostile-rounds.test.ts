import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type * as answers from '../../../src/contract/answer-types.ts';
import type * as statistics from '../../../src/contract/answer-types.ts';
import type * as requests from '../../../src/contract/request-types.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';
import { createTypingClient, type TypingClient } from '../../support/typing-client.ts';
import { expectClose } from '../../typing/close-to.ts';
import {
  documentedRules,
  naiveHistory,
  naiveSession,
  naiveState,
  type RawEvent,
  type RawRound,
  transcribe,
} from '../../typing/naive-statistics.ts';

/** Characters of each text. 10,000 is the longest text there is, which takes the oracle many seconds: choose one by `-t`. */
const length = Number(process.env.HOSTILE_CHARACTERS ?? 150);

let server: TestServer;
let client: TypingClient;
let lists: answers.LanguageList & answers.LayoutList;
beforeAll(async () => {
  server = await startTestServer();
  client = createTypingClient(server.port);
  const [languages, layouts] = [
    await client.call<answers.LanguageList>('GET', '/languages'),
    await client.call<answers.LayoutList>('GET', '/layouts'),
  ];
  lists = { ...languages.body, ...layouts.body };
});
afterAll(() => server.close());

const filled = (piece: string) => piece.repeat(Math.floor(length / piece.length));

/** Texts of every script, and the language and layout that they are typed in. */
const texts: [name: string, text: string, language: string, layout: string][] = [
  ['Latin, one word', filled('a'), 'en', 'qwerty'],
  ['capitals and marks', filled('Naïve — "Straße", ÉTÉ! '), 'de', 'neo'],
  ['accents as marks of their own', filled('e\u0301te\u0301 a\u0308 ').normalize('NFD'), 'fr', 'bepo'],
  ['marks that join with no letter', filled('q\u0301z\u0327\u0301 '), 'en', 'dvorak'],
  ['Cyrillic', filled('Ёлка и слово '), 'ru', 'qwerty'],
  ['Greek', filled('ΛΌΓΟΣ λόγος '), 'el', 'qwerty'],
  ['Turkish, dotted and not', filled('İstanbul ılık IŞIK '), 'tr', 'qwerty'],
  ['Arabic, right to left', filled('كَلِمَة عربية '), 'en', 'qwerty'],
  ['Hebrew with points', filled('שָׁלוֹם עולם '), 'en', 'qwerty'],
  ['Devanagari', filled('हिन्दी नमस्ते '), 'en', 'qwerty'],
  ['Thai, without spaces', filled('คำที่'), 'en', 'qwerty'],
  ['Chinese outside the first plane', filled('漢字𠮷野 '), 'en', 'qwerty'],
  ['Korean as single letters', filled('한국어 ').normalize('NFD'), 'en', 'qwerty'],
  ['families of emoji', filled('👩‍👩‍👧👍🏽 '), 'en', 'qwerty'],
  ['flags', filled('🇩🇪🇫🇷 '), 'en', 'qwerty'],
  ['letters of mathematics', filled('𝒜𝒷 𝔽𝔾 '), 'en', 'colemak'],
  ['markup and names of JavaScript', filled('<b>&amp;</b> __proto__ constructor \\" '), 'en', 'qwerty'],
  ['every kind of line end', filled('a b\r\nc\rd\u2028e\u2029f\n\n\t g '), 'en', 'qwerty'],
];

/** What a client takes for one character. */
const ways: Record<string, (word: string) => string[]> = {
  'by what people see': (word) => [...new Intl.Segmenter('en').segment(word)].map(({ segment }) => segment),
  'by what people see, taken apart': (word) =>
    [...new Intl.Segmenter('en').segment(word)].map(({ segment }) => segment.normalize('NFD')),
  'by code points': (word) => [...word],
};

/** No key types these; a client finds out by a 400. */
const isTyped = (char: string) => !/^[\p{Cf}\p{Cc}\p{Cs}\s]*$/u.test(char) && char.length <= 32;

/** The keys of somebody who slips now and then, and takes back every second slip. */
function typeTo(words: readonly string[], toCharacters: (word: string) => string[], ms: number): RawEvent[] {
  const events: RawEvent[] = [];
  const times = ms === 0 ? {} : { seek_time_ms: ms };
  let typed = 0;
  for (const word of words) {
    const own = ways['by what people see']?.(word).length ?? 0;
    let place = 0;
    const press = (char: string) => {
      // At most 32 characters fit past the end of a word.
      if (place >= own + 32) return;
      events.push({ type: 'keystroke', char, ...times });
      place += 1;
    };
    for (const char of toCharacters(word).filter(isTyped)) {
      typed += 1;
      if (typed % 13 === 0) press(typed % 2 === 0 ? 'e' : 'й');
      if (typed % 26 === 0 && place > 0) {
        events.push({ type: 'backspace' });
        place -= 1;
      }
      press(char);
    }
    // Words that a client takes for shorter than they are.
    while (place < own) press('x');
    events.push({ type: 'space', ...times });
  }
  return events;
}

const toInput = (event: RawEvent, at: number) => ({ ...event, seq: at + 1 }) as requests.InputEvent;

async function sendAll(id: string, events: readonly RawEvent[]): Promise<answers.InputResult[]> {
  const results: answers.InputResult[] = [];
  for (let at = 0; at < events.length; at += 200) {
    results.push(
      ...(await client.input(
        id,
        events.slice(at, at + 200).map((event, by) => toInput(event, at + by)),
      )),
    );
  }
  return results;
}

interface Setup {
  readonly mode: Readonly<Record<string, unknown>>;
  readonly modeName: string;
  readonly language?: string;
  readonly layout?: string;
}

/** Plays a round of this mode, and holds whatever the API says of it against a second computation. */
async function expectRightRound(
  { mode, modeName, language = 'en', layout = 'qwerty' }: Setup,
  toCharacters: (word: string) => string[],
  ms: number,
): Promise<RawRound> {
  const created = await client.call<answers.SessionCreated & answers.ErrorBody>('POST', '/sessions', {
    mode,
    language,
    layout,
  });
  expect(created.status, created.body.error).toBe(201);
  const id = created.body.session_id;
  const { words, mode: told } = await client.startRound(id);
  const known = lists.languages.find((each) => each.id === language);
  const keyboard = lists.layouts.find((each) => each.id === layout);
  if (known === undefined || keyboard === undefined) throw new Error(`${language} or ${layout} is missing`);
  const kind = { mode: told, modeName, language, alphabet: known.alphabet, layout: keyboard };
  const all = typeTo(words, toCharacters, ms);
  // Nobody types all words of a timed test.
  const events = mode.type === 'time' ? all.slice(0, 60) : all;
  const raw: RawRound = { words, punctuation: false, rules: documentedRules, kind, events };
  const timed = { ...raw, duration_ms: mode.type === 'time' ? 5000 : 250 * events.length };
  // The oracle takes long for long texts, and a connection is not kept open for ever: all requests come first.
  const results = await sendAll(id, events);
  const { round_id: _, line_ends: __, ...state } = await client.state(id);
  await client.timing(id, timed.duration_ms);
  const session = await client.sessionStatistics(id);
  const query = `?mode=${modeName}&language=${language}&layout=${layout}`;
  const history = await client.call('GET', `/sessions/${id}/stats/historical${query}`);
  expect((await client.call('DELETE', '/player')).status).toBe(204);

  expect(results).toEqual(transcribe(raw).results);
  expectClose(state, { ...naiveState(raw), last_seq: events.length });
  expectClose(session, naiveSession(timed, []));
  expectClose(history.body, naiveHistory([timed]));
  return timed;
}

describe.each(Object.entries(ways))(
  'a round typed %s has the same figures as an independent computation',
  (_, toCharacters) => {
    it.each(texts)('%s', async (__, text, language, layout) => {
      const setup = { mode: { type: 'text', text }, modeName: 'text', language, layout };
      await expectRightRound(setup, toCharacters, 180);
    });

    it('a drill of such a text', async () => {
      const text = texts.map(([, each]) => [...each].slice(0, 30).join('')).join('\n');
      await expectRightRound(
        { mode: { type: 'drill', on: 'words', text }, modeName: 'drill' },
        toCharacters,
        180,
      );
    });

    it('quotes and code', async () => {
      for (const language of lists.languages.filter(({ quotes }) => quotes > 0)) {
        const setup = { mode: { type: 'quote', length: 'any' }, modeName: 'quote', language: language.id };
        await expectRightRound(setup, toCharacters, 180);
      }
      for (const language of ['typescript', 'python', 'rust']) {
        const setup = { mode: { type: 'code', language }, modeName: `code-${language}` };
        await expectRightRound(setup, toCharacters, 180);
      }
    });
  },
);

it('a round typed elsewhere, of words that no key types, has the same figures as an independent computation', async () => {
  const words = [
    '\ud83d',
    '\udc4d\ud83d',
    '\0',
    'a\u200bb',
    'a\u202eb',
    '__proto__',
    // One more of them is refused.
    `a${'\u0301'.repeat(31)}`,
  ];
  const events = typeTo(words, (word) => [...word], 180);
  const raw: RawRound = { words, punctuation: false, rules: documentedRules, events, duration_ms: 20_000 };
  const upload = {
    id: '11111111-1111-4111-8111-111111111111',
    words,
    events,
    start_time_unix_ms: 1_700_000_000_000,
    end_time_unix_ms: 1_700_000_020_000,
    duration_ms: 20_000,
  };
  expect(await client.call('POST', '/rounds', upload)).toEqual({ status: 201, body: { id: upload.id } });
  const { body } = await client.call<statistics.RoundList>('GET', '/rounds');
  const naive = naiveSession(raw, []);
  expect(body.rounds).toHaveLength(1);
  for (const [name, value] of Object.entries(body.rounds[0] ?? {})) {
    if (name in naive) expectClose(value, naive[name as keyof typeof naive], name);
  }
  expect((await client.call('DELETE', '/player')).status).toBe(204);
});

it.each([
  ['words', { type: 'words', count: 10 }, 'words-10'],
  ['time', { type: 'time', seconds: 5 }, 'time-5'],
  ['text', { type: 'text', text: 'a text of my own' }, 'text'],
  ['quote', { type: 'quote', length: 'short' }, 'quote'],
  ['code', { type: 'code', language: 'python' }, 'code-python'],
  ['guided', { type: 'guided' }, 'guided'],
])('a round without seek times counts: %s', async (_, mode, modeName) => {
  const raw = await expectRightRound({ mode, modeName }, (word) => [...word], 0);
  expect(naiveSession(raw, [])).toMatchObject({ counts: true, counts_reason: null, measured_share: 0 });
});
