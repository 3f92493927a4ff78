// Breaks the code on purpose and sees whether the tests notice: `npm run mutants [room or file ...] [--minutes N]`.
// What was found is kept beside the project, so that a run that ends early is gone on with by the same command.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { batchesOf, filesBelow } from './batches.ts';
import { runMutants } from './mutant-run.ts';
import { type Fate, toSurvivorList, toTable } from './report.ts';
import { type Room, rooms } from './rooms.ts';

const kept = '.mutants-found';
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { minutes: { type: 'string', default: '60' } },
});
const minutes = Number(values.minutes);
const unknown = positionals.filter((name) => !(name in rooms) && !existsSync(name));
if (unknown.length > 0 || !(minutes > 0)) {
  console.error(
    unknown.length > 0
      ? `No room is called ${unknown.join(', ')}; there are ${Object.keys(rooms).join(', ')}, or name files below src/.`
      : '--minutes takes how long to run, such as 30.',
  );
  process.exitCode = 2;
} else {
  const end = Date.now() + minutes * 60_000;
  for (const [name, room] of asked()) await examine(name, room, end);
}

/** All rooms, those that were named, and files with all tests of the room that they are in. */
function asked(): [string, Room][] {
  if (positionals.length === 0) return Object.entries(rooms);
  return positionals.map((name) => {
    const known = rooms[name];
    if (known !== undefined) return [name, known];
    const home = Object.values(rooms).find(({ source }) => source.some((place) => name.startsWith(place)));
    return [name, { source: [name], tests: home?.tests ?? ['test/**/*.test.ts'] }];
  });
}

async function examine(name: string, room: Room, end: number): Promise<void> {
  const hash = createHash('sha256').update(JSON.stringify(room.tests));
  // The folders that the patterns begin with.
  for (const folder of new Set(room.tests.map((pattern) => pattern.replace(/\/[^/]*[*{!].*$/, '')))) {
    for (const file of filesBelow(folder)) hash.update(readFileSync(file));
  }
  const batches = batchesOf(room, hash.digest('hex'));
  const found: Fate[] = [];
  let left = 0;
  for (const [at, { files, key }] of batches.entries()) {
    const file = join(kept, `${key}.json`);
    if (!existsSync(file)) {
      if (Date.now() > end) {
        left += 1;
        continue;
      }
      console.log(`${name}, ${at + 1} of ${batches.length}: ${files.join(' ')}`);
      const fates = await runMutants(files, room.tests);
      mkdirSync(kept, { recursive: true });
      writeFileSync(file, JSON.stringify(fates));
    }
    found.push(...JSON.parse(readFileSync(file, 'utf8')));
  }
  console.log(`\n${name}\n\n${toTable(found)}\n\n${toSurvivorList(found)}`);
  if (left > 0)
    console.log(`\n${left} of ${batches.length} parts are left: the same command goes on with them.`);
}
