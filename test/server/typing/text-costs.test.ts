import { randomUUID } from 'node:crypto';
import { afterEach, expect, it, vi } from 'vitest';
import type { Rate } from '../../../src/server/settings/config.ts';
import { parseTrustProxy } from '../../../src/server/settings/config-parsers.ts';
import type { Answer } from '../../support/http-client.ts';
import { createPlayerClient } from '../../support/player-client.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';

let server: TestServer;
afterEach(async () => {
  vi.restoreAllMocks();
  await server.close();
});

/** Of a server that strangers can reach; with a rate so low that nothing comes back while a test runs. */
async function open(apiLimit: Rate) {
  server = await startTestServer({ trustProxy: parseTrustProxy('127.0.0.1'), apiLimit });
  return createPlayerClient(() => server.port, { address: '203.0.113.1', key: 'k'.repeat(24) });
}
const left = ({ headers }: Answer) => Number(/r=(\d+)/.exec(String(headers.ratelimit))?.[1]);

/** One character of two units makes a list of a whole word. */
const longWord = `x\u0303${'\u0416'.repeat(9_990)}`;
const upload = (changed: object) => ({
  id: randomUUID(),
  mode: { type: 'time', seconds: 5 },
  start_time_unix_ms: 1_700_000_000_000,
  end_time_unix_ms: 1_700_000_005_000,
  duration_ms: 5_000,
  ...changed,
});
const typed = (char: string) => [{ type: 'keystroke', char, seek_time_ms: 100 }, { type: 'space' }];

it('a text costs a token for every 1,000 characters or part of them, when it is sent and for each round', async () => {
  const player = await open({ rate: 0.001, burst: 100 });
  const created = await player.ask('POST', '/sessions', { mode: { type: 'text', text: longWord } });
  expect([created.status, left(created)]).toEqual([201, 90]);
  const { session_id: id } = created.json as { session_id: string };
  const rounds = [
    await player.ask('POST', `/sessions/${id}/round`),
    await player.ask('POST', `/sessions/${id}/round`),
  ];
  expect(rounds.map(left)).toEqual([80, 70]);
  expect(rounds.map(({ json }) => (json as { words: string[] }).words)).toEqual([
    [longWord.normalize('NFC')],
    [longWord.normalize('NFC')],
  ]);
  expect(left(await player.ask('POST', '/sessions', { mode: { type: 'text', text: 'a short one' } }))).toBe(
    69,
  );
  const bad = await player.ask('POST', '/sessions', {
    mode: { type: 'text', text: '\u200b'.repeat(10_000) },
  });
  expect([bad.status, left(bad)]).toEqual([400, 59]);
});

it('a round of a timed test costs a token for every 200 words or part of them, and one of words never more than one', async () => {
  const player = await open({ rate: 0.001, burst: 100 });
  const costs: unknown[] = [];
  for (const mode of [
    undefined,
    { type: 'words', count: 30 },
    { type: 'words', count: 200 },
    { type: 'time', seconds: 15 },
    { type: 'time', seconds: 60 },
    { type: 'time', seconds: 600 },
    { type: 'drill', on: 'letters' },
    { type: 'drill', on: 'words', text: 'hello '.repeat(300) },
    { type: 'code', language: 'typescript' },
  ]) {
    const created = await player.ask('POST', '/sessions', mode && { mode });
    const { session_id: id } = created.json as { session_id: string };
    const started = await player.ask('POST', `/sessions/${id}/round`);
    costs.push([mode?.type, started.status, left(created) - left(started)]);
  }
  expect(costs).toEqual([
    [undefined, 200, 1],
    ['words', 200, 1],
    ['words', 200, 1],
    ['time', 200, 1],
    ['time', 200, 2],
    ['time', 200, 15],
    ['drill', 200, 1],
    ['drill', 200, 2],
    ['code', 200, 1],
  ]);
});

it('a timed test that costs more than is left is refused, and the current round continues', async () => {
  const player = await open({ rate: 0.001, burst: 20 });
  const created = await player.ask('POST', '/sessions', { mode: { type: 'time', seconds: 600 } });
  const { session_id: id } = created.json as { session_id: string };
  const first = await player.ask('POST', `/sessions/${id}/round`);
  const second = await player.ask('POST', `/sessions/${id}/round`);
  expect([first.status, left(first)]).toEqual([200, 4]);
  expect([second.status, (second.json as { code: string }).code]).toEqual([429, 'RATE_LIMITED']);
  const state = await player.ask('GET', `/sessions/${id}/state`);
  expect((state.json as { round_id: string }).round_id).toBe((first.json as { round_id: string }).round_id);
});

it('the second round of a text has the words, line ends and indents of the first', async () => {
  const player = await open({ rate: 1_000, burst: 1_000 });
  const text = 'a line\n\n  x\u0303Ж indented\n\tand one more';
  const { json } = await player.ask('POST', '/sessions', { mode: { type: 'text', text } });
  const { session_id: id } = json as { session_id: string };
  const [{ round_id: _, ...first }, { round_id: __, ...second }] = [
    (await player.ask('POST', `/sessions/${id}/round`)).json as { round_id: string; indents: number[] },
    (await player.ask('POST', `/sessions/${id}/round`)).json as { round_id: string; indents: number[] },
  ];
  expect(first.indents).toEqual([0, 2, 4]);
  expect(second).toEqual(first);
});

it('a round with skipped words costs by its words, when it is sent and when it is listed', async () => {
  const player = await open({ rate: 0.001, burst: 60 });
  const words = Array.from({ length: 4 }, () => longWord);
  const events = words.flatMap(() => typed('x'));
  const added = await player.ask(
    'POST',
    '/rounds',
    upload({ words, events, rules: { early_space: 'skip' } }),
  );
  expect(added.status).toBe(201);
  const before = left(added);
  const next = await player.ask('GET', '/health');
  // 40,000 characters: twenty tokens, which the next request finds gone.
  expect([next.status, before - left(next)]).toEqual([200, 1 + 19]);
  const listed = await player.ask('GET', '/rounds?limit=1');
  expect([listed.status, (listed.json as { rounds: unknown[] }).rounds.length]).toEqual([200, 1]);
  await player.ask('GET', '/rounds?limit=1');
  const refused = await player.ask('GET', '/rounds?limit=1');
  expect([refused.status, Number(refused.headers['retry-after']) > 1]).toEqual([429, true]);
});

it('a round with more characters than anybody types in ten minutes is refused', async () => {
  const player = await open({ rate: 1_000, burst: 1_000 });
  const words = [...Array.from({ length: 4 }, () => longWord), 'x'.repeat(100)];
  const refused = await player.ask('POST', '/rounds', upload({ words, events: typed('x') }));
  expect([refused.status, (refused.json as { error: string }).error]).toEqual([
    400,
    'words must have at most 40000 characters together.',
  ]);
});

/** A word of each pair of letters, typed right or with the second letter first. */
function pairsOf(isRight: boolean) {
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  const words = letters.flatMap((a) => letters.map((b) => a + b));
  const keys = words.flatMap((word) => [...(isRight ? word : `${word[1]}${word[1]}`), ' ']);
  return upload({
    words,
    events: keys.map((key) =>
      key === ' '
        ? { type: 'space', seek_time_ms: 200 }
        : { type: 'keystroke', char: key, seek_time_ms: 200 },
    ),
    mode: { type: 'text' },
    duration_ms: 600_000,
  });
}

it('statistics and drills cost a token for every 1,000 entries of the history that they read', async () => {
  const player = await open({ rate: 0.001, burst: 2_000 });
  for (const isRight of [true, false])
    expect((await player.ask('POST', '/rounds', pairsOf(isRight))).status).toBe(201);
  const costs: unknown[] = [];
  for (const [mode, ask, path] of [
    [{ type: 'words' }, 'GET', '/stats/historical'],
    [{ type: 'words' }, 'GET', '/stats/historical?mode=text'],
    [{ type: 'words' }, 'GET', '/stats/historical?mode=all'],
    [{ type: 'words' }, 'GET', '/stats/historical?mode=all&language=de'],
    [{ type: 'words' }, 'POST', '/round'],
    [{ type: 'drill', on: 'letters' }, 'POST', '/round'],
    [{ type: 'drill', on: 'bigrams' }, 'POST', '/round'],
    [{ type: 'drill', on: 'words' }, 'POST', '/round'],
    [{ type: 'drill', on: 'bigrams', text: 'my own' }, 'POST', '/round'],
  ] as const) {
    const created = await player.ask('POST', '/sessions', { mode });
    const { session_id: id } = created.json as { session_id: string };
    const answer = await player.ask(ask, `/sessions/${id}${path}`);
    costs.push([mode.type, path, answer.status, left(created) - left(answer)]);
  }
  // 676 pairs and 650 errors, 200 words, and 26 letters twice.
  expect(costs).toEqual([
    ['words', '/stats/historical', 200, 1],
    ['words', '/stats/historical?mode=text', 200, 2],
    ['words', '/stats/historical?mode=all', 200, 2],
    ['words', '/stats/historical?mode=all&language=de', 200, 1],
    ['words', '/round', 200, 1],
    ['drill', '/round', 200, 1],
    ['drill', '/round', 200, 2],
    ['drill', '/round', 200, 2],
    ['drill', '/round', 200, 1],
  ]);
});

it('more marks than a key can type are refused before they are sorted', async () => {
  const player = await open({ rate: 1_000, burst: 1_000 });
  const normalize = vi.spyOn(String.prototype, 'normalize');
  const marks = `${'\u0301'.repeat(4_900)}${'\u0323'.repeat(4_900)}`;
  const text = `one a${marks}`;
  const refused = [
    await player.ask('POST', '/sessions', { mode: { type: 'text', text } }),
    await player.ask('POST', '/sessions', { mode: { type: 'drill', on: 'words', text } }),
    await player.ask(
      'POST',
      '/rounds',
      upload({
        words: ['one', `a${marks}`, `b${marks}`],
        events: [...typed('o'), ...typed('a'), ...typed('b')],
        rules: { early_space: 'skip' },
      }),
    ),
    await player.ask('POST', '/rounds', upload({ words: ['a'], events: typed(`a${marks}`) })),
  ];
  expect(refused.map(({ status, json }) => [status, (json as { error: string }).error])).toEqual([
    [400, 'mode.text holds a character in its word 2 that no key types.'],
    [400, 'mode.text holds a character in its word 2 that no key types.'],
    [400, 'words[1] holds a character that no key types.'],
    [400, 'events[0].char must be one character, but is longer.'],
  ]);
  expect(normalize.mock.contexts.filter((each) => String(each).includes(marks))).toEqual([]);
});

it('of many simultaneous lists only those that are paid for are made', async () => {
  const player = await open({ rate: 0.001, burst: 60 });
  const words = Array.from({ length: 4 }, () => longWord);
  const events = words.flatMap(() => typed('x'));
  await player.ask('POST', '/rounds', upload({ words, events, rules: { early_space: 'skip' } }));
  const answers = await Promise.all(Array.from({ length: 20 }, () => player.ask('GET', '/rounds?limit=1')));
  const made = answers.filter(({ status }) => status === 200).length;
  expect(made).toBeGreaterThanOrEqual(1);
  expect(made).toBeLessThan(4);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]));
});

it('a round of 5,000 keys is accepted from a client that waits as long as it should', async () => {
  const player = await open({ rate: 100, burst: 200 });
  const words = Array(840).fill('hello');
  const events = words.flatMap(() => [
    ...[...'hello'].map((char) => ({ type: 'keystroke', char, seek_time_ms: 119 })),
    { type: 'space', seek_time_ms: 119 },
  ]);
  const round = upload({
    words,
    events,
    mode: { type: 'time', seconds: 600 },
    end_time_unix_ms: 1_700_000_600_000,
    duration_ms: 600_000,
  });
  const statuses: number[] = [];
  for (let attempt = 0; attempt < 10; attempt += 1) {
    const answer = await player.ask('POST', '/rounds', round);
    statuses.push(answer.status);
    if (answer.status !== 429) break;
    await new Promise((resolve) => setTimeout(resolve, Number(answer.headers['retry-after']) * 1000));
  }
  expect(statuses.at(-1)).toBe(201);
  expect(statuses.length).toBeLessThan(4);
});

it('a code mode without a language is refused, for a session as for a round typed elsewhere', async () => {
  const player = await open({ rate: 1_000, burst: 1_000 });
  const mode = { type: 'code', language: '' };
  const expected = 'mode.language must be the name of a programming language, such as "typescript".';
  const created = await player.ask('POST', '/sessions', { mode });
  expect([created.status, (created.json as { error: string }).error]).toEqual([400, expected]);
  const added = await player.ask('POST', '/rounds', upload({ words: ['a'], events: typed('a'), mode }));
  expect([added.status, (added.json as { error: string }).error]).toEqual([400, expected]);
});
