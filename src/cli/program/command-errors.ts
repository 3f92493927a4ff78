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

/** It was understood, but cannot be done as things are: exit code 1. */
export class RefusedError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'RefusedError';
  }
}
