/** How a typist or the system ends the client. */
export interface Ending {
  /** Whether a round under way is kept for a later start. */
  readonly keepUnfinished: boolean;
}

/** How the client ended. */
export interface SignalledEnding extends Ending {
  /** Undefined when the typist left. */
  readonly signal: NodeJS.Signals | undefined;
}

/** The end of the client, which many things may bring about. */
export interface EndOfPlay {
  /** Rejects when the client has failed. */
  readonly promise: Promise<SignalledEnding>;
  end(ending: SignalledEnding): void;
  fail(error: unknown): void;
}

/** The first reason to end counts. */
export function createEndOfPlay(): EndOfPlay {
  let end: EndOfPlay['end'] = () => {};
  let fail: EndOfPlay['fail'] = () => {};
  const promise = new Promise<SignalledEnding>((resolve, reject) => {
    end = resolve;
    fail = reject;
  });
  promise.catch(() => {}); // awaited later; until then it is not an unhandled rejection
  return { promise, end, fail };
}
