import { ContentError } from '../../server/stores/content/content-error.ts';
import { RefusedError } from '../program/command-errors.ts';
import type { Answers } from './announcement-lines.ts';

/** What an editor has answered, and what must not be lost if it cannot be done. */
export interface Asked {
  readonly answers: Answers;
  /** Adds what was typed, or where it is, to the reason why the work failed. */
  readonly keepTyped: <T>(work: Promise<T>) => Promise<T>;
}

/** Repeats a message that was typed; the other answers are still on the screen. */
export function keepTyped(message: string): Asked['keepTyped'] {
  return (work) => withReminder(work, message === '' ? '' : `; the message was: “${message}”`);
}

/** @param reminder goes on after a sentence without its full stop; may be empty */
export async function withReminder<T>(work: Promise<T>, reminder: string): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const isReason = error instanceof RefusedError || error instanceof ContentError;
    if (!isReason || reminder === '') throw error;
    const sentence = error.message.replace(/\.$/, '') + reminder;
    if (error instanceof RefusedError) throw new RefusedError(sentence);
    throw new ContentError(sentence, error.file, error.problems, { cause: error });
  }
}
