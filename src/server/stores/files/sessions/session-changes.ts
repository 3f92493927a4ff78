import type { StoredSession } from '../../ports.ts';
import { type LoggedState, toSessionEvents } from '../../session-events/session-diff.ts';
import { sessionLogVersion, toEventLine } from '../../session-events/session-event.ts';

/** Characters after which a text is handed out: memory does not grow with what is waiting. */
const textLength = 256 * 1024;

/** Which sessions have changed since the log was last written, and what the log says of each by now. */
export interface SessionChanges {
  add(id: string): void;
  /** The lines of all changes so far, as texts of moderate length; what was taken counts as written. */
  take(): Iterable<string>;
  /** Another log begins, which knows nothing yet: these sessions come as a whole. */
  startOver(ids: Iterable<string>): void;
}

/** @param sessionOf a session as it is now; undefined when it is gone */
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
