import { randomBytes } from 'node:crypto';
import type { Session } from '../../session.ts';
import { inputsOf, toHeaderText } from '../../session-events/session-text.ts';
import type { SessionWrite } from './session-records.ts';
import type { StoredParts } from './stored-size.ts';

/** A session as this server last saw it, with its generation in the store at that time. */
export interface SessionCopy extends StoredParts {
  readonly generation: string;
}

/** A write, and the copy after the store has accepted it. */
export interface PreparedWrite {
  readonly write: SessionWrite;
  readonly after: SessionCopy;
}

/** The write that brings the store to the current state of the session. */
export function prepareWrite(copy: SessionCopy, session: Session): PreparedWrite {
  const { session: before, generation, inputBytes: from } = copy;
  const token = newToken();
  if (hasSameHeader(before, session)) {
    const text = inputsOf(session, before.round?.inputs.length);
    const inputBytes = from + Buffer.byteLength(text);
    return { write: { generation, from, token, text }, after: { ...copy, session, inputBytes } };
  }
  const text = inputsOf(session);
  const header = toHeaderText(session);
  const sizes = { headerBytes: Buffer.byteLength(header), inputBytes: Buffer.byteLength(text) };
  return {
    write: { generation, from, token, text, header },
    after: { session, generation: token, ...sizes },
  };
}

function hasSameHeader(before: Session, session: Session): boolean {
  return (
    session === before ||
    (session.round?.id === before.round?.id &&
      session.round?.timing === before.round?.timing &&
      session.roundCount === before.roundCount &&
      session.unsaved === before.unsaved)
  );
}

export function newToken(): string {
  return randomBytes(12).toString('base64url');
}
