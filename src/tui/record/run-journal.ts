import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Input } from '../game/run.ts';
import { makeFolder } from './folders.ts';
import { appendWhole } from './whole-append.ts';

/** What identifies a run that is not delivered yet. */
export interface JournalHead {
  readonly session: string;
  /** The server of that session. */
  readonly server: string;
  readonly punctuation: boolean;
  readonly words: readonly string[];
  /** The process that types it: while it lives, nobody else touches the file. */
  readonly pid: number;
  /** Unix ms. */
  readonly created: number;
}

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
    const head = JSON.parse(first) as JournalHead;
    const isHead =
      typeof head.session === 'string' && typeof head.pid === 'number' && Array.isArray(head.words);
    return isHead ? { path, head, inputs: parseInputs(rest) } : undefined;
  } catch {
    return undefined;
  }
}

/** A process may have died in the middle of a line: what follows the first gap does not count. */
function parseInputs(lines: readonly string[]): Input[] {
  const inputs: Input[] = [];
  for (const line of lines) {
    try {
      const input = JSON.parse(line) as Input;
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
