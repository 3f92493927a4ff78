import type { StoredSession } from '../../ports.ts';
import { type LoggedState, toSessionEvents } from '../../session-events/session-diff.ts';
import { sessionLogVersion, toEventLine } from '../../session-events/session-event.ts';

/** Characters after which a text is yielded, so that memory does not grow with the number of changes. */
const textLength = 256 * 1024;

/** Which sessions have changed since the log was last written, and the state of each in the log. */
export interface SessionChanges {
  add(id: string): void;
  /** The lines of all changes so far, as texts of moderate length; they then count as written. */
  take(): Iterable<string>;
  /** For a new, empty log: these sessions will be written in full. */
  startOver(ids: Iterable<string>): void;
}

/** @param sessionOf the current state of a session; undefined if it no longer exists */
export function createSessionChanges(sessionOf: (id: string) => StoredSession | undefined): SessionChanges {
  const waiting = new Set<string>();
  const logged = new Map<string, LoggedState>();
  const linesOf = (id: string): string[] => {
    const stored = sessionOf(id);
    if (stored === undefined) {
      logged.delete(id);
      return [toEventLine({ v: sessionLogVersion, gone: id })];
    }
    const { events, state } = toSessionEvents(logged.get(id), stored);
    logged.set(id, state);
    return events.map(toEventLine);
  };
  return {
    add: (id) => void waiting.add(id),
    *take() {
      const ids = [...waiting];
      waiting.clear();
      let text = '';
      for (const id of ids) {
        text += linesOf(id).join('');
        if (text.length < textLength) continue;
        yield text;
        text = '';
      }
      if (text !== '') yield text;
    },
    startOver(ids) {
      logged.clear();
      for (const id of ids) waiting.add(id);
    },
  };
}
