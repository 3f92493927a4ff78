import { ContentError } from '../../server/stores/content/content-error.ts';
import { DeclinedError, RefusedError, ReminderError } from '../program/command-errors.ts';
import type { Answers } from './announcement-lines.ts';
import type { Reminder } from './typed-command.ts';

/** What an editor has answered, and what must not be lost where it cannot be done. */
export interface Asked {
  readonly answers: Answers;
  /** Adds what was typed, or where it is, to the reason why the work failed. */
  readonly keepTyped: <T>(work: Promise<T>) => Promise<T>;
}

export async function withReminder<T>(work: Promise<T>, reminder: Reminder): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const isReason = error instanceof RefusedError || error instanceof ContentError;
    throw isReason ? withCommand(withText(error, reminder.text), reminder) : error;
  }
}

/** @param what what was not done, such as `nothing was changed` */
export function toDeclined(what: string, reminder: Reminder): Error {
  return withCommand(new DeclinedError(what + reminder.text), reminder);
}

function withCommand(reason: Error, { command }: Reminder): Error {
  return command === undefined ? reason : new ReminderError(reason, command);
}

function withText(error: RefusedError | ContentError, reminder: string): Error {
  if (reminder === '') return error;
  if (error instanceof RefusedError) return new RefusedError(withoutStop(error.message) + reminder);
  const { message, file, problems } = error;
  return new ContentError(withoutStop(message) + reminder, file, problems, { cause: error });
}

function withoutStop(sentence: string): string {
  return sentence.replace(/\.$/, '');
}
