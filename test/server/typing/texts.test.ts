import { randomUUID } from 'node:crypto';
import { afterEach, expect, it, vi } from 'vitest';
import { parseTrustProxy, type Rate } from '../../../src/server/settings/config-parsers.ts';
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

it('a round with more characters than anybody types in ten minutes is refused', async () => {
  const player = await open({ rate: 1_000, burst: 1_000 });
  const words = [...Array.from({ length: 4 }, () => longWord), 'x'.repeat(100)];
  const refused = await player.ask('POST', '/rounds', upload({ words, events: typed('x') }));
  expect([refused.status, (refused.json as { error: string }).error]).toEqual([
    400,
    'words must have at most 40000 characters together.',
  ]);
});

it('more combining marks than a key can type are refused before they are sorted', async () => {
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
