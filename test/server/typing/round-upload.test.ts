import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import type * as answers from '../../../src/contract/answer-types.ts';
import type * as statistics from '../../../src/contract/answer-types.ts';
import { startTestServer } from '../../support/test-server.ts';
import { createTypingClient, flawless } from '../../support/typing-client.ts';

const server = await startTestServer();
const client = createTypingClient(server.port);
afterAll(() => server.close());

const words = ['typed', 'on', 'a', 'train'];
const upload = (changed: object = {}) => ({
  id: randomUUID(),
  words,
  mode: { type: 'text', title: 'a book' },
  language: 'en',
  layout: 'colemak',
  rules: { early_space: 'skip' },
  events: flawless(words),
  start_time_unix_ms: 1_700_000_000_000,
  end_time_unix_ms: 1_700_000_012_000,
  duration_ms: 12_000,
  ...changed,
});
const post = (body: object) => client.call<answers.ErrorBody & { id: string }>('POST', '/rounds', body);
const total = async () => {
  const id = await client.createSession();
  const query = '?mode=all&layout=colemak';
  return (
    await client.call<statistics.HistoricalStatistics>('GET', `/sessions/${id}/stats/historical${query}`)
  ).body.total_sessions;
};

describe('a round typed elsewhere', () => {
  it('is replayed by the rules, saved, and counted once however often it is sent', async () => {
    const before = await total();
    const round = upload();
    expect(await post(round)).toEqual({ status: 201, body: { id: round.id } });
    for (let time = 0; time < 2; time++)
      expect(await post(round)).toEqual({ status: 200, body: { id: round.id } });
    expect(await total()).toBe(before + 1);
    const { rounds } = (await client.call<statistics.RoundList>('GET', '/rounds?limit=1')).body;
    expect(rounds[0]).toMatchObject({
      id: round.id,
      mode: 'text',
      layout: 'colemak',
      accuracy: 100,
      counts: true,
    });
    expect(rounds[0]?.standard_wpm).toBeCloseTo((15 / 5 / 12) * 60, 9);
  });

  it('is the same round if its id comes in capitals, and lists continue after it', async () => {
    const round = upload();
    const capitals = { ...round, id: round.id.toUpperCase() };
    expect(await post(capitals)).toEqual({ status: 201, body: { id: round.id } });
    expect(await post(round)).toEqual({ status: 200, body: { id: round.id } });
    expect((await client.call('GET', `/rounds?limit=1&after=${round.id}`)).status).toBe(200);
  });

  it.each([
    [
      'half a surrogate pair as a key',
      { words: ['a\ud83d'], events: [{ type: 'keystroke', char: '\ud83d' }, { type: 'space' }] },
      'events[0].char must be exactly one visible character (spaces have an endpoint of their own).',
    ],
    ['an id that is no UUID', { id: '../../rounds' }, 'id must be a UUID.'],
    [
      'events that do not end it',
      { events: flawless(words).slice(0, -1) },
      'The round is not complete: its timing comes after its last word and the space after it.',
    ],
    [
      'events after its end',
      { events: [...flawless(words), { type: 'backspace' }] },
      'events[17]: The round is complete: start the next one. Nothing was applied.',
    ],
    [
      'more events than it may have',
      { events: Array(20_001).fill({ type: 'backspace' }) },
      'events must have at most 20000 events.',
    ],
    ['a word with white space', { words: ['a b'] }, 'words[0] must be a word without white space.'],
    [
      'an end before its start',
      { end_time_unix_ms: 1 },
      'end_time_unix_ms must not be before start_time_unix_ms.',
    ],
  ])('with %s is refused and leaves no trace', async (_, changed, error) => {
    const before = await total();
    const { status, body } = await post(upload(changed));
    expect([status, body.error]).toEqual([400, error]);
    expect(await total()).toBe(before);
  });
});
