import { createHmac } from 'node:crypto';
import type * as v from 'valibot';
import { playerKeyPattern } from '../../contract/credentials.ts';
import { blockOf, ownerOf } from '../../kit/address.ts';
import { createRecentCache } from '../../kit/recent-cache.ts';
import type { Round } from '../../typing/round.ts';
import { newProblem, type Problem } from '../../typing/rules/rules.ts';
import { HttpError } from '../http/errors.ts';
import type { Reply } from '../http/reply.ts';
import { type Context, charge, requestIdOf } from '../http/request.ts';
import { parseRequest } from '../http/request-schema.ts';
import type { Handler } from '../http/router.ts';
import { limits } from '../settings/limits.ts';
import { boundLines, type Log } from '../settings/log.ts';
import type { Stores } from '../stores/open-stores.ts';
import { type Caller, localPlayer, mayUse, playerOfKey } from '../stores/player.ts';
import { RoundNotStoredError } from '../stores/rounds.ts';
import type { Session } from '../stores/session.ts';
import type { SessionUpdate } from '../stores/sessions.ts';
import { accepted, refusalOf, refused, sessionNotFound } from './refusals.ts';
import { createTurns, type Turns } from './turns.ts';

interface BodyOptions {
  /** Default: 16 KiB. */
  readonly maxBytes?: number;
  /** Further tokens that a body costs, valid or not. Default: none. */
  readonly costOf?: (body: Record<string, unknown>) => number;
}

/**
 * A request of a player, with the session in its path as the sender sees it: those of others do not exist.
 * Every lookup by id goes through here.
 */
export class PlayerRequest {
  constructor(
    readonly context: Context,
    readonly caller: Caller,
    /** Of the session, which may not exist; empty on routes without one. */
    readonly id: string,
    private readonly sessions: Stores['sessions'],
    private readonly turns: Turns,
  ) {}

  /** Whose requests wait for each other. */
  get owner(): string {
    return ownerOf(this.context.client);
  }

  /** Reads what takes long. Rejects with a 429 if too many of the owner's requests wait already. */
  inTurn<T>(read: () => Promise<T>): Promise<T> {
    return this.turns.run(this.owner, read);
  }

  /**
   * Reads and checks the body. If it is wrong and the session does not exist either, the answer says the
   * latter.
   */
  async body<Schema extends v.GenericSchema>(
    schema: Schema,
    { maxBytes = limits.bodyBytes, costOf }: BodyOptions = {},
  ): Promise<v.InferOutput<Schema>> {
    try {
      const body = await this.context.json(maxBytes);
      if (costOf !== undefined) await charge(this.context, costOf(body));
      return parseRequest(schema, body);
    } catch (error) {
      if (this.id !== '') await this.session();
      throw error;
    }
  }

  findSession(): Promise<Session | undefined> {
    return this.withSession(() => this.readSession());
  }

  private readSession(): Promise<Session | undefined> {
    return this.sessions.read(this.id, ({ player }) => mayUse(this.caller, player));
  }

  /** The keys of one that is not cached are replayed first: a further token for each 2,000 of them. */
  private withSession<T>(use: () => Promise<T>): Promise<T> {
    if (this.sessions.isCached(this.id)) return use();
    return this.inTurn(async () => {
      const inputs = (await this.readSession())?.round?.inputCount ?? 0;
      await charge(this.context, Math.floor(inputs / 2_000));
      return use();
    });
  }

  /** Rejects with a 404 if there is no such session. */
  async session(): Promise<Session> {
    const session = await this.findSession();
    if (session === undefined) throw sessionNotFound;
    return session;
  }

  /** See `Sessions.update`. Rejects with a 404 if there is no such session, or with what `change` throws. */
  async update<T>(change: (session: Session) => SessionUpdate<T>): Promise<T> {
    const result = await this.withSession(() =>
      this.sessions.update(this.id, (session) =>
        mayUse(this.caller, session.player) ? change(session) : undefined,
      ),
    );
    if (result === undefined) throw sessionNotFound;
    return result;
  }

  /** Changes the latest round by the engine; it stays as it is if the engine refuses. */
  updateRound<T>(
    reducer: (round: Round) => { readonly round: Round; readonly result: T } | { readonly problem: Problem },
  ): Promise<T> {
    return this.update((session) => {
      const { round, result } = accepted(reducer(startedRound(session)));
      return { session: { ...session, round }, result };
    });
  }
}

/** The latest round of a session. Throws a 400 before the first. */
export function startedRound({ round }: Session): Round {
  if (round === null) throw refused(notStarted);
  return round;
}

const notStarted = newProblem('ROUND_NOT_STARTED', 'No round has been started in this session.');

export type PlayerHandler = (request: PlayerRequest) => Promise<Reply>;

interface PlayerRoutesOptions {
  readonly stores: Pick<Stores, 'sessions' | 'addressKey'>;
  /** Whether others can reach the server, see `isExposed` in `config.ts`. */
  readonly isExposed: boolean;
  readonly log: Log;
}

/** Turns handlers that need the sender into handlers of routes, and errors of the stores into answers. */
export function createPlayerRoutes(options: PlayerRoutesOptions) {
  const { stores, log } = options;
  const callerOf = createCallerOf(options);
  const logFailure = boundLines(log.error);
  const turns = createTurns({ each: limits.clientReads });
  return (handle: PlayerHandler): Handler =>
    async (context, { id = '' }) => {
      try {
        return await handle(new PlayerRequest(context, callerOf(context), id, stores.sessions, turns));
      } catch (error) {
        // The cause of a failure on disk goes to the log, not to the client.
        if (error instanceof RoundNotStoredError)
          logFailure(error.message, { request: requestIdOf(context) });
        throw refusalOf(error);
      }
    };
}

/** Returns the sender of a request. Throws a 401 if its key is malformed. */
function createCallerOf({ stores, isExposed }: PlayerRoutesOptions): (context: Context) => Caller {
  // Most requests come from an address that has just sent another one.
  const known = createRecentCache<Origin>(maxOrigins);
  // Without the secret, nobody can find an address by trying all of them.
  const hash = (text: string) =>
    `address-${createHmac('sha256', stores.addressKey).update(text).digest('hex')}`;
  const originOf = (address: string): Origin => {
    const before = known.get(address);
    if (before !== undefined) return before;
    const block = blockOf(address);
    const origin = { address: hash(address), ...(block !== undefined && { block: hash(block) }) };
    known.put(address, origin);
    return origin;
  };
  return ({ head: { authorization }, client: address }) => {
    const origin = isExposed ? originOf(address) : nowhere;
    if (authorization !== undefined) return { player: keyPlayer(authorization), ...origin };
    return { player: isExposed ? origin.address : localPlayer, ...origin };
  };
}

/** Maximum number of addresses whose hashes are cached. */
const maxOrigins = 1_000;

type Origin = Omit<Caller, 'player'>;

const nowhere: Origin = { address: '' };

function keyPlayer(authorization: string): string {
  const key = /^Bearer +([^ ]+)$/i.exec(authorization)?.[1] ?? '';
  if (playerKeyPattern.test(key)) return playerOfKey(key);
  throw new HttpError(
    'UNAUTHENTICATED',
    'Authorization must be "Bearer" and a player key: 22 to 128 letters, digits, "-" and "_".',
    ['WWW-Authenticate', 'Bearer'],
  );
}
