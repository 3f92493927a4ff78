/** Most turns of the event loop that anything waits for new connections, so that a flood of them does not stop it for good. */
const mostTurns = 32;

/** The event loop accepts one new connection per turn; what costs much waits until it has accepted all of them. */
export interface Arrivals {
  /** A connection has been accepted. */
  note(): void;
  /** Calls back once a turn of the event loop has brought no new connection. */
  whenOver(done: () => void): void;
}

export function createArrivals(): Arrivals {
  let arrived = 0;
  function wait(done: () => void, seen: number, turns: number): void {
    if (arrived === seen || turns === 0) done();
    else setImmediate(wait, done, arrived, turns - 1);
  }
  return {
    note() {
      arrived += 1;
    },
    whenOver(done) {
      // Connections that arrived while this turn's work was done are accepted in the next one at the earliest.
      setImmediate(() => setImmediate(wait, done, arrived, mostTurns));
    },
  };
}
