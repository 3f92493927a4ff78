/** When each session was last noted as living, by this server. */
export interface Renewals {
  /** Whether it is time to note it again; from then on it counts as noted. */
  isDue(id: string, time: number): boolean;
  forget(id: string): void;
}

/** Those forgotten beyond this number are noted once more than they need to be. */
const mostNoted = 20_000;

/** @param interval milliseconds */
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
