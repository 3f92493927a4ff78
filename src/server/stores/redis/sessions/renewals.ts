/** When this server last noted a use of each session. */
export interface Renewals {
  /** Whether it is time to note a use again; if so, it then counts as noted. */
  isDue(id: string, time: number): boolean;
  forget(id: string): void;
}

/** Most sessions remembered; one that is forgotten is merely noted once more than necessary. */
const mostNoted = 20_000;

/** @param interval in milliseconds */
export function createRenewals(interval: number): Renewals {
  const noted = new Map<string, number>();
  return {
    isDue(id, time) {
      const last = noted.get(id);
      if (last !== undefined && time - last < interval) return false;
      noted.delete(id);
      noted.set(id, time);
      if (noted.size > mostNoted) noted.delete(noted.keys().next().value as string);
      return true;
    },
    forget: (id) => void noted.delete(id),
  };
}
