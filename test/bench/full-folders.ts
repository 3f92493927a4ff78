import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageFile } from '../../src/kit/package-files.ts';
import { createFileRecords, recordsFolder } from '../../src/server/stores/records/file-records.ts';
import { roundLine } from '../../src/server/stores/stored-round.ts';
import { newStoredRound, toRoundId, withRounds } from '../server/stores/stored-rounds.ts';
import { startServeProcess } from '../support/typebadge-process.ts';
import { createTypingClient } from '../support/typing-client.ts';

/** A content folder with so many announcements, of which the last is current, and with the change log of them if asked for. */
export async function putAnnouncements(dir: string, count: number, isLogged = false): Promise<void> {
  await mkdir(dir, { recursive: true });
  const announcements = Array.from({ length: count }, (_, at) => ({
    id: `past-${at + 1}`,
    message: `Announcement ${at + 1}: the reading room is open until eight on Thursdays`,
    link: 'https://example.org/opening-hours',
    published: new Date(Date.UTC(2020, 0, 1) + at * 3_600_000).toISOString().replace('.000', ''),
    expires: '2036-01-01T00:00:00Z',
  }));
  const changes = announcements.map((after) => ({
    ...{ at: after.published, by: 'anna', action: 'publish', id: after.id },
    ...{ before: null, after },
  }));
  await writeFile(
    join(dir, 'history.json'),
    JSON.stringify({ version: 1, announcements, changes: isLogged ? changes : [] }),
  );
}

/** A data folder with so many finished rounds. */
export async function putRounds(dir: string, count: number): Promise<void> {
  await mkdir(dir, { recursive: true });
  const words = ['seven', 'quiet', 'badgers', 'type', 'until', 'morning', 'comes', 'over', 'the', 'hills'];
  const round = newStoredRound('', words);
  await withRounds(dir, async (rounds) => {
    for (let at = 0; at < count; at += 1) await rounds.add('local', { ...round, id: toRoundId(at) });
  });
}

/** The same in a few large changes, and then one round that is added as usual: what is derived is there. */
export async function putManyRounds(dir: string, count: number): Promise<void> {
  const round = newStoredRound('', ['seven', 'quiet', 'badgers', 'type', 'until', 'morning']);
  const step = 1_000;
  const records = createFileRecords({ dir: recordsFolder(dir) });
  for (let at = 0; at < count; at += step) {
    const push = Array.from({ length: step }, (_, offset) =>
      roundLine({ ...round, id: toRoundId(at + offset) }),
    );
    await records.commit('rounds/local', { put: { epoch: 'made' }, push });
  }
  await records.close();
  await withRounds(dir, (rounds) => rounds.add('local', { ...round, id: toRoundId(count) }));
}

/** A data folder with so many open sessions. With a round each they would take more memory than sessions may have. */
export async function putSessions(dir: string, count: number): Promise<void> {
  const {
    child,
    port,
    finished: ended,
  } = await startServeProcess(['--content', packageFile('content/sample'), '--data', dir]);
  const client = createTypingClient(port);
  for (let opened = 0; opened < count; opened += 50) {
    await Promise.all(
      Array.from({ length: Math.min(50, count - opened) }, async (_, at) => {
        const id = await client.createSession();
        if (at % 20 > 0) return;
        const [word = ''] = (await client.startRound(id)).words;
        await client.input(
          id,
          [...word].map((char, key) => ({ type: 'keystroke', char, seq: key + 1 })),
        );
      }),
    );
  }
  child.kill('SIGTERM');
  await ended;
}
