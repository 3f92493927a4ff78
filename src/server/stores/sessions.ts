import { createKeyedQueue } from '../../kit/keyed-queue.ts';
import { createRecent } from '../../kit/recent.ts';
import { replayInputs } from '../../typing/round.ts';
import { tapeText } from '../../typing/rules/tape.ts';
import { addChunk, type ChunkEnd, chunkNames, chunksToRead, noChunks, readChunks } from './chunked-text.ts';
import { haveSameFields } from './field-table.ts';
import type { PageRequest, PlayerId } from './player.ts';
import type { RecordChange, Records } from './records/records.ts';
import {
  headerFields,
  headerText,
  parseSession,
  type RoundHeader,
  roundFields,
  roundText,
  type Session,
  type SessionHeader,
  sessionPattern,
} from './session.ts';
import {
  createSessionOwners,
  type OwnedSession,
  type SessionAdmission,
  type SessionOwnersOptions,
  sessionRecord,
} from './session-owners.ts';

/** A session after a change, and the result of the change. */
export interface SessionUpdate<T> {
  readonly session: Session;
  readonly result: T;
}

/** An entry of a list of sessions. */
export interface ListedSession {
  readonly session: Pick<Session, 'id' | 'createdAt'>;
  /** Milliseconds since 1970. Of another server's sessions, it may be a minute behind. */
  readonly lastUsed: number;
}

export interface SessionPage {
  readonly sessions: readonly ListedSession[];
  /** The `after` of the next page; missing at the end of the list. */
  readonly next?: string;
}

/**
 * Keeps open sessions. They are plain immutable data: what a caller has read does not change. A change that was acknowledged is in
 * the store.
 *
 * Every use of a session (`create`, `read`, `update`) renews it; after its time to live without use, it no longer exists.
 */
export interface Sessions {
  /** Adds a session, or says why there is no room for it. */
  create(session: Session): Promise<SessionAdmission>;
  read(id: string): Promise<Session | undefined>;
  /**
   * Applies `change` to a session atomically, and returns its result; undefined if there is no such session. If `change` throws,
   * the session stays as it is, and the caller gets the error.
   *
   * `change` may run several times, on a newer session each time. So it must have no effects, and ids, seeds and times must be made
   * before. Only the result of the last run is returned.
   */
  update<T>(id: string, change: (session: Session) => SessionUpdate<T>): Promise<T | undefined>;
  /** Removes a session. Returns whether there was one. */
  delete(id: string): Promise<boolean>;
  /** A player's sessions, oldest first, without renewing them; undefined if `after` is not one of them. */
  list(player: PlayerId, page: PageRequest): Promise<SessionPage | undefined>;
  count(): Promise<number>;
  /** Whether a round with this id is running or complete in an open session of a player. */
  isTyping(player: PlayerId, round: string): Promise<boolean>;
  /** Permanently removes all sessions of a player with everything in them. */
  forget(player: PlayerId): Promise<void>;
  /** Removes what expired sessions have left. */
  clean(): Promise<void>;
}

/** A session as this process knows it. */
interface Copy {
  readonly version: string;
  readonly session: Session;
  /** The texts of these fields in the record. */
  readonly header: string;
  readonly round: string;
  readonly inputs: ChunkEnd;
  /** Milliseconds since 1970. */
  readonly lastUsed: number;
  /** The last use that the record knows. */
  readonly renewed: number;
}

/** Sessions of which this process keeps a copy; others are read again. */
const maxCopies = 1_000;

/*
 * The record of a session has these fields: `session` (what never changes), `round` (what changes when a round starts or is timed),
 * the inputs of the round as a text in chunks, and `used`. An update is a change of this process's copy, committed if the record
 * has not changed since; otherwise what is new is read, and the change is made again.
 */
const inputsField = 'inputs';

export function createSessions(records: Records, options: SessionOwnersOptions): Sessions {
  const { ttl, clock } = options;
  const owners = createSessionOwners(records, options);
  const copies = createRecent<Copy>(maxCopies);
  const queue = createKeyedQueue();
  /** A use that is not later than this after the last that was written is not written: a thousandth of the time to live. */
  const renewalPause = ttl / 1000;

  /** The session as it is in the store now. */
  const load = async (id: string): Promise<Copy | undefined> => {
    if (!sessionPattern.test(id)) return undefined;
    for (let known = copies.get(id); ; ) {
      const end = known?.inputs ?? noChunks;
      const names = ['session', 'round', 'used', ...chunksToRead(inputsField, end)];
      const { version, values } = await records.read(sessionRecord(id), names, known?.version);
      if (values === undefined) return known;
      const [header, round, used, ...chunks] = values;
      if (version === '' || header === undefined || round === undefined) {
        copies.delete(id);
        return undefined;
      }
      // Inputs are only ever added to a round; a new round is read from its beginning.
      const before = isContinuation(known, header, round, chunks) ? known : undefined;
      if (before === undefined && known !== undefined) {
        known = undefined;
        continue;
      }
      const renewed = Number(used);
      const added = readChunks(end, chunks);
      const session = withInputs(before?.session ?? parseSession(header, round), added.added);
      const lastUsed = Math.max(renewed, before?.lastUsed ?? 0);
      known = { version, session, header, round, inputs: added.end, lastUsed, renewed };
      if (added.isAll) {
        copies.put(id, known);
        return known;
      }
      // There may be more chunks: one more read, of everything after these.
      known = { ...known, version: 'incomplete' };
    }
  };

  const commit = async (id: string, change: RecordChange) => {
    try {
      return await records.commit(sessionRecord(id), change);
    } catch (error) {
      // It may have happened or not.
      copies.delete(id);
      throw error;
    }
  };

  /** Writes down that a session was used now. A store that cannot write may still be read. */
  const renew = async (copy: Copy): Promise<Copy> => {
    const { id } = copy.session;
    const now = clock();
    let renewed = { ...copy, lastUsed: now };
    if (now - copy.renewed >= renewalPause) {
      const change = { if: copy.version, put: { used: String(now) }, ttl };
      const done = await records.commit(sessionRecord(id), change).catch(() => undefined);
      if (done === undefined || 'refused' in done) return copy;
      await renewInList(copy.session, now);
      renewed = { ...renewed, version: done.version, renewed: now };
    }
    copies.put(id, renewed);
    return renewed;
  };

  /** The next use tries again. */
  const renewInList = (session: Session, now: number) => owners.renew(session, now).catch(() => undefined);

  const write = async (copy: Copy, session: Session): Promise<boolean> => {
    const now = clock();
    const isDue = now - copy.renewed >= renewalPause;
    const { change, ...texts } = changeBetween(copy, session);
    const renewal = isDue ? { put: { ...change.put, used: String(now) }, ttl } : {};
    const done = await commit(session.id, { if: copy.version, ...change, ...renewal });
    if ('refused' in done) return false;
    if (isDue) await renewInList(session, now);
    const renewed = isDue ? now : copy.renewed;
    copies.put(session.id, { version: done.version, session, ...texts, lastUsed: now, renewed });
    return true;
  };

  const update = async <T>(id: string, change: (session: Session) => SessionUpdate<T>) => {
    let copy = copies.get(id);
    for (let isCurrent = false; ; isCurrent = true) {
      if (copy === undefined || isCurrent) copy = await load(id);
      if (copy === undefined) return undefined;
      let updated: SessionUpdate<T>;
      try {
        updated = change(copy.session);
      } catch (error) {
        // Perhaps only because the copy is not current.
        if (isCurrent) throw error;
        continue;
      }
      const { session, result } = updated;
      if (session !== copy.session) {
        if (await write(copy, session)) return result;
        continue;
      }
      // Nothing to write, so nothing says whether the copy was current.
      const latest = isCurrent ? copy : await load(id);
      if (latest?.session !== copy.session) continue;
      await renew(latest);
      return result;
    }
  };

  const remove = async (id: string): Promise<boolean> => {
    const copy = await load(id);
    if (copy === undefined) return false;
    copies.delete(id);
    await records.remove(sessionRecord(id));
    await owners.release(copy.session);
    return true;
  };

  return {
    async create(session) {
      const admission = await owners.take(session);
      if (admission !== 'added') return admission;
      const used = clock();
      try {
        const header = headerText(session);
        const texts = { header, round: '', inputs: noChunks };
        const started = { version: '', session, ...texts, lastUsed: used, renewed: used };
        const { change, inputs, round } = changeBetween(started, session, true);
        const put = { ...change.put, session: header, used: String(used) };
        const done = await commit(session.id, { if: '', ...change, put, ttl });
        await owners.renew(session, used);
        if ('version' in done) copies.put(session.id, { ...started, version: done.version, inputs, round });
      } catch (error) {
        await owners.release(session).catch(() => undefined);
        throw error;
      }
      return 'added';
    },
    async read(id) {
      const copy = await load(id);
      return copy && (await renew(copy)).session;
    },
    update: (id, change) => queue.run(id, () => update(id, change)),
    delete: (id) => queue.run(id, () => remove(id)),
    async list(player, { limit, after }) {
      const opened = await owners.sessionsOf(player);
      const start = after === undefined ? 0 : opened.findIndex(({ id }) => id === after) + 1;
      if (after !== undefined && start === 0) return undefined;
      const since = clock() - ttl;
      const sessions: ListedSession[] = [];
      for (let at = start; at < opened.length && sessions.length <= limit; at += 1) {
        const session = opened[at] as OwnedSession;
        if (session.lastUsed === undefined) continue;
        const lastUsed = Math.max(session.lastUsed, copies.get(session.id)?.lastUsed ?? 0);
        if (lastUsed > since) sessions.push({ session, lastUsed });
      }
      if (sessions.length <= limit) return { sessions };
      const page = sessions.slice(0, limit);
      return { sessions: page, next: page.at(-1)?.session.id as string };
    },
    count: owners.count,
    async isTyping(player, round) {
      for (const { id } of await owners.sessionsOf(player)) {
        if ((await load(id))?.session.round?.id === round) return true;
      }
      return false;
    },
    async forget(player) {
      for (const { id } of await owners.sessionsOf(player)) {
        if (await queue.run(id, () => remove(id))) continue;
        // It has expired, or its removal was cut short.
        await records.remove(sessionRecord(id));
        await owners.releaseExpired(id, player);
      }
    },
    clean: owners.clean,
  };
}

/** The change of the record that leads from a copy to a session, and what the copy knows of it afterwards. */
function changeBetween(
  copy: Copy,
  session: Session,
  isNew = false,
): { change: RecordChange; header: string; round: string; inputs: ChunkEnd } {
  const isSameRound =
    !isNew &&
    session.roundCount === copy.session.roundCount &&
    (session.round === copy.session.round ||
      (session.round !== null &&
        copy.session.round !== null &&
        haveSameFields<RoundHeader>(roundFields, session.round, copy.session.round)));
  const isContinued = !isNew && session.round?.id === copy.session.round?.id;
  const isSameHeader = haveSameFields<SessionHeader>(headerFields, session, copy.session);
  const header = isSameHeader ? copy.header : headerText(session);
  const round = isSameRound ? copy.round : roundText(session);
  const end = isContinued ? copy.inputs : noChunks;
  const inputs = session.round === null ? '' : tapeText(session.round.inputs, end.length);
  const { field, end: nextEnd } = addChunk(inputsField, end, inputs);
  const added = inputs === '' ? {} : { [field]: keptInputs(inputs) };
  const put = {
    ...(!isSameHeader && { session: header }),
    ...(!isSameRound && { round }),
    ...(!isContinued && added),
  };
  const stale = isContinued ? [] : chunkNames(inputsField, copy.inputs).filter((name) => !(name in added));
  const change: RecordChange = {
    ...(Object.keys(put).length > 0 && { put }),
    ...(isContinued && inputs !== '' && { append: added }),
    ...(stale.length > 0 && { remove: stale }),
  };
  return { change, header, round, inputs: inputs === '' ? end : nextEnd };
}

/** Whether a record goes on from a copy. After a failover to a replica that lags, the store may have gone back, and then on. */
function isContinuation(
  copy: Copy | undefined,
  header: string,
  round: string,
  chunks: readonly (string | undefined)[],
): copy is Copy {
  if (copy?.header !== header || copy.round !== round) return false;
  const known = copy.session.round === null ? '' : tapeText(copy.session.round.inputs, copy.inputs.start);
  return chunks.join('').startsWith(keptInputs(known));
}

/** In one line, so that a file of the store takes little for a key. No key is a carriage return. */
function keptInputs(inputs: string): string {
  return inputs.replaceAll('\n', '\r');
}

/** A session with further inputs. Throws if they cannot be read. */
function withInputs(session: Session, kept: string): Session {
  if (kept === '' || session.round === null) return session;
  const { timing, newBests, ...running } = session.round;
  const replayed = replayInputs(running, kept.replaceAll('\r', '\n'));
  if (replayed === undefined) throw new Error(`The inputs of session ${session.id} cannot be read.`);
  return {
    ...session,
    round: { ...replayed, ...(timing && { timing }), ...(newBests && { newBests }) },
  };
}
