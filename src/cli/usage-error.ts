/** Wrong usage: the sentence says what was wrong and what would be right; the exit code is 2. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}
