import { afterAll, describe, expect, it } from 'vitest';
import type { Rules } from '../../../src/contract/session-setup.ts';
import { startTestServer } from '../../support/test-server.ts';
import { createTypingClient } from '../../support/typing-client.ts';

const server = await startTestServer();
const client = createTypingClient(server.port);
afterAll(() => server.close());

const documented: Rules = { early_space: 'error', stop_on: 'none', backspace: 'free' };

async function createSession(body: object): Promise<string> {
  const created = await client.call<{ session_id: string }>('POST', '/sessions', body);
  expect(created.status).toBe(201);
  return created.body.session_id;
}

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

  it('decide what a space in a word does', async () => {
    const id = await createSession({ rules: { early_space: 'skip' } });
    const { words } = await client.startRound(id);
    const [first = ''] = words;
    await client.keystroke(id, { char: first.charAt(0), seek_time_ms: 100 });
    expect(await client.space(id)).toEqual({
      advanced: true,
      round_complete: false,
      treated_as_error: false,
    });
    const statistics = await client.sessionStatistics(id);
    expect(statistics).toMatchObject({
      omitted_chars: first.length - 1,
      total_chars: 1,
      counts: true,
      counts_reason: null,
    });
  });

  it.each([
    ['early_space', 'ignore', 'rules.early_space must be "error" or "skip".'],
    ['stop_on', 'sentence', 'rules.stop_on must be "none", "letter" or "word".'],
    ['backspace', true, 'rules.backspace must be "free", "word" or "none".'],
  ])('of an unknown value are refused: %s', async (rule, value, error) => {
    const answer = await client.call('POST', '/sessions', { rules: { [rule]: value } });
    expect(answer).toEqual({ status: 400, body: { code: 'INVALID_REQUEST', error } });
  });

  it('that are not an object are refused', async () => {
    for (const rules of ['strict', 7, null]) {
      expect((await client.call('POST', '/sessions', { rules })).status).toBe(400);
    }
  });
});
