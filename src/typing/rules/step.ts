import type { Progress, RunningProgress } from './progress.ts';
import { backspaceKey, newProblem, type Problem, type Rules, spaceKey } from './rules.ts';
import type { Word } from './word.ts';

/** Maximum number of characters typed past the end of a word. */
const maxExcess = 32;

/** The answer to one key, under the names of the wire: to a character, a backspace or a space. */
export type InputResult =
  | { readonly is_correct: boolean; readonly timer_started: boolean; readonly char_index: number }
  | { readonly success: boolean; readonly new_length: number }
  | { readonly advanced: boolean; readonly round_complete: boolean; readonly treated_as_error: boolean };

export interface Step {
  readonly result: InputResult;
  readonly report: KeyReport;
}

/**
 * Decides the effect of one key. This is the only implementation of the rules: server, recovery, statistics
 * and a client's echo all use it. The round must not be complete.
 *
 * @param progress changed in place unless the key is refused; a copy (`copyProgress`) keeps the old one
 * @param ms the key's seek time; 0 means not measured
 */
export function step(
  words: readonly Word[],
  rules: Rules,
  progress: RunningProgress,
  key: string,
  ms: number,
): Step | { problem: Problem } {
  const word = words[progress.wordIndex] as Word;
  if (key === backspaceKey) return stepBack(word, rules, progress);
  if (key !== spaceKey) return stepCharacter(word, rules, progress, key, ms);
  return stepSpace(word, rules, progress, ms, words.length);
}

function stepCharacter(
  word: Word,
  { stop_on: stopOn }: Rules,
  progress: RunningProgress,
  key: string,
  ms: number,
): Step | { problem: Problem } {
  const at = progress.input.length;
  const isRight = word[at] === key;
  const isKept = isRight || stopOn !== 'letter';
  if (isKept && at >= word.length + maxExcess) {
    return newProblem('INVALID_REQUEST', `At most ${maxExcess} characters fit past the end of a word.`);
  }
  const startsTimer = isRight && !progress.timerStarted && progress.wordIndex === 0 && at === 0;
  const { isFirst, isAgain } = reach(progress, at, isRight);
  const isTimed = progress.timerStarted;
  if (startsTimer) progress.timerStarted = true;
  if (isKept) {
    progress.input.push(key);
    if (!isRight) progress.wrong++;
  }
  const report = newReport('character', key, ms, word, at, isTimed);
  report.isRight = isRight;
  report.isFirst = isFirst;
  report.isAgain = isAgain;
  report.isKept = isKept;
  report.startsTimer = startsTimer;
  return { result: { is_correct: isRight, timer_started: startsTimer, char_index: at }, report };
}

/** Records a key at a position. Returns whether it is the first there, and whether it is right again. */
function reach(
  progress: RunningProgress,
  at: number,
  isRight: boolean,
): { isFirst: boolean; isAgain: boolean } {
  const { reached } = progress;
  const isFirst = at === reached.length;
  const wasRight = reached[at] === 'r';
  if (isFirst) progress.reached = reached + (isRight ? 'r' : 'w');
  else if (isRight) progress.reached = `${reached.slice(0, at)}r${reached.slice(at + 1)}`;
  return { isFirst, isAgain: isRight && wasRight };
}

function stepSpace(word: Word, rules: Rules, progress: RunningProgress, ms: number, wordCount: number): Step {
  const { wrong, timerStarted } = progress;
  const { length } = progress.input;
  const isCovered = length >= word.length;
  const isSkipped = !isCovered && length > 0 && rules.early_space === 'skip';
  const isIdle = length === 0 && !timerStarted;
  const isStopped = rules.stop_on === 'word' && (wrong > 0 || isSkipped);
  if (isCovered || isSkipped) {
    return isStopped ? noEffect(word, progress, ms) : advance(word, progress, ms, wordCount);
  }
  if (isIdle) return noEffect(word, progress, ms);
  // Never refused: a space before the end of the word cannot be past the limit.
  const { report } = stepCharacter(word, rules, progress, spaceKey, ms) as Step;
  return { result: { advanced: false, round_complete: false, treated_as_error: true }, report };
}

function noEffect(word: Word, progress: Progress, ms: number): Step {
  const report = newReport('nothing', spaceKey, ms, word, progress.input.length, progress.timerStarted);
  return { result: { advanced: false, round_complete: false, treated_as_error: false }, report };
}

function advance(word: Word, progress: RunningProgress, ms: number, wordCount: number): Step {
  const { reached } = progress;
  const { length } = progress.input;
  const report = newReport('advance', spaceKey, ms, word, length, progress.timerStarted);
  report.omitted = Math.max(0, word.length - length);
  report.unreached = Math.max(0, word.length - reached.length);
  progress.wordIndex++;
  progress.input = [];
  progress.wrong = 0;
  progress.reached = '';
  const isLast = progress.wordIndex === wordCount;
  report.endsRound = isLast;
  return { result: { advanced: true, round_complete: isLast, treated_as_error: false }, report };
}

function stepBack(word: Word, rules: Rules, progress: RunningProgress): Step {
  const key = progress.input.at(-1);
  const at = progress.input.length - 1;
  if (key === undefined || rules.backspace === 'none') {
    return {
      result: { success: false, new_length: progress.input.length },
      report: newReport('nothing', backspaceKey, 0, word, progress.input.length, progress.timerStarted),
    };
  }
  const report = newReport('deletion', key, 0, word, at, progress.timerStarted);
  report.isRight = word[at] === key;
  progress.input.pop();
  if (!report.isRight) progress.wrong--;
  return { result: { success: true, new_length: at }, report };
}

/** @param isTimed the timer was running before this key */
function newReport(kind: KeyKind, key: string, ms: number, word: Word, at: number, isTimed: boolean) {
  return {
    kind,
    /** The key; for a deletion, the deleted character. */
    key,
    /** Seek time in milliseconds; 0 means not measured. */
    ms,
    word,
    /** Position of the character; for an advance, the number of characters typed in the word. */
    at,
    isTimed,
    startsTimer: false,
    /** The character matches; for a deletion, the deleted one did. */
    isRight: false,
    /** The first keystroke at this position. */
    isFirst: false,
    /** A right key at a position where the right key had been typed before. */
    isAgain: false,
    /** The character entered the word; false only for a wrong one if the rules stop on a wrong letter. */
    isKept: false,
    /** For an advance: characters missing from the word, and positions that were never reached. */
    omitted: 0,
    unreached: 0,
    endsRound: false,
  };
}

/**
 * `character`: a keystroke, including a space that counts as an error · `deletion`: a deleted character ·
 * `advance`: the end of a word · `nothing`: no effect except that time passed.
 */
type KeyKind = 'character' | 'deletion' | 'advance' | 'nothing';

/** What one key did, in enough detail to compute every statistic from these reports alone. */
export type KeyReport = Readonly<ReturnType<typeof newReport>>;
