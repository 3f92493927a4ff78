/*
 * Rounds on their way to where they are kept. Each round has a file in the folder `unsent` from its first
 * word on: every key is in it before it goes anywhere, so that a killed program loses nothing. A finished
 * round is handed to the store of this computer and to the server that it was typed for. Both know a round by
 * its id, so it can be handed over again and again, and to any server; when both have it, its file is
 * removed.
 */
import {
  closeSync,
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
import { join } from 'node:path';
import * as v from 'valibot';
import type { InputEvent, RoundUpload, TimingRequest } from '../../contract/request-types.ts';
import { wireRules } from '../../contract/session-setup.ts';
import { isRunning, startOf } from '../../kit/process-life.ts';
import { readInputs } from '../../typing/round.ts';
import { parseInputText } from '../../typing/round-input.ts';
import { backspaceKey, ruleValues, spaceKey } from '../../typing/rules/rules.ts';
import type { Timing } from '../../typing/statistics/finished-round.ts';
import { makeOwnFolder } from '../record/folders.ts';
import { RoundSetupSchema } from '../round/round-setup.ts';
import { isDone, type RoundView, restoredRound, type TypedInput, timingOf } from '../round/round-view.ts';
import { ServerProblem } from './answers.ts';
import type { SessionApi } from './session.ts';

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const unix = v.pipe(count, v.maxValue(8_640_000_000_000_000));

const HeadSchema = v.object({
  id: v.pipe(v.string(), v.uuid()),
  /** The server that the round is for, by its URL; empty: it stays on this computer. */
  server: v.string(),
  punctuation: v.boolean(),
  words: v.pipe(v.array(v.string()), v.minLength(1), v.readonly()),
  rules: v.object({
    earlySpace: v.picklist(ruleValues.earlySpace),
    stopOn: v.picklist(ruleValues.stopOn),
    backspace: v.picklist(ruleValues.backspace),
  }),
  roundSetup: RoundSetupSchema,
  /** The process that types it: while it lives, nobody else goes on with the round. */
  pid: count,
  /** Tells it from a later process with the same pid; empty if the system does not say. */
  processStart: v.optional(v.string(), ''),
  /** Unix ms. */
  created: unix,
});
export type RoundHead = Readonly<v.InferOutput<typeof HeadSchema>>;

/** Key, seek time, active ms and Unix ms. */
const InputSchema = v.tuple([
  v.pipe(v.string(), v.minLength(1), v.maxLength(32)),
  count,
  v.pipe(v.number(), v.finite(), v.minValue(0)),
  unix,
]);

/** The last line of a round left in the middle: its process may take a moment to end. */
const leftMark = 'left';

/** The last line of a finished round: its timing. */
const EndSchema = v.object({ start: unix, end: unix, duration: count });

/** The file of a round that is being typed. */
export type RoundFile = ReturnType<typeof openRoundFile>;

/** Creates the file of a round, or continues an earlier one. Throws if the file cannot be written. */
export function openRoundFile(folder: string, head: RoundHead, before: readonly TypedInput[] = []) {
  makeOwnFolder(folder);
  const path = join(folder, `${head.id}.jsonl`);
  // Replaced as a whole: the file of an earlier run must not be lost, and it may end in the middle of a line.
  writeFileSync(`${path}.new`, linesOf([head, ...before.map(lineOf)]), { mode: 0o600 });
  renameSync(`${path}.new`, path);
  let file: number | undefined = openSync(path, 'a');
  let written = before.length;
  /** UTF-16 units of those inputs in the round. */
  let units = restoredRound(head, before).inputs.length;
  let isFinished = false;
  return {
    /** Inputs in it so far. */
    get written(): number {
      return written;
    },
    /** Appends the inputs that are not in it yet, all or none. Throws if the file cannot be written. */
    write(round: RoundView): void {
      if (file === undefined) return;
      const inputs = parseInputText(round.inputs.slice(units)) ?? [];
      const unix = round.endUnix ?? 0;
      const lines: unknown[] = inputs.map(({ key, ms }, at) =>
        lineOf({ key, ms, at: round.moments[written + at] ?? 0, unix }),
      );
      const isFinish = isDone(round) && round.ended === undefined && !isFinished;
      if (isFinish) lines.push(timingOf(round));
      if (lines.length === 0) return;
      appendWhole(file, linesOf(lines));
      written = round.inputCount;
      units = round.inputs.length;
      isFinished ||= isFinish;
    },
    remove(): void {
      close();
      removeRound(path);
    },
    close,
  };

  /** Leaves the round to another process. */
  function close(): void {
    if (file === undefined) return;
    try {
      if (!isFinished) appendWhole(file, linesOf([leftMark]));
    } catch {} // the end of this process says it, too
    closeSync(file);
    file = undefined;
  }
}

function lineOf({ key, ms, at, unix }: TypedInput): readonly unknown[] {
  return [key, ms, at, unix];
}

function linesOf(values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('');
}

/** Appends all of the text or, on a full disk, nothing of it: half a line would hide what follows. */
function appendWhole(file: number, text: string): void {
  const { size } = fstatSync(file);
  const bytes = Buffer.from(text);
  let written = 0;
  try {
    while (written < bytes.length) written += writeSync(file, bytes, written);
  } catch (error) {
    ftruncateSync(file, size);
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
  /** Its process types no more of it. */
  readonly isLeft: boolean;
}

/** A finished round as it would be in the folder. */
export function unsentRound(head: RoundHead, round: RoundView): UnsentRound {
  const unix = round.endUnix ?? 0;
  const inputs = readInputs(round).map(({ key, ms }, at) => ({ key, ms, at: round.moments[at] ?? 0, unix }));
  return { path: '', head, inputs, timing: timingOf(round), isLeft: true };
}

/** The round as it was interrupted, paused. */
export function restoreRound({ head, inputs }: UnsentRound): RoundView {
  return restoredRound(head, inputs);
}

/** All rounds in the folder, oldest first. Files that make no sense are left alone. */
export function readUnsentRounds(folder: string): UnsentRound[] {
  return namesIn(folder)
    .flatMap((name) => readUnsentRound(join(folder, name)) ?? [])
    .sort((a, b) => a.head.created - b.head.created);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  } catch {
    return []; // no folder yet
  }
}

function readUnsentRound(path: string): UnsentRound | undefined {
  try {
    const [first = '', ...lines] = readFileSync(path, 'utf8').split('\n');
    const head = v.parse(HeadSchema, JSON.parse(first));
    const inputs: TypedInput[] = [];
    let timing: Timing | undefined;
    let isLeft = !isRunning(head.pid, head.processStart);
    for (const line of lines) {
      // A process may have died in the middle of a line: what follows does not count.
      const value: unknown = parseJson(line);
      const input = v.safeParse(InputSchema, value);
      if (!input.success) {
        timing = v.is(EndSchema, value) ? value : undefined;
        isLeft ||= value === leftMark;
        break;
      }
      const [key, ms, at, unix] = input.output;
      inputs.push({ key, ms, at, unix });
    }
    return { path, head, inputs, timing, isLeft };
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

/** Rounds that an earlier run left in the middle, and that nobody types now, oldest first. */
export function readInterruptedRounds(folder: string): UnsentRound[] {
  return readUnsentRounds(folder).filter(
    ({ timing, inputs, isLeft }) => timing === undefined && inputs.length > 0 && isLeft,
  );
}

/** Removes files of ended processes in which nothing was typed. */
export function removeEmptyRounds(folder: string): void {
  for (const { path, inputs, isLeft } of readUnsentRounds(folder))
    if (inputs.length === 0 && isLeft) removeRound(path);
}

export function removeRound(path: string): void {
  if (path !== '') rmSync(path, { force: true });
}

/** What the head of a round says of this process. */
export function thisProcess(): Pick<RoundHead, 'pid' | 'processStart'> {
  return { pid: process.pid, processStart: startOf(process.pid) ?? '' };
}

export interface FlushOptions {
  readonly folder: string;
  /** The store of this computer. */
  readonly local: SessionApi;
  /** A server that answers, and what rounds for it are marked with; undefined: there is none now. */
  readonly server: { readonly api: SessionApi; readonly name: string } | undefined;
  /** Ids of rounds that this computer is known to have; those that it has from now on are added. */
  readonly saved?: Set<string>;
  /** Rounds that could not be written to disk. */
  readonly inMemory?: readonly UnsentRound[];
}

export interface Flushed {
  /** Rounds that are where they belong. */
  readonly done: readonly string[];
  /** Rounds that the server has now. */
  readonly delivered: number;
  /** The servers that rounds still wait for, one for each round. */
  readonly waiting: readonly string[];
  /** Why a round could not be saved on this computer; empty if all could. */
  readonly unsaved: string;
  /** Why the server does not answer; empty if it does. */
  readonly away: string;
}

/** Delivers all finished rounds. Safe at any time, and by several processes at once. Never rejects. */
export async function flush(options: FlushOptions): Promise<Flushed> {
  const { folder, local, server, saved, inMemory = [] } = options;
  let [delivered, unsaved, away] = [0, '', ''];
  const waiting: string[] = [];
  const done: string[] = [];
  for (const kept of [...readUnsentRounds(folder), ...inMemory]) {
    const { head, path, timing } = kept;
    if (timing === undefined) continue;
    const upload = roundUpload(kept, timing);
    const problem = saved?.has(head.id) ? undefined : await handOver(local, upload);
    if (problem?.code === 'INVALID_REQUEST') setAside(path);
    if (problem !== undefined) {
      unsaved = problem.message;
      continue;
    }
    saved?.add(head.id);
    const isForHere = head.server === server?.name;
    const isKnown = head.server === '';
    if (!isKnown && isForHere && server !== undefined && away === '') {
      const refusal = await handOver(server.api, upload);
      // What a server refuses for good is kept here, and there is nothing to wait for.
      if (refusal !== undefined && refusal.code !== 'INVALID_REQUEST') away = refusal.message;
      else if (refusal === undefined) delivered += 1;
    }
    if (isKnown || (isForHere && away === '')) {
      removeRound(path);
      done.push(head.id);
    } else waiting.push(head.server);
  }
  return { done, delivered, waiting, unsaved, away };
}

async function handOver(api: SessionApi, upload: RoundUpload): Promise<ServerProblem | undefined> {
  try {
    await api.addRound(upload);
    return undefined;
  } catch (problem) {
    return problem instanceof ServerProblem ? problem : new ServerProblem('away', String(problem));
  }
}

/** Moves a refused file away, for people to examine: no rule refuses what this program writes. */
function setAside(path: string): void {
  if (path === '') return;
  try {
    renameSync(path, `${path}.refused`);
  } catch {}
}

function roundUpload({ head, inputs }: Pick<UnsentRound, 'head' | 'inputs'>, timing: Timing): RoundUpload {
  const { id, words, rules, punctuation, roundSetup } = head;
  const { mode, language, layout } = roundSetup;
  return {
    id,
    words: [...words],
    rules: wireRules(rules),
    mode,
    language,
    layout,
    punctuation_mode: punctuation,
    events: inputs.map(inputEvent),
    ...timingRequest(timing),
  };
}

export function timingRequest({ start, end, duration }: Timing): TimingRequest {
  return { start_time_unix_ms: start, end_time_unix_ms: end, duration_ms: duration };
}

/** An input as the API takes it. @param at its place in the round, from 0 */
export function inputEvent({ key, ms }: Pick<TypedInput, 'key' | 'ms'>, at: number): InputEvent {
  const seq = at + 1;
  if (key === backspaceKey) return { type: 'backspace', seq };
  if (key === spaceKey) return { type: 'space', seek_time_ms: ms, seq };
  return { type: 'keystroke', char: key, seek_time_ms: ms, seq };
}
