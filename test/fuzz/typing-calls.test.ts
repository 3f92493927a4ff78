import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newInput } from '../../src/typing/round-input.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';
import { createTypingClient, type TypingClient } from '../support/typing-client.ts';
import { factor, seed } from './amount.ts';

let data: string;
let server: TestServer;
let client: TypingClient;
beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'typebadge-calls-'));
  await start();
});
afterAll(async () => {
  await server.close();
  await rm(data, { recursive: true, force: true });
});

async function start(): Promise<void> {
  server = await startTestServer({ data });
  client = createTypingClient(server.port, '/api/v1');
}

/** The little that must be true of a session whatever was called before, kept in the plainest way. */
interface Model {
  readonly id: string;
  words: readonly string[];
  /** The word typed at; -1 before the first round. */
  word: number;
  typed: string[];
  timerStarted: boolean;
  lastSeq: number;
  timed: string;
}

const wrong = fc.oneof(fc.jsonValue(), fc.constantFrom(-1, 1.5, '', '  ', 'ab', null, [], {}));
const seqs = fc.constantFrom('none', 'next', 'next', 'again', 'gap');
const calls = fc.oneof(
  { weight: 8, arbitrary: fc.record({ call: fc.constant('word'), at: fc.nat(7) }) },
  { weight: 8, arbitrary: fc.record({ call: fc.constant('key'), seq: seqs, right: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ call: fc.constantFrom('space', 'backspace'), seq: seqs }) },
  { weight: 2, arbitrary: fc.record({ call: fc.constantFrom('finish', 'timing', 'save', 'statistics') }) },
  { weight: 1, arbitrary: fc.record({ call: fc.constantFrom('round', 'restart', 'delete') }) },
  {
    weight: 3,
    arbitrary: fc.record({
      call: fc.constant('wrong'),
      name: fc.constantFrom('keystroke', 'space', 'backspace', 'input', 'timing'),
      value: wrong,
    }),
  },
);
type Call = {
  readonly call: string;
  readonly seq?: string;
  readonly right?: boolean;
  readonly name?: string;
  readonly value?: unknown;
};

test('after any calls in any order a session matches a simple model, even after restarts; refused calls change nothing', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(calls, { minLength: 15, maxLength: 60, size: 'max' }), async (plan) => {
      const model: Model = {
        id: await client.createSession(),
        words: [],
        word: -1,
        typed: [],
        timerStarted: false,
        lastSeq: 0,
        timed: '',
      };
      for (const step of plan) {
        if ((await play(model, step)) === 'gone') return;
        await expectState(model, step);
      }
      await client.deleteSession(model.id);
    }),
    { numRuns: 10 * factor, seed },
  );
});

async function expectState(model: Model, step: Call): Promise<void> {
  const { status, body } = await client.call<Record<string, unknown>>('GET', `/sessions/${model.id}/state`);
  if (model.word < 0) return expect([status, body.code]).toEqual([400, 'ROUND_NOT_STARTED']);
  expect({ ...body, live_wpm: 0 }, JSON.stringify(step)).toMatchObject({
    current_word_idx: model.word,
    current_input: model.typed.join(''),
    timer_started: model.timerStarted,
    last_seq: model.lastSeq,
    current_word: model.words[model.word] ?? '',
  });
}

async function play(model: Model, step: Call): Promise<'gone' | undefined> {
  const path = `/sessions/${model.id}`;
  const post = (name: string, body?: unknown) =>
    client.call<Record<string, unknown>>('POST', `${path}/${name}`, body);
  switch (step.call) {
    case 'round':
      Object.assign(model, {
        words: (await client.startRound(model.id)).words,
        word: 0,
        typed: [],
        timerStarted: false,
        lastSeq: 0,
        timed: '',
      });
      return undefined;
    case 'restart':
      await server.close();
      await start();
      return undefined;
    case 'delete':
      await client.deleteSession(model.id);
      expect((await post('space')).body.code).toBe('SESSION_NOT_FOUND');
      return 'gone';
    case 'wrong': {
      // Nothing of this kind can be right for an endpoint that asks for something; the others have nothing to refuse.
      const { status, body } = await post(step.name ?? '', {
        char: step.value,
        seq: -1,
        events: step.value,
        duration_ms: 0,
      });
      expect([status, typeof body.error, body.code]).toEqual([400, 'string', 'INVALID_REQUEST']);
      return undefined;
    }
    case 'save':
      expect((await post('save')).body).toEqual({ success: true });
      return undefined;
    case 'statistics': {
      const { status } = await client.call('GET', `${path}/stats/session`);
      expect(status).toBe(model.word < 0 ? 400 : 200);
      expect((await client.history(model.id)).total_sessions).toBeGreaterThanOrEqual(
        model.timed === '' ? 0 : 1,
      );
      return undefined;
    }
    case 'timing': {
      const { status, body } = await post('timing', {
        start_time_unix_ms: 1,
        end_time_unix_ms: 9,
        duration_ms: 9,
      });
      const isOver = model.word === model.words.length;
      expect([status, body.code ?? body.success]).toEqual(
        model.word < 0 ? [400, 'ROUND_NOT_STARTED'] : isOver ? [200, true] : [400, 'INVALID_REQUEST'],
      );
      if (isOver && model.word > 0) model.timed = 'yes';
      return undefined;
    }
    case 'word':
      return typeRest(model, 1);
    case 'finish':
      return typeRest(model, 40);
    default:
      return press(model, step);
  }
}

/** What is left of a word or of all words, right and in one batch. */
async function typeRest(model: Model, most: number): Promise<undefined> {
  if (model.word < 0 || model.word >= model.words.length) return;
  const rest = model.words.slice(model.word, model.word + most);
  const first = (rest[0] as string).slice(model.typed.length);
  const keys = [...`${[first, ...rest.slice(1)].join(' ')} `].map((key) => newInput(key));
  const started = model.timerStarted || (model.word === 0 && model.typed.length === 0) || first === '';
  await client.input(
    model.id,
    keys.map(({ key }) => (key === ' ' ? { type: 'space' } : { type: 'keystroke', char: key })),
  );
  model.timerStarted = model.timerStarted || (started && first !== '');
  model.word += rest.length;
  model.typed = [];
}

async function press(model: Model, { call, seq = 'none', right = false }: Call): Promise<undefined> {
  const number = {
    none: undefined,
    next: model.lastSeq + 1,
    again: Math.max(1, model.lastSeq),
    gap: model.lastSeq + 7,
  }[seq];
  const word = model.words[model.word] ?? '';
  const char = right ? (word[model.typed.length] ?? 'x') : '9';
  const { status, body } = await client.call<Record<string, unknown>>(
    'POST',
    `/sessions/${model.id}/${call === 'key' ? 'keystroke' : call}`,
    {
      ...(call === 'key' ? { char } : {}),
      ...(number === undefined ? {} : { seq: number }),
    },
  );
  expect(status).toBeLessThan(500);
  const isOpen = model.word >= 0 && model.word < model.words.length;
  const isRepeated = seq === 'again' && model.lastSeq > 0;
  if (model.word < 0) return expect(body.code).toBe('ROUND_NOT_STARTED') as undefined;
  if (isRepeated) return; // the first answer again, or a refusal: nothing changes either way
  if (!isOpen) return expect(body.code).toBe('ROUND_NOT_STARTED') as undefined;
  if (seq === 'gap') return expect(body.code).toBe('INVALID_REQUEST') as undefined;
  if (call === 'key' && model.typed.length >= word.length + 32) return expect(status).toBe(400) as undefined;
  expect(status).toBe(200);
  if (number !== undefined) model.lastSeq = number;
  if (call === 'backspace') model.typed.pop();
  else if (call === 'key') {
    model.timerStarted ||= model.word === 0 && model.typed.length === 0 && char === word[0];
    model.typed.push(char);
  } else if (model.typed.length >= word.length) {
    model.word += 1;
    model.typed = [];
  } else if (model.typed.length > 0 || model.timerStarted) model.typed.push(' ');
}
