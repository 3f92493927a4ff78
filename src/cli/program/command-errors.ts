/** Wrong usage: the sentence says what was wrong and what would be right; the exit code is 2. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

/** The person at the terminal decided against it. That is not an error, but nothing was done either: exit code 1. */
export class DeclinedError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'DeclinedError';
  }
}

/** Something failed or was declined after a person had typed: `command`, on a line of its own below the reason, does it again. */
export class ReminderError extends Error {
  constructor(
    readonly reason: unknown,
    readonly command: string,
  ) {
    super('what was typed was not used', { cause: reason });
    this.name = 'ReminderError';
  }
}

/** It was understood, but cannot be done as things are: exit code 1. */
export class RefusedError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'RefusedError';
  }
}
