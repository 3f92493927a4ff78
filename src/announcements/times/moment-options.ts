import { parseMoment } from './moment.ts';

export interface MomentContext {
  readonly zone: string;
  readonly now: number;
}

/** A start in epoch milliseconds, or what is wrong with it. The first second of today is over: what starts today starts now. */
export function parseStart(text: string, { zone, now }: MomentContext) {
  const written = /^\s*today\s*$/i.test(text) ? 'now' : text;
  return parseMoment(written, { zone, now, dateMeans: 'start' });
}

/** Likewise the moment at which an announcement is to end early; a date means its first second. */
export function parseEarlyEnd(text: string, { zone, now }: MomentContext) {
  return parseMoment(text, { zone, now, dateMeans: 'start' });
}

/** An expiry in epoch milliseconds, or what is wrong with it; spans count from the start if that is still to come. */
export function parseExpiry(text: string, start: number, { zone, now }: MomentContext) {
  return parseMoment(text, { zone, now, base: Math.max(start, now), dateMeans: 'end' });
}

export const defaultExpiry = '+30d';
