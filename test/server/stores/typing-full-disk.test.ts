import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { findFullDisks } from '../../support/full-disk.ts';
import { type RunningProcess, startServeProcess } from '../../support/typebadge-process.ts';
import { createTypingClient, playRound } from '../../support/typing-client.ts';

const dir = await mkdtemp(join(tmpdir(), 'typebadge-full-'));
const disks = await findFullDisks(dir);
afterAll(() => rm(dir, { recursive: true, force: true }));

it.each(disks)(
  '$name: save is 500 and nothing is lost; with room again the next save succeeds',
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
      let saved: { status: number; body: unknown } = { status: 200, body: undefined };
      while (saved.status === 200 && played < 60) {
        await playRound(client, id, 60_000 + played++);
        saved = await client.call('POST', `/sessions/${id}/save`);
      }
      expect(saved).toEqual({
        status: 500,
        body: { code: 'INTERNAL_ERROR', error: expect.stringContaining('stay in memory') },
      });
      await playRound(client, other, 90_000);
      played++;
      expect((await client.call('POST', `/sessions/${other}/save`)).status).toBe(500);
      expect((await client.call('DELETE', `/sessions/${other}`)).status).toBe(500);
      expect((await client.call('POST', `/sessions/${id}/save`)).status).toBe(500);
      expect((await client.history(id)).total_sessions).toBe(played);
      expect((await client.state(id)).current_word_idx).toBe(30);

      await disk.makeRoom(folder, pid);
      expect(await client.save(id)).toEqual({ success: true });
      await client.deleteSession(other);
      const history = await client.history(id);
      expect(history.total_sessions).toBe(played);
      server.child.kill('SIGTERM');
      const { code, stdout } = await server.finished;
      expect(code).toBe(0);
      expect(stdout).toMatch(
        /finished rounds could not be saved: .*(ENOSPC|EFBIG|EACCES|bytes were written)/,
      );

      server = await startServeProcess(['--data', data]);
      const next = createTypingClient(server.port);
      const { average_wpm, average_accuracy, average_time, ...after } = await next.history(
        await next.createSession(),
      );
      expect(after).toMatchObject({ total_sessions: played, letter_accuracy: history.letter_accuracy });
      expect(average_time).toBeCloseTo(history.average_time, 9);
      expect(average_wpm).toBeCloseTo(history.average_wpm, 9);
      expect(average_accuracy).toBeCloseTo(history.average_accuracy, 9);
      // What was torn while the disk was full is no damage: all of it was saved later.
      server.child.kill('SIGTERM');
      expect((await server.finished).stderr).not.toContain('damaged');
      expect((await readFile(join(data, 'rounds.jsonl'), 'utf8')).length).toBeGreaterThan(played * 500);
    } finally {
      server?.child.kill('SIGKILL');
      await server?.finished;
      await disk.close(folder);
    }
  },
);
