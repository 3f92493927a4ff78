import { randomUUID } from 'node:crypto';
import { appendFileSync, closeSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { isRunning } from '../../kit/process-life.ts';
import { defaultRules, ruleValues } from '../../typing/rules/rules.ts';
import { PractisedSchema, usualPractised } from '../round/practised.ts';
import { type Input, type LocalRound, restoreRound } from '../round/round.ts';
import { endByTime } from '../round/time-limit.ts';
import { makeOwnFolder } from './folders.ts';
import { appendWhole } from './whole-append.ts';

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const instant = v.pipe(count, v.maxValue(8_640_000_000_000_000));

/** What identifies a round that is not delivered yet. */
const HeadSchema = v.object({
  session: v.pipe(v.string(), v.regex(/^[\w-]{1,100}$/)),
  /** The server of that session; `offlineServer` where none was named. */
  server: v.string(),
  /** The id to deliver the whole round under, where no server has begun it. */
  upload: v.optional(v.pipe(v.string(), v.uuid())),
  /** The id to deliver it whole under if the server has lost the session. Files of earlier versions have none. */
  spare: v.optional(v.pipe(v.string(), v.uuid())),
  punctuation: v.boolean(),
  words: v.pipe(v.array(v.string()), v.minLength(1), v.readonly()),
  /** Files of version 1 have none: a space before the end of a word was a mistake. */
  rules: v.fallback(
    v.object({
      earlySpace: v.picklist(ruleValues.earlySpace),
      stopOn: v.picklist(ruleValues.stopOn),
      backspace: v.picklist(ruleValues.backspace),
    }),
    defaultRules,
  ),
  /** Files of earlier versions have none: there was one mode only. */
  practised: v.optional(v.fallback(PractisedSchema, usualPractised)),
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
 * One round on disk while it is typed: every input is appended before it goes to the server, so a killed client loses
 * nothing, and a round that was finished without a server can be delivered by a later start.
 */
export interface UnsentJournal {
  readonly path: string;
  /** Inputs in the file so far. */
  readonly written: number;
  /** Appends what is not in the file yet: inputs, and that the round's time is over. */
  append(round: Pick<LocalRound, 'inputs' | 'isOver'>): void;
  /** Notes whether the server that began it may have it complete: to deliver it whole could count it twice. */
  noteSent(mayBeThere: boolean): void;
  /** Removes the file: the round is delivered, or given up on purpose. */
  remove(): void;
  /** Closes the file and leaves it for a later start. */
  close(): void;
}

export interface UnsentRound {
  readonly path: string;
  readonly head: JournalHead;
  readonly inputs: readonly Input[];
  /** Whether its time is over. */
  readonly isOver: boolean;
  /** Whether the server that began it may have it complete. */
  readonly mayBeThere: boolean;
}

/** The round as it was left, paused. */
export function toLeftRound({ head, inputs, isOver }: UnsentRound): LocalRound {
  const round = restoreRound(head.words, inputs, head.rules, head.practised);
  return isOver ? endByTime(round) : round;
}

/** Begins the journal of a round; `inputs` are those already typed when a round is taken up again. */
export function openUnsentJournal(
  folder: string,
  head: JournalHead,
  inputs: readonly Input[] = [],
): UnsentJournal {
  makeOwnFolder(folder);
  const path = join(folder, `${randomUUID()}.jsonl`);
  let file: number | undefined = openSync(path, 'ax', 0o600);
  let written: Written = { inputs: inputs.length, hasEnd: false };
  try {
    appendWhole(file, toLines([head, ...inputs]));
  } catch (error) {
    remove(); // an empty journal is of no use
    throw error;
  }
  return {
    path,
    get written() {
      return written.inputs;
    },
    append,
    noteSent(mayBeThere) {
      if (file !== undefined) appendWhole(file, `${toSentLine(mayBeThere)}\n`);
    },
    remove,
    close,
  };

  function append(round: Pick<LocalRound, 'inputs' | 'isOver'>): void {
    const lines = toMissingLines(written, round);
    if (file === undefined || lines.length === 0) return;
    appendWhole(file, toLines(lines));
    written = { inputs: round.inputs.length, hasEnd: round.isOver };
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

/** What of a round is in its file: its first inputs, and perhaps that its time is over. */
interface Written {
  readonly inputs: number;
  readonly hasEnd: boolean;
}

/** Written after the inputs when the time of a round is over. */
const endLine = { over: true };

/** What `noteSent` notes; the last of these lines counts. */
function toSentLine(mayBeThere: boolean): string {
  return JSON.stringify({ sent: mayBeThere });
}

function toMissingLines(
  written: Written,
  { inputs, isOver }: Pick<LocalRound, 'inputs' | 'isOver'>,
): readonly unknown[] {
  return [...inputs.slice(written.inputs), ...(isOver && !written.hasEnd ? [endLine] : [])];
}

function toLines(values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('');
}

/** Notes of a round that was left what `noteSent` notes of one in hand. */
export function noteUnsentSent({ path }: UnsentRound, mayBeThere: boolean): void {
  appendFileSync(path, `${toSentLine(mayBeThere)}\n`);
}

export function removeUnsent({ path }: UnsentRound): void {
  rmSync(path, { force: true });
}

/** The rounds that processes now gone have left, oldest first. Files that make no sense are left alone. */
export function readUnsentRounds(folder: string): UnsentRound[] {
  return listJournals(folder)
    .map((name) => readJournal(join(folder, name)))
    .filter((round) => round !== undefined)
    .filter((round) => round.head.pid === process.pid || !isRunning({ pid: round.head.pid, started: null }))
    .sort((a, b) => a.head.created - b.head.created);
}

function listJournals(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  } catch {
    return []; // no folder yet
  }
}

function readJournal(path: string): UnsentRound | undefined {
  try {
    const [first = '', ...rest] = readFileSync(path, 'utf8').split('\n');
    const head = v.parse(HeadSchema, JSON.parse(first));
    const inputs = parseInputs(rest);
    const ends = rest.slice(inputs.length);
    const isOver = ends[0] === JSON.stringify(endLine);
    const noted = ends.findLast((line) => line === toSentLine(true) || line === toSentLine(false));
    return { path, head, inputs, isOver, mayBeThere: noted === toSentLine(true) };
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
