import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import type { Input } from '../game/run.ts';
import { makeFolder } from './folders.ts';
import { appendWhole } from './whole-append.ts';

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const instant = v.pipe(count, v.maxValue(8_640_000_000_000_000));

/** What identifies a run that is not delivered yet. */
const HeadSchema = v.object({
  session: v.pipe(v.string(), v.regex(/^[\w-]{1,100}$/)),
  /** The server of that session. */
  server: v.string(),
  punctuation: v.boolean(),
  words: v.pipe(v.array(v.string()), v.minLength(1), v.readonly()),
  /** The process that types it: while it lives, nobody else touches the file. */
  pid: count,
  /** Unix ms. */
  created: instant,
});
export type JournalHead = Readonly<v.InferOutput<typeof HeadSchema>>;

const InputSchema = v.object({
  seq: count,
  type: v.picklist(['keystroke', 'backspace', 'space']),
  char: v.pipe(v.string(), v.maxLength(32)),
  seek: count,
  at: v.pipe(v.number(), v.finite(), v.minValue(0)),
  unix: instant,
});

/**
 * One run on disk while it is typed: every input is appended before it goes to the server, so a killed client loses
 * nothing, and a run that was finished without a server can be delivered by a later start.
 */
export interface RunJournal {
  /** Appends the inputs that are not in the file yet. */
  append(inputs: readonly Input[]): void;
  /** Removes the file: the run is delivered, or given up on purpose. */
  remove(): void;
  /** Closes the file and leaves it for a later start. */
  close(): void;
}

export interface UnsentRun {
  readonly path: string;
  readonly head: JournalHead;
  readonly inputs: readonly Input[];
}

/** Begins the journal of a run; `inputs` are those already typed when a run is taken up again. */
export function openRunJournal(folder: string, head: JournalHead, inputs: readonly Input[] = []): RunJournal {
  makeFolder(folder);
  const path = join(folder, `${randomUUID()}.jsonl`);
  let file: number | undefined = openSync(path, 'ax', 0o600);
  let written = inputs.length;
  try {
    appendWhole(file, toLines([head, ...inputs]));
  } catch (error) {
    remove(); // an empty journal tells nobody anything
    throw error;
  }
  return { append, remove, close };

  function append(all: readonly Input[]): void {
    if (file === undefined || all.length === written) return;
    appendWhole(file, toLines(all.slice(written)));
    written = all.length;
  }

  function close(): void {
    if (file !== undefined) closeSync(file);
    file = undefined;
  }

  function remove(): void {
    close();
    rmSync(path, { force: true });
  }
}

function toLines(values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('');
}

export function removeUnsent({ path }: UnsentRun): void {
  rmSync(path, { force: true });
}

/** The runs that processes now gone have left, oldest first. Files that make no sense are left alone. */
export function readUnsentRuns(folder: string): UnsentRun[] {
  return listJournals(folder)
    .map((name) => readJournal(join(folder, name)))
    .filter((run) => run !== undefined)
    .filter((run) => !isAlive(run.head.pid))
    .sort((a, b) => a.head.created - b.head.created);
}

function listJournals(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  } catch {
    return []; // no folder yet
  }
}

function readJournal(path: string): UnsentRun | undefined {
  try {
    const [first = '', ...rest] = readFileSync(path, 'utf8').split('\n');
    const head = v.parse(HeadSchema, JSON.parse(first));
    return { path, head, inputs: parseInputs(rest) };
  } catch {
    return undefined;
  }
}

/** A process may have died in the middle of a line: what follows the first gap does not count. */
function parseInputs(lines: readonly string[]): Input[] {
  const inputs: Input[] = [];
  for (const line of lines) {
    try {
      const input = v.parse(InputSchema, JSON.parse(line));
      if (input.seq !== inputs.length + 1) break;
      inputs.push(input);
    } catch {
      break;
    }
  }
  return inputs;
}

function isAlive(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
