/** Wrong tokens that a client may send within a span, and the span in milliseconds. */
const mostWrong = 5;
const span = 60_000;
/** Most clients remembered; the one whose last wrong token is oldest is forgotten first. */
const mostClients = 10_000;

/** Counts the wrong tokens of each client within the last minute. */
export interface WrongTokens {
  /** Seconds until this client may send a token again, right or wrong; 0 if it may now. */
  waitOf(client: string, now: number): number;
  note(client: string, now: number): void;
}

/**
 * After five wrong tokens a client is refused before its token is checked: otherwise the answer would still reveal whether the
 * sixth was right. `now` is in milliseconds, of a monotonic clock.
 */
export function createWrongTokens(): WrongTokens {
  const times = new Map<string, readonly number[]>();
  const recent = (client: string, now: number) =>
    (times.get(client) ?? []).filter((time) => time > now - span);
  return {
    waitOf(client, now) {
      const [first, ...others] = recent(client, now);
      return first === undefined || others.length < mostWrong - 1
        ? 0
        : Math.max(1, Math.ceil((first + span - now) / 1000));
    },
    note(client, now) {
      const noted = [...recent(client, now), now];
      times.delete(client);
      times.set(client, noted);
      const [oldest] = times.keys();
      if (times.size > mostClients && oldest !== undefined) times.delete(oldest);
    },
  };
}
