/*
 * Rounds that are not delivered yet. Each round has a file in the folder `unsent` from its start: every key
 * is written there at once, so that a killed program loses nothing. A finished round is added to
 * the store of this computer and uploaded to the server that it was typed for (`delivery.ts`). Both know a
 * round by its id, so doing that repeatedly is harmless; when both have it, its file is removed.
 */
import {
  closeSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import { isRunning, processStart } from '../../kit/process-life.ts';
import { maxUnixMs, type Timing } from '../../typing/statistics/finished-round.ts';
import { makePrivateFolder } from '../record/folders.ts';
import { RoundStartSchema } from '../round/round-setup.ts';
import { isDone, type RoundView, type TypedInput, timingOf } from '../round/round-view.ts';

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const unix = v.pipe(count, v.maxValue(maxUnixMs));

/** The first line of a file. */
const HeadSchema = v.object({
  ...RoundStartSchema.entries,
  /** The server that the round is for, by its `name`; empty: it stays on this computer. */
  server: v.string(),
  /** Whether it is a text of the typist's own: only a server that the typist names gets it. */
  isCustomText: v.boolean(),
  /** The process in which it is typed: while that runs, no other one continues the round. */
  pid: count,
  /** Distinguishes it from a later process with the same pid; empty if the system does not say. */
  processStart: v.string(),
  /** Unix ms. */
  created: unix,
});
export type RoundHead = Readonly<v.InferOutput<typeof HeadSchema>>;

/** Each following line. */
const InputSchema = v.object({
  key: v.pipe(v.string(), v.minLength(1), v.maxLength(32)),
  ms: count,
  at: v.pipe(v.number(), v.finite(), v.minValue(0)),
  unix,
});

/** The last line of a finished round: its timing. */
const EndSchema = v.object({ start: unix, end: unix, duration: count });

/** The file of a round that is being typed. */
export type RoundFile = ReturnType<typeof openRoundFile>;

/** Creates the file of a round, or continues an earlier one. Throws if the file cannot be written. */
export function openRoundFile(folder: string, head: RoundHead, before: readonly TypedInput[] = []) {
  makePrivateFolder(folder);
  const path = pathOf(folder, head);
  // Replaced as a whole: the file of an earlier run must not be lost, and it may end in the middle of a line.
  const draft = path + draftEnding;
  try {
    writeFileSync(draft, linesOf([head, ...before]), { mode: 0o600 });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
  let file: number | undefined = openSync(path, 'a');
  let written = before.length;
  let isFinished = false;
  return {
    /** Inputs in it so far. */
    get written(): number {
      return written;
    },
    /** Whether it has the whole round, with its timing, and has not been removed by something else. */
    get isFinished(): boolean {
      return isFinished && existsSync(path);
    },
    /** Appends the inputs that are not in it yet, all or none. Throws if the file cannot be written. */
    write(round: RoundView): void {
      if (file === undefined) return;
      const isDue = isDone(round) && round.ended === undefined;
      const lines = [...round.log.slice(written), ...(isDue ? [timingOf(round)] : [])];
      if (lines.length > 0) appendWhole(file, linesOf(lines));
      written = round.inputCount;
      isFinished = isDue;
    },
    exists: () => existsSync(path),
    close(): void {
      if (file !== undefined) closeSync(file);
      file = undefined;
    },
  };
}

const draftEnding = '.new';

/** Another process that continues the round renames its file. */
export function pathOf(folder: string, { id, pid }: Pick<RoundHead, 'id' | 'pid'>): string {
  return join(folder, `${id}.${pid}.jsonl`);
}

/** Takes over an interrupted round; false if another process was faster. */
export function claimRound({ path, head }: UnsentRound): boolean {
  try {
    renameSync(path, pathOf(dirname(path), { id: head.id, pid: process.pid }));
    return true;
  } catch {
    return existsSync(path); // typed on in any case; that the disk fails is told later
  }
}

function linesOf(values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('');
}

/** Appends all of the text or, on a full disk, nothing of it: half a line would hide what follows. */
function appendWhole(file: number, text: string): void {
  const bytes = Buffer.from(text);
  let written = 0;
  try {
    while (written < bytes.length) written += writeSync(file, bytes, written);
  } catch (error) {
    ftruncateSync(file, fstatSync(file).size - written);
    throw error;
  }
}

/** A round in the folder. */
export interface UnsentRound {
  readonly path: string;
  readonly head: RoundHead;
  readonly inputs: readonly TypedInput[];
  /** Undefined if it is not finished. */
  readonly timing: Timing | undefined;
}

/** All rounds in the folder, oldest first. Invalid files are left alone. */
export function readUnsentRounds(folder: string): UnsentRound[] {
  return namesIn(folder, '.jsonl')
    .flatMap((name) => readUnsentRound(join(folder, name)) ?? [])
    .sort((a, b) => a.head.created - b.head.created);
}

function namesIn(folder: string, ending: string): string[] {
  try {
    // Reading a pipe or a device would never end.
    return readdirSync(folder, { withFileTypes: true })
      .filter((file) => file.isFile() && file.name.endsWith(ending))
      .map(({ name }) => name);
  } catch {
    return []; // no folder yet
  }
}

function readUnsentRound(path: string): UnsentRound | undefined {
  try {
    const [first = '', ...lines] = readFileSync(path, 'utf8').split('\n');
    const head = v.parse(HeadSchema, JSON.parse(first));
    const values = [...lines, ''].map(parseJson);
    // A process may have died in the middle of a line: what follows does not count.
    const end = values.findIndex((value) => !v.is(InputSchema, value));
    const timing = v.is(EndSchema, values[end]) ? values[end] : undefined;
    return { path, head, inputs: values.slice(0, end) as TypedInput[], timing };
  } catch {
    return undefined;
  }
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/**
 * Rounds that an earlier run left unfinished and that no process types now, oldest first. The files of those
 * in which nothing was typed are removed, and so is what killed processes have left of files.
 */
export function readInterruptedRounds(folder: string): UnsentRound[] {
  const left = readUnsentRounds(folder).filter(
    ({ timing, head, path }) =>
      timing === undefined && !isRunning(head.pid, head.processStart) && !isClaimed(path, head),
  );
  for (const { path, inputs } of left) if (inputs.length === 0) removeRound(path);
  for (const name of namesIn(folder, draftEnding))
    if (!isRunning(pidIn(name), '')) removeRound(join(folder, name));
  return left.filter(({ inputs }) => inputs.length > 0);
}

/** Whether another process has just renamed the file, and not yet written its own head. */
function isClaimed(path: string, { pid }: RoundHead): boolean {
  const claimer = pidIn(path);
  return claimer !== pid && isRunning(claimer, '');
}

function pidIn(path: string): number {
  return Number(/\.(\d+)\.jsonl/.exec(path)?.[1]);
}

export function removeRound(path: string): void {
  // A folder that is a file, or in one, is an error even with `force`.
  if (existsSync(path)) rmSync(path, { force: true });
}

/** This process, as the head of a round identifies it. */
export function thisProcess(): Pick<RoundHead, 'pid' | 'processStart'> {
  return { pid: process.pid, processStart: processStart(process.pid) ?? '' };
}
