import { afterAll, describe, expect, it } from 'vitest';
import type { ErrorBody, Round } from '../../../src/contract/answer-types.ts';
import { send } from '../../support/http-client.ts';
import { startTestServer } from '../../support/test-server.ts';
import { createTypingClient, flawless, playRound, sessionOperations } from '../../support/typing-client.ts';

const server = await startTestServer();
const client = createTypingClient(server.port);
afterAll(() => server.close());

const unknownId = '0'.repeat(32);
const timing = { start_time_unix_ms: 1, end_time_unix_ms: 2, duration_ms: 1 };
const key = { type: 'keystroke', char: 'a' };

describe('sessions', () => {
  it('are created with an unguessable id, listed, and gone once deleted', async () => {
    const created = await client.call('POST', '/sessions', {});
    expect(created).toEqual({ status: 201, body: { session_id: expect.stringMatching(/^[0-9a-f]{32}$/) } });
    const id = (created.body as { session_id: string }).session_id;
    const [session] = (await client.sessions()).filter((each) => each.id === id);
    expect(session).toEqual({ id, created_at: expect.any(String), last_used: expect.any(String) });
    for (const time of [session?.created_at, session?.last_used]) {
      expect(new Date(time as string).toISOString()).toBe(time);
    }
    expect(await client.call('DELETE', `/sessions/${id}`)).toEqual({ status: 204, body: undefined });
    expect((await client.sessions()).map((each) => each.id)).not.toContain(id);
    expect((await client.call('DELETE', `/sessions/${id}`)).status).toBe(404);
  });

  it('accept an empty body, an empty object and unknown fields, and have no punctuation by default', async () => {
    for (const body of [undefined, {}, { other: [1], punctuation_mode: false }]) {
      const created = await client.call<{ session_id: string }>('POST', '/sessions', body);
      await client.startRound(created.body.session_id);
      expect((await client.state(created.body.session_id)).punctuation_mode).toBe(false);
    }
  });

  it('are counted by health', async () => {
    const health = () => client.call('GET', '/health');
    const before = ((await health()).body as { active_sessions: number }).active_sessions;
    await client.createSession();
    expect(await health()).toEqual({ status: 200, body: { status: 'healthy', active_sessions: before + 1 } });
  });
});

describe('a round', () => {
  it('has 30 words and 150 letters, and starting another one abandons it without a trace', async () => {
    const id = await client.createSession();
    const first = await client.startRound(id);
    expect(first).toMatchObject({ words: expect.any(Array), total_words: 30, total_characters: 150 });
    expect(first.words.join('')).toHaveLength(150);
    await client.input(id, flawless(first.words).slice(0, 50));
    const second = await client.startRound(id);
    expect(second.words).not.toEqual(first.words);
    expect(await client.state(id)).toMatchObject({ words: second.words, current_word_idx: 0, last_seq: 0 });
    expect((await client.history(id)).total_sessions).toBe(0);
  });

  it('consists of sentences in punctuation mode, and counts their marks', async () => {
    const id = await client.createSession(true);
    const round = await client.startRound(id);
    expect(round.words.join('').replace(/[^A-Za-z]/g, '')).toHaveLength(150);
    expect(round.words.join('')).toHaveLength(round.total_characters);
    expect(round.words[0]).toMatch(/^"?[A-Z]/);
    expect(round.words.at(-1)).toMatch(/[.!?]$/);
    expect((await client.state(id)).punctuation_mode).toBe(true);
  });

  it('is typed to its end key by key, and counts once however often its timing is sent', async () => {
    const id = await client.createSession();
    const { words } = await client.startRound(id);
    for (const event of flawless(words, 100).slice(0, -1)) {
      if (event.type === 'keystroke') expect((await client.keystroke(id, event)).is_correct).toBe(true);
      else if (event.type === 'space') expect((await client.space(id, event)).advanced).toBe(true);
    }
    expect(await client.space(id)).toEqual({ advanced: true, round_complete: true, treated_as_error: false });
    const before = (await client.history(id)).total_sessions;
    for (let sent = 0; sent < 3; sent++) expect(await client.timing(id, 30_000)).toEqual({ success: true });
    expect(await client.sessionStatistics(id)).toMatchObject({
      wpm: 60,
      accuracy: 100,
      time_seconds: 30,
      correct_chars: 150,
      total_chars: 150,
    });
    expect((await client.history(id)).total_sessions).toBe(before + 1);
    expect(await refusal('POST', `/sessions/${id}/timing`, timing)).toMatchObject({
      status: 400,
      code: 'INVALID_REQUEST',
    });
  });
});

describe('a batch', () => {
  it('applies nothing if one event is refused, and says which', async () => {
    const id = await client.createSession();
    await client.startRound(id);
    const before = await client.state(id);
    const events = [
      { ...key, seq: 1 },
      { type: 'backspace', seq: 2 },
      { ...key, seq: 4 },
    ];
    expect(await refusal('POST', `/sessions/${id}/input`, { events })).toEqual({
      status: 400,
      code: 'INVALID_REQUEST',
      error: 'events[2]: seq leaves a gap: 3 is expected next. Nothing was applied.',
    });
    expect(await client.state(id)).toEqual(before);
  });
});

describe('finished rounds', () => {
  it('stay in the history if their session is deleted unsaved', async () => {
    const other = await client.createSession();
    const id = await client.createSession();
    await playRound(client, id);
    const before = await client.history(other);
    await client.deleteSession(id);
    expect(await client.history(other)).toEqual(before);
  });
});

describe('every answer', () => {
  it('has its version, and must not be cached', async () => {
    const paths = [
      '/api/health',
      '/api/v1/sessions',
      '/api/openapi.json',
      `/api/sessions/${unknownId}/state`,
      '/api/nothing',
    ];
    for (const path of paths) {
      const { headers } = await send(server.port, { path });
      expect(headers, path).toMatchObject({
        'api-version': 'v1',
        'cache-control': 'no-store',
        'content-type': 'application/json',
        vary: 'Origin',
      });
    }
  });

  it('is the same below /api/v1', async () => {
    const versioned = createTypingClient(server.port, '/api/v1');
    const id = await versioned.createSession();
    await playRound(versioned, id);
    expect(await versioned.state(id)).toEqual(await client.state(id));
    expect(await versioned.history(id)).toEqual(await client.history(id));
    await client.deleteSession(id);
    expect((await versioned.call('GET', `/sessions/${id}/state`)).status).toBe(404);
  });
});

describe('refuses', () => {
  const bodies: Record<string, unknown> = { keystroke: { char: 'a' }, input: { events: [key] } };

  it.each(sessionOperations)('$method $route of an unknown session', async ({ method, pathOf, body }) => {
    for (const id of [unknownId, 'nobody', '__proto__', '%F0%9F%91%8D', '..%2f..%2fetc']) {
      for (const sent of method === 'POST' ? [body, { char: 7 }] : [undefined]) {
        const { status, code } = await refusal(method, pathOf(id), sent);
        expect([status, code]).toEqual(
          id.includes('%2f') ? [400, 'INVALID_REQUEST'] : [404, 'SESSION_NOT_FOUND'],
        );
      }
    }
  });

  it.each(sessionOperations.filter(({ errors }) => errors.includes('ROUND_NOT_STARTED')))(
    '$method $route before the first round',
    async ({ method, route, pathOf, body }) => {
      const id = await client.createSession();
      const sent = route.endsWith('/round') ? { repeat: true } : body;
      expect(await refusal(method, pathOf(id), sent)).toMatchObject({
        status: 400,
        code: 'ROUND_NOT_STARTED',
      });
    },
  );

  it.each(['keystroke', 'backspace', 'space', 'input'])(
    '%s after the last word, and nothing else',
    async (name) => {
      const id = await client.createSession();
      await playRound(client, id);
      const before = await client.state(id);
      expect(await refusal('POST', `/sessions/${id}/${name}`, bodies[name])).toMatchObject({
        status: 400,
        code: 'ROUND_NOT_STARTED',
      });
      expect(await client.state(id)).toEqual(before);
      expect(before).toMatchObject({
        current_word_idx: 30,
        word_number: 30,
        current_word: '',
        next_word: '',
        next_words: [],
        previous_word: before.words[29],
      });
      expect((await client.sessionStatistics(id)).time_seconds).toBe(60);
    },
  );

  it.each([
    ['keystroke', {}, 'char is missing.'],
    ['keystroke', { char: 'ab' }, 'char must be exactly one visible character'],
    [
      'keystroke',
      { char: 'a', seek_time_ms: 3_600_001 },
      'seek_time_ms must be a whole number from 0 to 3600000.',
    ],
    ['backspace', { seq: true }, 'seq must be a whole number from 1 to 9007199254740991.'],
    ['space', { seek_time_ms: -0.5 }, 'seek_time_ms must be a whole number from 0 to 3600000.'],
    ['input', { events: [] }, 'events must have at least one event.'],
    ['input', { events: [key, { type: 'keystroke' }] }, 'events[1].char is missing.'],
    ['input', { events: [key, {}] }, 'events[1].type must be '],
    ['timing', { ...timing, duration_ms: 0 }, 'duration_ms must be a whole number from 1 to 86400000.'],
  ])('%s with %j', async (name, body, error) => {
    const id = await client.createSession();
    await client.startRound(id);
    const before = await client.state(id);
    const refused = await refusal('POST', `/sessions/${id}/${name}`, body);
    expect(refused).toMatchObject({ status: 400, code: 'INVALID_REQUEST' });
    expect(refused.error.slice(0, error.length)).toBe(error);
    expect(await client.state(id)).toEqual(before);
  });

  it.each([
    ['GET', '/sessions/x', 'DELETE, OPTIONS'],
    ['PUT', '/sessions', 'POST, GET, HEAD, OPTIONS'],
    ['DELETE', '/sessions', 'POST, GET, HEAD, OPTIONS'],
    ['GET', '/sessions/x/round', 'POST, OPTIONS'],
    ['GET', '/sessions/x/keystroke', 'POST, OPTIONS'],
    ['POST', '/sessions/x/state', 'GET, HEAD, OPTIONS'],
    ['PATCH', '/sessions/x/stats/historical', 'GET, HEAD, OPTIONS'],
    ['POST', '/health', 'GET, HEAD, OPTIONS'],
  ])('%s %s, and says what is allowed', async (method, path, allowed) => {
    const { status, headers, body } = await send(server.port, { method, path: `/api${path}` });
    expect([status, headers.allow?.split(', ').sort()]).toEqual([405, allowed.split(', ').sort()]);
    expect(JSON.parse(body.toString())).toMatchObject({ code: 'METHOD_NOT_ALLOWED' });
  });
});

async function refusal(
  method: string,
  path: string,
  body?: unknown,
): Promise<ErrorBody & { status: number }> {
  const answer = await client.call<ErrorBody>(method, path, body);
  expect(Object.keys(answer.body).sort()).toEqual(['code', 'error']);
  return { status: answer.status, ...answer.body };
}

describe('options of the server', () => {
  it('a seed makes the words of a session repeatable, round by round', async () => {
    const wordsOf = async (): Promise<Round['words'][]> => {
      const seeded = await startTestServer({ seed: 42 });
      try {
        const player = createTypingClient(seeded.port);
        const id = await player.createSession();
        return [(await player.startRound(id)).words, (await player.startRound(id)).words];
      } finally {
        await seeded.close();
      }
    };
    const [first, second] = await wordsOf();
    expect(await wordsOf()).toEqual([first, second]);
    expect(first).not.toEqual(second);
  });

  it('a time to live ends unused sessions, without losing their finished rounds', async () => {
    const brief = await startTestServer({ sessionTtl: 1_000 });
    try {
      const player = createTypingClient(brief.port);
      const id = await player.createSession();
      await playRound(player, id);
      await expect.poll(() => player.sessions(), { timeout: 120_000 }).toEqual([]);
      expect((await player.call('GET', `/sessions/${id}/state`)).status).toBe(404);
      expect((await player.history(await player.createSession())).total_sessions).toBe(1);
    } finally {
      await brief.close();
    }
  });
});
