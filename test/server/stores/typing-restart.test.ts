import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readOwnMark } from '../../../src/kit/process-life.ts';
import { newServeConfig, type ServeConfig } from '../../../src/server/settings/config.ts';
import type { RunningServer } from '../../../src/server/start.ts';
import { startServer } from '../../../src/server/start.ts';
import type { StoredSession } from '../../../src/server/stores/ports.ts';
import { createTypingClient, flawless, playRound, type TypingClient } from '../../support/typing-client.ts';
import { readSessionLines, toInputsLine, toSessionLines } from './files/sessions/session-lines.ts';

let dir: string;
let data: string;
const running = new Set<RunningServer>();
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'typebadge-restart-'));
  data = join(dir, 'data');
  const content = join(dir, 'content');
  await mkdir(content);
  await writeFile(join(content, 'history.json'), JSON.stringify({ announcements: [] }));
  await writeFile(join(content, 'origins.json'), JSON.stringify({ origins: [] }));
});
afterEach(async () => {
  for (const server of running) await server.close();
  running.clear();
  await rm(dir, { recursive: true, force: true });
});

async function start(
  config: Partial<ServeConfig> = {},
): Promise<{ client: TypingClient; stop(): Promise<void> }> {
  const options = { port: 0, content: join(dir, 'content'), data, log: 'off', ...config } as const;
  const server = await startServer(newServeConfig(options));
  running.add(server);
  return {
    client: createTypingClient(server.port),
    async stop() {
      running.delete(server);
      await server.close();
    },
  };
}

const sessionsDir = () => join(data, 'sessions');
const folders = async () => (await readdir(sessionsDir())).map((name) => join(sessionsDir(), name));
const journalLines = async () =>
  (await readFile(join(data, 'rounds.jsonl'), 'utf8')).split('\n').filter((line) => line !== '');

/** Leaves lines of a log behind as a server would that is gone now. Resolves to its folder. */
async function leaveBehind(lines: readonly string[], owner: unknown = { ended: true }): Promise<string> {
  const folder = join(sessionsDir(), `left-${Math.random().toString(16).slice(2)}`);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'owner.json'), typeof owner === 'string' ? owner : JSON.stringify(owner));
  await writeFile(join(folder, 'log-000001.jsonl'), lines.join(''));
  return folder;
}

/** What is on disk of the sessions by now. */
async function readLogs(): Promise<string[]> {
  const texts: string[] = [];
  for (const folder of await folders()) {
    for (const name of (await readdir(folder)).filter((each) => each.endsWith('.jsonl')).sort()) {
      texts.push(await readFile(join(folder, name), 'utf8'));
    }
  }
  return texts.flatMap((text) => text.split(/(?<=\n)/));
}

/** The session as it could be recovered by now. */
async function readSession(id: string): Promise<StoredSession> {
  return readSessionLines(await readLogs()).get(id) as StoredSession;
}

it('a session that never saves is saved automatically after fifty rounds, so that it does not grow for ever', async () => {
  const { client } = await start();
  const id = await client.createSession();
  for (let played = 0; played < 51; played++) await playRound(client, id);
  expect(await journalLines()).toHaveLength(50);
  expect((await client.history(id)).total_sessions).toBe(51);
  expect((await readSession(id)).session.unsaved).toHaveLength(1);
});

it('rounds near the largest size, every other key the longest character, survive a restart and count exactly', async () => {
  const first = await start();
  const id = await first.client.createSession();
  const family = '👨‍👩‍👧‍👦';
  for (let played = 0; played < 6; played++) {
    const { words } = await first.client.startRound(id);
    const flood = Array.from({ length: 700 }, (_, at) =>
      at % 2 === 0
        ? { type: 'keystroke' as const, char: family, seek_time_ms: 3_600_000 }
        : { type: 'backspace' as const },
    );
    for (let at = 0; at < flood.length; at += 350) await first.client.input(id, flood.slice(at, at + 350));
    await first.client.input(id, flawless(words));
    await first.client.timing(id, 60_000);
  }
  const before = { state: await first.client.state(id), history: await first.client.history(id) };
  expect(before.history.total_sessions).toBe(6);
  await first.stop();
  const second = await start();
  expect(await second.client.history(id)).toEqual(before.history);
  expect(await second.client.state(id)).toEqual(before.state);
  expect(await readdir(data)).not.toContain('damaged');
});

describe('after a restart', () => {
  it('an open session continues where it was, and its finished rounds count once', async () => {
    const first = await start();
    const id = await first.client.createSession(true);
    await playRound(first.client, id, 45_000);
    const { words } = await first.client.startRound(id);
    const events = flawless(words);
    await first.client.input(id, events.slice(0, 70));
    const before = {
      state: await first.client.state(id),
      statistics: await first.client.sessionStatistics(id),
      history: await first.client.history(id),
      created: (await first.client.sessions())[0]?.created_at,
    };
    await first.stop();

    const second = await start();
    expect(await second.client.state(id)).toEqual(before.state);
    expect(await second.client.sessionStatistics(id)).toEqual(before.statistics);
    expect(await second.client.history(id)).toEqual(before.history);
    expect((await second.client.sessions()).map(({ id, created_at }) => ({ id, created_at }))).toEqual([
      { id, created_at: before.created },
    ]);
    await second.client.input(id, events.slice(60));
    await second.client.timing(id, 30_000);
    expect(await second.client.history(id)).toMatchObject({
      total_sessions: 2,
      best_time: 30,
      average_time: 37.5,
    });
    await second.stop();
    expect(await journalLines()).toHaveLength(2);
  });

  it('a deleted session stays deleted', async () => {
    const first = await start();
    const id = await first.client.createSession();
    await first.client.deleteSession(id);
    await first.stop();
    const second = await start();
    expect(await second.client.sessions()).toEqual([]);
  });

  it('no folder of an ended server remains', async () => {
    for (let times = 0; times < 3; times++) {
      const server = await start();
      await server.client.createSession();
      await server.stop();
    }
    await start();
    expect(await folders()).toHaveLength(1);
  });

  it('a session that expired while no server was running is gone, but not its finished rounds', async () => {
    const first = await start();
    const id = await first.client.createSession();
    await playRound(first.client, id);
    const stored = await readSession(id);
    await first.client.deleteSession(id);
    await first.stop();
    await rm(join(data, 'rounds.jsonl'));
    await leaveBehind([toSessionLines({ ...stored, lastUsed: Date.now() - 25 * 3_600_000 })]);
    const second = await start();
    expect(await second.client.sessions()).toEqual([]);
    expect((await second.client.history(await second.client.createSession())).total_sessions).toBe(1);
    expect(await journalLines()).toHaveLength(1);
  });
});

describe('a session log that is behind the journal', () => {
  it('does not count its finished rounds twice', async () => {
    const first = await start();
    const id = await first.client.createSession();
    await playRound(first.client, id);
    const unsaved = await readSession(id);
    expect(unsaved.session.unsaved).toHaveLength(1);
    await first.client.save(id);
    await first.client.deleteSession(id);
    await first.stop();

    await leaveBehind([toSessionLines(unsaved)]);
    const second = await start();
    expect((await second.client.history(id)).total_sessions).toBe(1);
    await second.client.save(id);
    expect((await second.client.history(id)).total_sessions).toBe(1);
    await second.stop();
    const third = await start();
    expect((await third.client.history(id)).total_sessions).toBe(1);
    expect(await journalLines()).toHaveLength(1);
  });

  it('does not count a round twice if its client finishes it again', async () => {
    const first = await start();
    const id = await first.client.createSession();
    const { words } = await first.client.startRound(id);
    const early = await readSession(id);
    await first.client.input(id, flawless(words));
    await first.client.timing(id, 60_000);
    await first.client.save(id);
    await first.client.deleteSession(id);
    await first.stop();

    await leaveBehind([toSessionLines(early)]);
    const second = await start();
    expect((await second.client.state(id)).last_seq).toBe(0);
    await second.client.input(id, flawless(words));
    await second.client.timing(id, 60_000);
    await second.client.save(id);
    expect((await second.client.history(id)).total_sessions).toBe(1);
    await second.stop();
    const third = await start();
    expect((await third.client.history(id)).total_sessions).toBe(1);
  });
});

describe('a log of sessions', () => {
  it('with a torn end is read up to there, without a message', async () => {
    const first = await start();
    const [one, other] = [await first.client.createSession(), await first.client.createSession()];
    const { words } = await first.client.startRound(other);
    await first.client.input(other, flawless(words).slice(0, 20));
    await first.stop();
    const lines = await readLogs();
    expect(lines.length).toBeGreaterThan(3);
    await rm(sessionsDir(), { recursive: true });
    const last = lines.at(-1) as string;
    await leaveBehind([...lines.slice(0, -1), last.slice(0, -20)]);
    const second = await start();
    expect((await second.client.sessions()).map(({ id }) => id).sort()).toEqual([one, other].sort());
    expect(await readdir(data)).not.toContain('damaged');
  });

  it.each([
    ['cut short', (line: string) => `${line.slice(0, -30)}\n`],
    ['of zeros', () => `${'\0'.repeat(100)}\n`],
    ['with a field of another kind', (line: string) => line.replace('"roundCount":0', '"roundCount":"one"')],
    ['with an id that is a path', (line: string) => line.replace(/"id":"..../, '"id":"../.')],
  ])('with a line %s is set aside, and the other sessions are there', async (_, damage) => {
    const first = await start();
    const [good, bad] = [await first.client.createSession(), await first.client.createSession()];
    const badLine = toSessionLines(await readSession(bad));
    const { session, lastUsed } = await readSession(good);
    const copy = { session: { ...session, id: 'f'.repeat(32) }, lastUsed };
    await first.client.deleteSession(bad);
    await first.stop();
    await leaveBehind([damage(badLine), toSessionLines(copy)]);
    const second = await start();
    expect((await second.client.sessions()).map(({ id }) => id).sort()).toEqual(
      [good, 'f'.repeat(32)].sort(),
    );
    const [aside, ...others] = await readdir(join(data, 'damaged'));
    expect(others).toEqual([]);
    expect(await readFile(join(data, 'damaged', aside as string), 'utf8')).toContain(damage(badLine));
    await second.stop();
    const third = await start();
    expect(await third.client.sessions()).toHaveLength(2);
    expect(await readdir(join(data, 'damaged'))).toHaveLength(1);
  });

  it('of a later version is left alone, and everything else goes on', async () => {
    const first = await start();
    const id = await first.client.createSession();
    const line = toSessionLines(await readSession(id)).replace('"v":2', '"v":3');
    await first.stop();
    const folder = await leaveBehind([line]);
    const second = await start();
    expect((await second.client.sessions()).map((session) => session.id)).toEqual([id]);
    await second.stop();
    expect(await readFile(join(folder, 'log-000001.jsonl'), 'utf8')).toBe(line);
  });

  it('with a missing line leaves a session as it was before, never with a gap in its keys', async () => {
    const first = await start();
    const id = await first.client.createSession();
    const { words } = await first.client.startRound(id);
    const begun = await readSession(id);
    const events = flawless(words);
    await first.client.input(id, events.slice(0, 10));
    await first.stop();
    const more = await readSession(id);
    await rm(sessionsDir(), { recursive: true });
    await leaveBehind([toSessionLines(begun), toInputsLine(more, 5)]);
    const second = await start();
    expect((await second.client.state(id)).last_seq).toBe(0);
    await second.client.input(id, events);
    expect((await second.client.state(id)).current_word_idx).toBe(30);
  });

  it('of a server that died while taking over another one is taken over with what it had taken', async () => {
    const first = await start();
    const ids = [await first.client.createSession(), await first.client.createSession()];
    await first.stop();
    const [one, other] = await Promise.all(ids.map(readSession));
    await rm(sessionsDir(), { recursive: true });
    const outer = await leaveBehind([toSessionLines(one as StoredSession)]);
    const inner = await leaveBehind([toSessionLines(other as StoredSession)]);
    await rename(inner, join(outer, 'taken-inner'));
    const second = await start();
    expect((await second.client.sessions()).map(({ id }) => id).sort()).toEqual([...ids].sort());
    expect(await folders()).toHaveLength(1);
  });
});

describe('servers that share a folder', () => {
  it('leave each other’s sessions alone and see each other’s saved rounds', async () => {
    const [one, other] = [await start(), await start()];
    const id = await one.client.createSession();
    const otherId = await other.client.createSession();
    expect((await other.client.call('GET', `/sessions/${id}/state`)).status).toBe(404);
    await playRound(one.client, id);
    expect((await other.client.history(otherId)).total_sessions).toBe(0);
    await one.client.save(id);
    expect((await other.client.history(otherId)).total_sessions).toBe(1);
    await playRound(other.client, otherId);
    expect(await other.client.sessionStatistics(otherId)).toMatchObject({ is_new_best_wpm: false });
    expect((await other.client.history(otherId)).total_sessions).toBe(2);
    await other.client.save(otherId);
    expect((await one.client.history(id)).total_sessions).toBe(2);
    const third = await start();
    expect(await third.client.sessions()).toEqual([]);
  });

  it('leave those of a living process, of another computer that shows signs of life, and of one just starting', async () => {
    const first = await start();
    const id = await first.client.createSession();
    const text = [toSessionLines(await readSession(id))];
    await first.client.deleteSession(id);
    await first.stop();
    // The last of these is of version 1.0, which did not name the container.
    const dead = { pid: 2 ** 22 + 1, host: hostname(), started: '1' };
    for (const owner of [dead, { pid: 1, host: 'elsewhere', started: '5' }, '']) {
      const folder = await leaveBehind(text, owner);
      const second = await start();
      expect(await second.client.sessions(), JSON.stringify(owner)).toEqual([]);
      await second.stop();
      expect(await stat(folder)).toBeDefined();
      const longAgo = new Date(Date.now() - 600_000);
      await utimes(join(folder, 'owner.json'), longAgo, longAgo);
      const third = await start();
      expect(await third.client.sessions(), JSON.stringify(owner)).toHaveLength(1);
      await third.client.deleteSession(id);
      await third.stop();
    }
  });

  it('take over those of a process that is dead, or whose pid was reused', async () => {
    const first = await start();
    const id = await first.client.createSession();
    const text = [toSessionLines(await readSession(id))];
    await first.client.deleteSession(id);
    await first.stop();
    const owners = [
      { ...readOwnMark(), pid: 2 ** 22 + 1, started: '1' },
      ...(process.platform === 'linux' ? [{ ...readOwnMark(), started: '1' }] : []),
    ];
    for (const owner of owners) {
      await leaveBehind(text, owner);
      const second = await start();
      expect(await second.client.sessions()).toHaveLength(1);
      await second.client.deleteSession(id);
      await second.stop();
    }
  });

  it('that start at the same moment share what an ended one left', async () => {
    const first = await start();
    const ids = await Promise.all(Array.from({ length: 20 }, () => first.client.createSession()));
    await first.stop();
    const together = await Promise.all([start(), start(), start()]);
    const found = await Promise.all(together.map(({ client }) => client.sessions()));
    expect(
      found
        .flat()
        .map(({ id }) => id)
        .sort(),
    ).toEqual([...ids].sort());
  });

  it('restart after somebody clears the data folder of a running one', async () => {
    const first = await start();
    const id = await first.client.createSession();
    await rm(data, { recursive: true, force: true });
    await playRound(first.client, id);
    expect(await first.client.save(id)).toEqual({ success: true });
    await first.client.startRound(id);
    await first.stop();
    const second = await start();
    expect((await second.client.history(id)).total_sessions).toBe(1);
  });
});

it('say in one sentence that the data folder cannot be used', async () => {
  await writeFile(data, 'a file stands in the way');
  await expect(start()).rejects.toThrow(
    /^The data folder .* cannot be used: .*\. Choose another with --data\.$/,
  );
});
