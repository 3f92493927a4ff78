import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { findFullDisks } from '../../support/full-disk.ts';
import { type RunningProcess, startServeProcess } from '../../support/typebadge-process.ts';
import { createTypingClient, flawless, playRound, type TypingClient } from '../../support/typing-client.ts';

const dir = await mkdtemp(join(tmpdir(), 'typebadge-full-'));
const disks = await findFullDisks(dir);
afterAll(() => rm(dir, { recursive: true, force: true }));

it.each(disks)(
  '$name: nothing more is acknowledged and nothing is lost; with room again everything goes on',
  async (disk) => {
    const folder = await disk.open(dir);
    const data = join(folder, 'data');
    let server: RunningProcess | undefined;
    try {
      server = await startServeProcess(['--data', data]);
      const pid = server.child.pid as number;
      const client = createTypingClient(server.port);
      const id = await client.createSession();
      const other = await client.createSession();
      await playRound(client, id);
      await client.save(id);

      await disk.fill(folder, pid);
      let played = 1;
      let refused: { status: number; body: unknown } | undefined;
      while (refused === undefined && played < 60) {
        const answer = await tryRound(client, id, 60_000 + played);
        if (answer.status === 200) played += 1;
        else refused = answer;
      }
      expect(refused).toMatchObject({ status: 503, body: { code: 'STORE_UNAVAILABLE' } });
      const full = {
        status: 'unready',
        reasons: ['The data folder cannot be used: no space left on device.'],
      };
      expect(await readiness(server.port)).toEqual(full);
      // Where there is room for a short file, its session goes on; everything can be read.
      const more = await tryRound(client, other, 80_000);
      expect([200, 503]).toContain(more.status);
      if (more.status === 200) played += 1;
      expect((await client.history(id)).total_sessions).toBe(played);
      expect(await client.sessions()).toHaveLength(2);

      await disk.makeRoom(folder, pid);
      expect(await client.save(id)).toEqual({ success: true });
      expect((await tryRound(client, other, 90_000)).status).toBe(200);
      played += 1;
      await client.deleteSession(other);
      const history = await client.history(id);
      expect(history.total_sessions).toBe(played);
      server.child.kill('SIGTERM');
      const { code, stdout } = await server.finished;
      expect(code).toBe(0);
      expect(stdout).toContain('The data folder cannot be used: no space left on device');

      server = await startServeProcess(['--data', data]);
      const next = createTypingClient(server.port);
      const { average_wpm, average_accuracy, average_time, ...after } = await next.history(
        await next.createSession(),
      );
      expect(after).toMatchObject({ total_sessions: played, letter_accuracy: history.letter_accuracy });
      expect(average_time).toBeCloseTo(history.average_time, 9);
      expect(average_wpm).toBeCloseTo(history.average_wpm, 9);
      expect(average_accuracy).toBeCloseTo(history.average_accuracy, 9);
      // What was torn while the disk was full is no damage: none of it was acknowledged.
      server.child.kill('SIGTERM');
      expect((await server.finished).stdout).not.toContain('damaged');
    } finally {
      server?.child.kill('SIGKILL');
      await server?.finished;
      await disk.close(folder);
    }
  },
);

async function readiness(port: number): Promise<unknown> {
  return (await fetch(`http://127.0.0.1:${port}/health/ready`)).json();
}

/** Plays a round up to the first answer that is not 200; resolves to the last answer. */
async function tryRound(client: TypingClient, id: string, duration: number) {
  const started = await client.call<{ words: string[] }>('POST', `/sessions/${id}/round`);
  if (started.status !== 200) return started;
  const typed = await client.call('POST', `/sessions/${id}/input`, { events: flawless(started.body.words) });
  if (typed.status !== 200) return typed;
  const timing = { start_time_unix_ms: 1_000, end_time_unix_ms: 1_000 + duration, duration_ms: duration };
  return client.call('POST', `/sessions/${id}/timing`, timing);
}
