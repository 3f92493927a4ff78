/** Doubling waits from 100 ms to 2 s; the jitter keeps many clients of one server from coming back in step. */
export function toBackOff(attempt: number): number {
  return Math.min(2000, 100 * 2 ** Math.min(attempt - 1, 10)) * (0.75 + Math.random() / 2);
}
