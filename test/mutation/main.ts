// Breaks the code on purpose and sees whether the tests notice: `npm run mutants [room or file ...] [--minutes N]`.
// With `--sample 300 --seed 7`, only 300 mutants of each room, drawn at random, and what they tell about all of them;
// those that survive also meet slower tests.
// What was found is kept beside the project, so that a run that ends early is gone on with by the same command.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { batchesOf, drawnBatchesOf, filesBelow } from './batches.ts';
import { runMutants } from './mutant-run.ts';
import { type Fate, toEstimate, toSurvivorList, toTable } from './report.ts';
import { type Room, rooms } from './rooms.ts';

const kept = '.mutants-found';
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: 'string', default: '60' },
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
  },
});
const minutes = Number(values.minutes);
const size = values.sample === undefined ? undefined : Number(values.sample);
const seed = Number(values.seed);
const unknown = positionals.filter((name) => !(name in rooms) && !existsSync(name));
const problem = findProblem();
if (problem !== undefined) {
  console.error(problem);
  process.exitCode = 2;
} else {
  const end = Date.now() + minutes * 60_000;
  for (const [name, room] of asked()) await examine(name, room, end);
}

function findProblem(): string | undefined {
  if (unknown.length > 0)
    return `No room is called ${unknown.join(', ')}; there are ${Object.keys(rooms).join(', ')}, or name files below src/.`;
  if (!(minutes > 0)) return '--minutes takes how long to run, such as 30.';
  if (size !== undefined && !(Number.isInteger(size) && size > 0))
    return '--sample takes how many mutants to draw, such as 300.';
  if (!Number.isInteger(seed))
    return '--seed takes a whole number, such as 7: another one draws other mutants.';
  return undefined;
}

/** All rooms, those that were named, and files with all tests of the room that they are in. */
function asked(): [string, Room][] {
  if (positionals.length === 0) return Object.entries(rooms);
  return positionals.map((name) => {
    const known = rooms[name];
    if (known !== undefined) return [name, known];
    const home = Object.values(rooms).find(({ source }) => source.some((place) => name.startsWith(place)));
    return [name, { ...(home ?? { tests: ['test/**/*.test.ts'] }), source: [name] }];
  });
}

async function examine(name: string, room: Room, end: number): Promise<void> {
  const patterns = [...room.tests, ...(room.slower ?? [])];
  const hash = createHash('sha256').update(JSON.stringify(patterns));
  // The folders that the patterns begin with.
  for (const folder of new Set(patterns.map((pattern) => pattern.replace(/\/[^/]*[*{!].*$/, '')))) {
    for (const file of filesBelow(folder)) hash.update(readFileSync(file));
  }
  const testsNow = hash.digest('hex');
  const batches =
    size === undefined ? batchesOf(room, testsNow) : drawnBatchesOf(room, testsNow, { size, seed });
  const found: Fate[] = [];
  let left = 0;
  for (const [at, { files, key, sample }] of batches.entries()) {
    const file = join(kept, `${key}.json`);
    if (!existsSync(file)) {
      if (Date.now() > end) {
        left += 1;
        continue;
      }
      const part = sample === undefined ? files.join(' ') : `${sample.to - sample.from} drawn mutants`;
      console.log(`${name}, ${at + 1} of ${batches.length}: ${part}`);
      const fates = await runMutants(files, room, sample);
      mkdirSync(kept, { recursive: true });
      writeFileSync(file, JSON.stringify(fates));
    }
    found.push(...JSON.parse(readFileSync(file, 'utf8')));
  }
  console.log(`\n${name}\n\n${toTable(found)}\n\n${toSurvivorList(found)}`);
  if (size !== undefined) console.log(`\n${toEstimate(found)}`);
  if (left > 0)
    console.log(`\n${left} of ${batches.length} parts are left: the same command goes on with them.`);
}
