import { ContentError } from '../../server/stores/content/content-error.ts';
import { RefusedError } from '../program/command-errors.ts';
import type { Answers } from './announcement-lines.ts';

/** What an editor has answered, and what must not be lost where it cannot be done. */
export interface Asked {
  readonly answers: Answers;
  /** Adds what was typed, or where it is, to the reason why the work failed. */
  readonly keepTyped: <T>(work: Promise<T>) => Promise<T>;
}

/** @param reminder begins with a semicolon, or is empty */
export async function withReminder<T>(work: Promise<T>, reminder: string): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw toReminding(error, reminder);
  }
}

function toReminding(error: unknown, reminder: string): unknown {
  if (reminder === '') return error;
  if (error instanceof RefusedError) return new RefusedError(withoutStop(error.message) + reminder);
  if (!(error instanceof ContentError)) return error;
  const { message, file, problems } = error;
  return new ContentError(withoutStop(message) + reminder, file, problems, { cause: error });
}

function withoutStop(sentence: string): string {
  return sentence.replace(/\.$/, '');
}
