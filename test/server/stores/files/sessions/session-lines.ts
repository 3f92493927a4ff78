import type { StoredSession } from '../../../../../src/server/stores/ports.ts';
import { toSessionEvents } from '../../../../../src/server/stores/session-events/session-diff.ts';
import {
  applyEvent,
  type SessionDrafts,
  toStoredSession,
} from '../../../../../src/server/stores/session-events/session-draft.ts';
import { parseEvent, toEventLine } from '../../../../../src/server/stores/session-events/session-event.ts';
import { tapeText } from '../../../../../src/typing/texts/tape.ts';

/** The lines of a log that tell a session as a whole. */
export function toSessionLines(stored: StoredSession): string {
  return toSessionEvents(undefined, stored).events.map(toEventLine).join('');
}

/** The line that tells the inputs of a session's round from that length of their text on. */
export function toInputsLine(
  { session: { id, round }, lastUsed: used }: StoredSession,
  from: number,
): string {
  return toEventLine({ v: 2, id, used, from, inputs: round === null ? '' : tapeText(round.inputs, from) });
}

/** The sessions that whole lines of a log tell, a torn last one aside. */
export function readSessionLines(lines: readonly string[]): Map<string, StoredSession> {
  const drafts: SessionDrafts = new Map();
  for (const line of lines.filter((each) => each.endsWith('\n'))) {
    const event = parseEvent(JSON.parse(line));
    if (event !== undefined) applyEvent(drafts, event, { keepsText: true });
  }
  return new Map([...drafts].map(([id, draft]) => [id, toStoredSession(draft).stored]));
}
