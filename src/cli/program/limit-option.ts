import { UsageError } from './command-errors.ts';

export const limitOption = ['--limit <count>', 'how many at most (default: 20)'] as const;

export function parseLimit(text = '20'): number {
  if (!/^[1-9]\d{0,6}$/.test(text))
    throw new UsageError(`--limit takes a whole number of at least 1, not "${text}"`);
  return Number(text);
}
