import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { startServeProcess } from '../support/typebadge-process.ts';
import { createTypingClient, type TypingClient } from '../support/typing-client.ts';
import { putAnnouncements } from './full-folders.ts';
import { onCore } from './load.ts';
import { type Report, toTable } from './report.ts';
import { median } from './statistics.ts';

const announcements = 20_000;

/** How the file is changed, by the words for it. */
const edits: Readonly<Record<string, ((text: string, time: number) => string) | undefined>> = {
  // What the machine itself makes a client wait.
  'no file written': undefined,
  'nothing changed': (text) => text,
  'one announcement changed': (text, time) =>
    text.replace(/Announcement 10000( \(.*?\))?:/, `Announcement 10000 (${time}):`),
  'all announcements changed': (text, time) =>
    text.replaceAll(/Announcement (\d+)( \(.*?\))?:/g, `Announcement $1 (${time}):`),
  'a bracket missing at the end': (text) => text.slice(0, -1),
};

/** The longest that another client waits for `/health` while a server reads a large history.json again, `repeats` times for each edit. */
export async function benchRereads(repeats: number): Promise<Report> {
  const dir = await mkdtemp(join(tmpdir(), 'typebadge-rereads-'));
  const content = join(dir, 'content');
  await putAnnouncements(content, announcements, true);
  const file = join(content, 'history.json');
  const whole = await readFile(file, 'utf8');
  const server = await startServeProcess(['--content', content, '--data', join(dir, 'data')], {
    under: onCore(0),
  });
  const client = createTypingClient(server.port);
  const longest = new Map(Object.keys(edits).map((edit): [string, number[]] => [edit, []]));
  await timeLongestWait(client, 3); // warms up
  let text = whole;
  for (let repeat = 1; repeat <= repeats; repeat += 1) {
    for (const [edit, apply] of Object.entries(edits)) {
      if (apply !== undefined) {
        text = apply(text, repeat);
        await putAtOnce(file, text);
      }
      longest.get(edit)?.push(await timeLongestWait(client, 3));
      if (!text.endsWith('}')) text = whole;
    }
  }
  server.child.kill('SIGTERM');
  await server.finished;
  await rm(dir, { recursive: true, force: true });
  const worst = Math.max(...[...longest.values()].flat());
  return {
    text: toTable(
      [
        `longest wait for /health, ${announcements.toLocaleString('en')} announcements with as many changes`,
        'median ms',
        'most ms',
      ],
      [...longest].map(([edit, waits]) => [edit, median(waits).toFixed(1), Math.max(...waits).toFixed(1)]),
    ),
    aims: [
      { what: '/health while announcements are read again, longest', value: worst, unit: 'ms', atMost: 50 },
    ],
  };
}

/** As an editor that saves: readers see the old file or the new one. */
async function putAtOnce(file: string, text: string): Promise<void> {
  await writeFile(`${file}.new`, text);
  await rename(`${file}.new`, file);
}

/** Milliseconds of the slowest answer within so many seconds; a server looks at its content every second. */
async function timeLongestWait(client: TypingClient, seconds: number): Promise<number> {
  let longest = 0;
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) {
    const start = performance.now();
    await client.call('GET', '/health');
    longest = Math.max(longest, performance.now() - start);
    await sleep(1);
  }
  return longest;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  console.log((await benchRereads(Number(process.argv[2] ?? 5))).text);
}
