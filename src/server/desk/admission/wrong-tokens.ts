/** Wrong tokens of a client that are let through within the span, in milliseconds. */
const mostWrong = 5;
const span = 60_000;
/** Clients remembered; the one that was wrong least recently is forgotten first. */
const mostClients = 10_000;

/** How often each client was wrong within the last minute. */
export interface WrongTokens {
  /** Seconds until this client may try a token again, right or wrong; 0 where it may now. */
  waitOf(client: string, now: number): number;
  note(client: string, now: number): void;
}

/**
 * A client that was wrong five times is refused before its token is looked at: else the answer would still say whether the
 * sixth was right. Both methods take milliseconds of a clock that never jumps.
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
