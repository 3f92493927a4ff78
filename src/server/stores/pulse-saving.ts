import type { Pulse } from './ports.ts';

/** Longest time that counts stay in memory, in milliseconds, if saving works. */
const pulseSaveEvery = 4_000;

/** Saves counts every few seconds. Returns a function that stops it. */
export function startSaving(pulse: Pick<Pulse, 'save'>): () => void {
  const timer = setInterval(() => void pulse.save(), pulseSaveEvery).unref();
  return () => clearInterval(timer);
}
