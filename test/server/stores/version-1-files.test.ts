import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type * as wireAnswers from '../../../src/contract/answer-types.ts';
import type * as wireStatistics from '../../../src/contract/statistics-types.ts';
import { packageFile } from '../../../src/kit/package-files.ts';
import { startTestServer } from '../../support/test-server.ts';
import { createTypingClient } from '../../support/typing-client.ts';

/*
 * Files that version 1 wrote, and what it answered from them, are in test/fixtures/v1: two rounds saved, two finished and
 * not saved, one half typed, one session without a round, one deleted; then it was killed.
 */
const fixtures = packageFile('test', 'fixtures', 'v1');

interface Answers {
  readonly sessions: wireAnswers.SessionList['sessions'];
  readonly states: Readonly<Record<string, wireAnswers.GameState>>;
  readonly statistics: Readonly<Record<string, wireStatistics.SessionStatistics>>;
  readonly history: wireStatistics.HistoricalStatistics;
}
const answers: Answers = JSON.parse(await readFile(join(fixtures, 'answers.json'), 'utf8'));

/** Longer than these files will be read. */
const sessionTtl = 1e13;
let data: string;
beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), 'typebadge-v1-'));
  await cp(fixtures, data, { recursive: true });
});
afterEach(() => rm(data, { recursive: true, force: true }));

/** Sums of fractions depend on their order in the last digits. */
function rounded<T>(value: T): T {
  return JSON.parse(JSON.stringify(value), (_, each) =>
    typeof each === 'number' ? Number(each.toPrecision(12)) : each,
  );
}

it('every session and round of version 1 is there, after a second restart too', async () => {
  const ids = answers.sessions.map(({ id }) => id).sort();
  for (let restart = 0; restart < 2; restart++) {
    const server = await startTestServer({ data, sessionTtl });
    const client = createTypingClient(server.port);
    const sessions = await client.sessions();
    expect(sessions.map(({ id }) => id).sort()).toEqual(ids);
    for (const { id, created_at } of answers.sessions)
      expect(sessions.find((session) => session.id === id)?.created_at).toBe(created_at);
    for (const [id, state] of Object.entries(answers.states))
      expect(rounded(await client.state(id))).toMatchObject(rounded(state));
    for (const [id, statistics] of Object.entries(answers.statistics))
      expect(rounded(await client.sessionStatistics(id))).toMatchObject(rounded(statistics));
    const history = await client.history(ids[0] as string);
    // Only letters of the language are confused with each other now; all slips of that typist were others.
    expect(rounded(history)).toMatchObject(rounded({ ...answers.history, error_patterns: [] }));
    await server.close();
  }
  const names = await readdir(data);
  expect(names).not.toContain('damaged');
  expect(names).not.toContain('set-aside');
});

it('rounds that version 1 had not saved are saved once, and its own lines stay unchanged', async () => {
  const before = await readFile(join(fixtures, 'rounds.jsonl'), 'utf8');
  const server = await startTestServer({ data, sessionTtl });
  const client = createTypingClient(server.port);
  for (const { id } of answers.sessions) await client.save(id);
  await server.close();
  const after = await readFile(join(data, 'rounds.jsonl'), 'utf8');
  expect(after.startsWith(before)).toBe(true);
  expect(after.split('\n').filter((line) => line !== '')).toHaveLength(4);
});

it('a round that version 1 left unfinished can be finished', async () => {
  const server = await startTestServer({ data, sessionTtl });
  const client = createTypingClient(server.port);
  const [id, state] = Object.entries(answers.states).find(
    ([, { current_word_idx }]) => current_word_idx > 0 && current_word_idx < 30,
  ) as [string, wireAnswers.GameState];
  let seq = state.last_seq;
  for (const char of state.current_word.slice(state.current_input.length))
    await client.keystroke(id, { char, seek_time_ms: 100, seq: ++seq });
  for (const word of state.words.slice(state.current_word_idx + 1)) {
    await client.space(id, { seq: ++seq });
    for (const char of word) await client.keystroke(id, { char, seek_time_ms: 100, seq: ++seq });
  }
  expect(await client.space(id, { seq: ++seq })).toMatchObject({ round_complete: true });
  expect(await client.timing(id, 60_000)).toEqual({ success: true });
  expect((await client.history(id)).total_sessions).toBe(answers.history.total_sessions + 1);
  await server.close();
});
