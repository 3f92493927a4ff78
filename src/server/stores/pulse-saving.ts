import type { Pulse } from './ports.ts';

/** Milliseconds that counts wait in memory at most, as long as they can be saved. */
const pulseSaveEvery = 4_000;

/** Saves what was counted every few seconds; what it returns stops that. */
export function startSaving(pulse: Pick<Pulse, 'save'>): () => void {
  const timer = setInterval(() => void pulse.save(), pulseSaveEvery).unref();
  return () => clearInterval(timer);
}
