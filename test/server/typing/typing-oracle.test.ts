import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type {
  GameState,
  HistoricalStatistics,
  InputResult,
  LanguageList,
  LayoutList,
  RoundList,
  SessionCreated,
} from '../../../src/contract/answer-types.ts';
import type { InputEvent } from '../../../src/contract/request-types.ts';
import type { Rules } from '../../../src/contract/session-setup.ts';
import { factor } from '../../fuzz/amount.ts';
import { startTestServer } from '../../support/test-server.ts';
import { createTypingClient, type TypingClient } from '../../support/typing-client.ts';
import { expectClose } from '../../typing/close-to.ts';
import {
  documentedRules,
  naiveHistory,
  naiveSession,
  naiveState,
  type RawEvent,
  type RawKind,
  type RawRound,
  transcribe,
} from '../../typing/naive-statistics.ts';
import { anyRules, tapes, typeRandomly, typeUnderRules } from '../../typing/random-typist.ts';

/** How a client sends the keys of a round. */
type Manner = 'single' | 'numbered' | 'batch' | 'numbered batch';
const manners = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom<Manner>('single', 'numbered') },
  { weight: 6, arbitrary: fc.constantFrom<Manner>('batch', 'numbered batch') },
);

/** What becomes of a round: most are finished, some broken off, left without their timing, or sent whole from elsewhere. */
const ends = [
  'finish',
  'finish',
  'finish',
  'finish',
  'finish',
  'finish',
  'finish',
  'break off',
  'leave untimed',
  'upload',
] as const;

type ModeRequest = GameState['mode'] & { readonly text?: string };
const modes: readonly { readonly mode: ModeRequest; readonly name: string }[] = [
  { mode: { type: 'words', count: 10 }, name: 'words-10' },
  { mode: { type: 'time', seconds: 5 }, name: 'time-5' },
  {
    mode: { type: 'text', text: "The first line,\n  It isn't long.\nЁлка, Straße", title: 'ours' },
    name: 'text',
  },
  {
    mode: {
      type: 'text',
      text: 'e\u0301te\u0301 👍🏽 a👩‍👩‍👧b 𐐨𐐩 नमस्ते\nq\u0301a 🇩🇪🇫🇷 שלום 漢字',
      title: 'characters of several units',
    },
    name: 'text',
  },
  { mode: { type: 'code', language: 'python' }, name: 'code-python' },
  { mode: { type: 'quote', length: 'short' }, name: 'quote' },
  { mode: { type: 'drill', on: 'bigrams' }, name: 'drill' },
  { mode: { type: 'guided' }, name: 'guided' },
];
const languages = ['en', 'de', 'ru', 'fr'] as const;
const layouts = ['qwerty', 'dvorak', 'colemak', 'bepo', 'azerty', 'neo'] as const;
/** Half of the sessions are those of a client of the documents, for whom thirty words and the rules are as they were. */
const documentedSetup = {
  mode: { type: 'words', count: 30 } satisfies ModeRequest as ModeRequest,
  name: 'words-30',
  language: 'en' as (typeof languages)[number],
  layout: 'qwerty' as (typeof layouts)[number],
  rules: documentedRules,
};
const setups = fc.oneof(
  fc.constant(documentedSetup),
  fc
    .record({
      mode: fc.constantFrom(...modes),
      language: fc.constantFrom(...languages),
      layout: fc.constantFrom(...layouts),
      rules: anyRules,
    })
    .map(({ mode: { mode, name }, ...rest }) => ({ ...rest, mode, name })),
);
type Setup = typeof documentedSetup;

/** What a session is asked for, and what the round is told to be by then. */
interface Played {
  readonly id: string;
  readonly setup: Setup;
  readonly kind: RawKind;
}

const roundPlans = fc.record({
  tape: tapes,
  manner: manners,
  end: fc.constantFrom(...ends),
  duration: fc.integer({ min: 1, max: 600_000 }),
  saves: fc.boolean(),
  stops: fc.nat(200),
});
const sessionPlans = fc.record({
  setup: setups,
  punctuation: fc.boolean(),
  isDeleted: fc.boolean(),
  rounds: fc.array(roundPlans, { minLength: 6, maxLength: 10, size: 'max' }),
});
type RoundPlan = typeof roundPlans extends fc.Arbitrary<infer T> ? T : never;
type SessionPlan = typeof sessionPlans extends fc.Arbitrary<infer T> ? T : never;

it('every figure of at least 300 random rounds equals an independent, naive computation from the raw keys', async () => {
  const wanted = 300 * factor;
  let finished = 0;
  const scenarios = fc.array(sessionPlans, { minLength: 3, maxLength: 5, size: 'max' });
  await fc.assert(
    fc.asyncProperty(scenarios, async (plans) => {
      if (finished < wanted) finished += await playScenario(plans);
    }),
    { numRuns: 20 * factor },
  );
  expect(finished).toBeGreaterThanOrEqual(wanted);
}, 300_000);

/** Plays several sessions on a server of their own, restarts it in the end, and resolves to the number of finished rounds. */
async function playScenario(plans: readonly SessionPlan[]): Promise<number> {
  const data = await mkdtemp(join(tmpdir(), 'typebadge-oracle-'));
  const server = await startTestServer({ data });
  const history: RawRound[] = [];
  try {
    const client = createTypingClient(server.port);
    const players = await Promise.all(
      plans.map(async (plan) => ({ plan, played: await createSession(client, plan) })),
    );
    // All sessions take turns, so that their rounds mix in the one history.
    for (let turn = 0; turn < 10; turn++) {
      for (const { plan, played } of players) {
        const round = plan.rounds[turn];
        if (round !== undefined) await playOne(client, played, plan.punctuation, round, history);
      }
    }
    for (const { plan, played } of players) {
      const own = history.filter(({ kind }) => kind?.modeName === played.kind.modeName);
      expectClose(await client.history(played.id), naiveHistory(own));
      if (played === players[0]?.played) await expectFiltered(client, played, history);
      if (plan.isDeleted) await client.deleteSession(played.id);
    }
  } finally {
    await server.close();
  }
  await expectHistoryAfterRestart(data, history);
  await rm(data, { recursive: true, force: true });
  return history.length;
}

async function expectHistoryAfterRestart(data: string, history: readonly RawRound[]): Promise<void> {
  const server = await startTestServer({ data });
  try {
    const client = createTypingClient(server.port);
    const id = await client.createSession();
    const body = await historyOf(client, id, '?mode=all');
    expectClose(body, naiveHistory(history));
  } finally {
    await server.close();
  }
}

type Lists = LayoutList & LanguageList;
/** The same on every server; read once, since a server has to open all its word lists to describe them. */
let lists: Lists | undefined;

async function readLists(client: TypingClient): Promise<Lists> {
  const { layouts } = (await client.call<LayoutList>('GET', '/layouts')).body;
  const { languages } = (await client.call<LanguageList>('GET', '/languages')).body;
  return { layouts, languages };
}

async function createSession(client: TypingClient, { setup, punctuation }: SessionPlan): Promise<Played> {
  const { mode, name: modeName, language, layout: layoutId, rules } = setup;
  // A client of the documents says nothing of what it does not know.
  const body = setup === documentedSetup ? {} : { mode, language, layout: layoutId, rules };
  const created = await client.call<SessionCreated>('POST', '/sessions', {
    punctuation_mode: punctuation,
    ...body,
  });
  const { text: _, ...told } = mode;
  lists ??= await readLists(client);
  const { layouts, languages } = lists;
  const layout = layouts.find(({ id }) => id === layoutId);
  const known = languages.find(({ id }) => id === language);
  if (layout === undefined || known === undefined) throw new Error('an id of the lists is missing');
  const kind = { mode: told, modeName, language, alphabet: known.alphabet, layout };
  return { id: created.body.session_id, setup, kind };
}

async function historyOf(client: TypingClient, id: string, query: string): Promise<HistoricalStatistics> {
  const answer = await client.call<HistoricalStatistics>('GET', `/sessions/${id}/stats/historical${query}`);
  expect(answer.status).toBe(200);
  return answer.body;
}

/** What each filter leaves. */
async function expectFiltered(
  client: TypingClient,
  { id, kind: { modeName, language, layout } }: Played,
  history: readonly RawRound[],
): Promise<void> {
  const isOf = (mode?: string, own?: string, layoutId?: string) =>
    history.filter(
      ({ kind }) =>
        (mode === undefined || kind?.modeName === mode) &&
        (own === undefined || kind?.language === own) &&
        (layoutId === undefined || kind?.layout.id === layoutId),
    );
  const filters: [query: string, rounds: readonly RawRound[]][] = [
    ['?mode=all', history],
    [`?mode=all&language=${language}`, isOf(undefined, language)],
    [`?mode=all&layout=${layout.id}`, isOf(undefined, undefined, layout.id)],
    [`?mode=${modeName}&language=${language}&layout=${layout.id}`, isOf(modeName, language, layout.id)],
    ['?mode=words-30&language=de', isOf('words-30', 'de')],
  ];
  for (const [query, rounds] of filters) {
    expectClose(await historyOf(client, id, query), naiveHistory(rounds));
  }
}

function typeRound(words: readonly string[], rules: Rules, tape: readonly number[]): RawEvent[] {
  return rules === documentedRules ? typeRandomly(words, tape) : typeUnderRules(words, rules, tape);
}

async function playOne(
  client: TypingClient,
  { id, setup: { rules }, kind }: Played,
  punctuation: boolean,
  plan: RoundPlan,
  history: RawRound[],
): Promise<void> {
  const { words } = await client.startRound(id);
  const whole: RawRound = { words, punctuation, rules, kind, events: typeRound(words, rules, plan.tape) };
  const stop = Math.min(plan.stops, whole.events.length);
  if (plan.end === 'upload') {
    await uploadOne(client, whole, plan, history);
    return;
  }
  const part: RawRound = { ...whole, events: whole.events.slice(0, stop) };

  const first = await sendAll(client, id, plan.manner, part.events, 0);
  expect(first).toEqual(transcribe(part).results);
  const { last_seq, round_id: _round, line_ends: _ends, ...state } = await client.state(id);
  expectClose(state, naiveState(part));
  expect(last_seq).toBe(plan.manner.startsWith('numbered') ? stop : 0);
  expectClose(await client.sessionStatistics(id), naiveSession(part, history));
  if (plan.end === 'break off') return;

  const rest = await sendAll(client, id, plan.manner, whole.events.slice(stop), stop);
  expect([...first, ...rest]).toEqual(transcribe(whole).results);
  expectClose(await client.sessionStatistics(id), naiveSession(whole, history));
  // Where a rule stops on a wrong word and forbids to take anything back, no end may come.
  if (plan.end === 'leave untimed' || isStuck(whole)) return;

  const timed = { ...whole, duration_ms: durationOf(whole, plan) };
  await client.timing(id, timed.duration_ms);
  expectClose(await client.sessionStatistics(id), naiveSession(timed, history));
  const { last_seq: _, round_id: __, line_ends: ___, ...finalState } = await client.state(id);
  expectClose(finalState, naiveState(timed));
  history.push(timed);
  if (plan.saves) await client.save(id);
}

/** Where a rule stops on a wrong word and forbids to take anything back, no end may come. */
function isStuck(round: RawRound): boolean {
  return transcribe(round).word < round.words.length && round.kind?.mode.type !== 'time';
}

function durationOf({ kind }: RawRound, { duration }: RoundPlan): number {
  return kind?.mode.type === 'time' ? 3000 + (duration % 4001) : duration;
}

/** The round as a whole, typed elsewhere: the server comes to the same numbers, in the list of rounds too. */
async function uploadOne(
  client: TypingClient,
  whole: RawRound,
  plan: RoundPlan,
  history: RawRound[],
): Promise<void> {
  if (isStuck(whole) || whole.kind === undefined) return;
  const timed = { ...whole, duration_ms: durationOf(whole, plan) };
  const { mode, language, layout, modeName } = whole.kind;
  const upload = {
    id: toUuid(history.length),
    words: whole.words,
    mode,
    language,
    layout: layout.id,
    rules: whole.rules,
    punctuation_mode: whole.punctuation,
    events: whole.events,
    start_time_unix_ms: 1_700_000_000_000,
    end_time_unix_ms: 1_700_000_000_000 + timed.duration_ms,
    duration_ms: timed.duration_ms,
  };
  expect(await client.call('POST', '/rounds', upload)).toEqual({ status: 201, body: { id: upload.id } });
  expect((await client.call('POST', '/rounds', upload)).status).toBe(200);
  const { rounds } = (await client.call<RoundList>('GET', '/rounds?limit=1000')).body;
  const { completed_at: _, ...summary } = rounds.find(({ id }) => id === upload.id) ?? {};
  const { is_new_best_wpm, is_new_best_accuracy, is_new_best_time, ...statistics } = naiveSession(timed, []);
  const kind = { id: upload.id, mode: modeName, language, layout: layout.id };
  expectClose(summary, { ...kind, ...statistics });
  history.push(timed);
}

function toUuid(number: number): string {
  const hash = createHash('sha256').update(String(number)).digest('hex');
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `4${hash.slice(13, 16)}`,
    `8${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ].join('-');
}

async function sendAll(
  client: TypingClient,
  id: string,
  manner: Manner,
  events: readonly RawEvent[],
  sent: number,
): Promise<InputResult[]> {
  const numbered = manner.startsWith('numbered')
    ? events.map((event, at) => ({ ...event, seq: sent + at + 1 }))
    : events;
  if (numbered.length === 0) return [];
  const results: InputResult[] = [];
  if (manner.endsWith('batch')) {
    for (let at = 0; at < numbered.length; at += 500) {
      results.push(...(await client.input(id, numbered.slice(at, at + 500) as InputEvent[])));
    }
    return results;
  }
  for (const { type, ...body } of numbered) results.push(await sendOne(client, id, type, body));
  return results;
}

function sendOne(
  client: TypingClient,
  id: string,
  type: RawEvent['type'],
  body: Omit<RawEvent, 'type'> & { readonly seq?: number },
): Promise<InputResult> {
  const { char = '', ...rest } = body;
  if (type === 'keystroke') return client.keystroke(id, { ...rest, char });
  return type === 'space' ? client.space(id, rest) : client.backspace(id, rest);
}
