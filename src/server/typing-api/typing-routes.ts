import type * as v from 'valibot';
import type { Context } from '../http/context.ts';
import { readJsonObject } from '../http/json-body.ts';
import { type Reply, toJsonReply } from '../http/reply.ts';
import type { Handler, Method, Route } from '../http/router.ts';
import type { Log } from '../log.ts';
import { type SessionKeeper, UnsavedRoundsError } from '../sessions/session-keeper.ts';
import type { Awaitable } from '../sessions/session-store.ts';
import { backspaceKey, spaceKey } from '../typing/progress.ts';
import { newInput, type RoundInput } from '../typing/round-input.ts';
import * as wire from '../wire-types.ts';
import { parseRequest } from './parse-request.ts';
import { isPlainKeystroke, isPlainSpace } from './quick-check.ts';
import type { TypingGame } from './typing-game.ts';
import {
  notSaved,
  resultOf,
  sessionLimitReached,
  sessionNotFound,
  toKeyReply,
  toOutcomeReply,
} from './typing-replies.ts';

const bodyBytes = 16 * 1024;
/** 500 numbered events need more room than every other body gets. */
const batchBytes = 64 * 1024;

/** The second is the first under the name of its version. */
const prefixes = ['/api', '/api/v1'] as const;

export interface TypingRoutesOptions {
  readonly game: TypingGame;
  readonly keeper: SessionKeeper;
  /** The OpenAPI document of this API, as JSON text. */
  readonly openapi: string;
  readonly log: Log;
}

interface BodyOptions {
  /** Longest body. Default: 16 KiB. */
  readonly maxBytes?: number;
  /** See `parseRequest`. */
  readonly isSurelyRight?: (body: Record<string, unknown>) => boolean;
}

type SessionHandler = (context: Context, id: string) => Promise<Reply>;

/** The routes of the typing API. */
export function createTypingRoutes({ game, keeper, openapi, log }: TypingRoutesOptions): Route[] {
  const { store } = keeper;
  const openapiReply: Reply = { ...toJsonReply(200, null), body: Buffer.from(openapi) };

  /** Whatever is wrong with a request for a session that does not exist, that it does not exist is what it is told. */
  const withBody = async <Schema extends v.GenericSchema>(
    context: Context,
    id: string,
    schema: Schema,
    use: (body: v.InferOutput<Schema>) => Awaitable<Reply>,
    { maxBytes = bodyBytes, isSurelyRight }: BodyOptions = {},
  ): Promise<Reply> => {
    let body: v.InferOutput<Schema>;
    try {
      body = parseRequest(schema, await readJsonObject(context, { maxBytes }), isSurelyRight);
    } catch (error) {
      throw (await store.read(id)) === undefined ? sessionNotFound() : error;
    }
    return use(body);
  };
  /** The one path that is walked ten times a second by every typist: where the store answers at once, so does this. */
  const take = (id: string, input: RoundInput): Awaitable<Reply> => {
    const outcome = game.input(id, input);
    return outcome instanceof Promise ? outcome.then(toKeyReply) : toKeyReply(outcome);
  };

  const create: Handler = async (context) => {
    const body = parseRequest(wire.CreateSessionRequestSchema, await readJsonObject(context));
    const id = await game.createSession(body.punctuation_mode);
    if (id === undefined) throw sessionLimitReached();
    return toJsonReply(201, { session_id: id } satisfies wire.SessionCreated);
  };
  const list: Handler = async () => {
    const sessions = (await store.list()).map(({ session, lastUsed }) => ({
      id: session.id,
      created_at: new Date(session.createdAt).toISOString(),
      last_used: new Date(lastUsed).toISOString(),
    }));
    return toJsonReply(200, { sessions } satisfies wire.SessionList);
  };
  const health: Handler = async () =>
    toJsonReply(200, { status: 'healthy', active_sessions: await store.count() } satisfies wire.Health);

  const remove: SessionHandler = async (_, id) => {
    // Its finished rounds are in the history already and must not leave it with the session.
    if (!(await keeper.save(id))) throw sessionNotFound();
    await store.delete(id);
    await keeper.persist();
    return { status: 204, headers: ['Cache-Control', 'no-store'] };
  };
  const startRound: SessionHandler = (context, id) =>
    withBody(context, id, wire.EmptyRequestSchema, async () => {
      const words = [...resultOf(await game.startRound(id)).words];
      const total_characters = words.reduce((sum, word) => sum + word.length, 0);
      return toJsonReply(200, { words, total_words: words.length, total_characters } satisfies wire.Round);
    });
  const keystroke: SessionHandler = (context, id) =>
    withBody(
      context,
      id,
      wire.KeystrokeRequestSchema,
      ({ char, seek_time_ms, seq }) => take(id, newInput(char, seek_time_ms, seq)),
      { isSurelyRight: isPlainKeystroke },
    );
  const backspace: SessionHandler = (context, id) =>
    withBody(context, id, wire.BackspaceRequestSchema, ({ seq }) => take(id, newInput(backspaceKey, 0, seq)));
  const space: SessionHandler = (context, id) =>
    withBody(
      context,
      id,
      wire.SpaceRequestSchema,
      ({ seek_time_ms, seq }) => take(id, newInput(spaceKey, seek_time_ms, seq)),
      { isSurelyRight: isPlainSpace },
    );
  const takeBatch = async (id: string, { events }: wire.InputRequest) => {
    const results = resultOf(await game.inputBatch(id, events.map(toInput)));
    return toJsonReply(200, { results } satisfies wire.InputResponse);
  };
  const batch: SessionHandler = (context, id) =>
    withBody(context, id, wire.InputRequestSchema, (body) => takeBatch(id, body), {
      maxBytes: batchBytes,
    });
  const timing: SessionHandler = (context, id) =>
    withBody(context, id, wire.TimingRequestSchema, async (body) => {
      const { start_time_unix_ms: start, end_time_unix_ms: end, duration_ms: duration } = body;
      const success = resultOf(await game.finishRound(id, { start, end, duration }));
      return toJsonReply(200, { success } satisfies wire.Success);
    });
  const save: SessionHandler = (context, id) =>
    withBody(context, id, wire.EmptyRequestSchema, async () => {
      if (!(await keeper.save(id))) throw sessionNotFound();
      return toJsonReply(200, { success: true } satisfies wire.Success);
    });
  const state: SessionHandler = async (_, id) => toOutcomeReply(await game.state(id));
  const statistics: SessionHandler = async (_, id) => toOutcomeReply(await game.sessionStatistics(id));
  const history: SessionHandler = async (_, id) => {
    if ((await store.read(id)) === undefined) throw sessionNotFound();
    return toJsonReply(200, await game.historicalStatistics());
  };

  /** For actions that write rounds to disk: the cause of a failure goes to the log, not to the client. */
  const saving =
    (handle: SessionHandler): SessionHandler =>
    (context, id) =>
      handle(context, id).catch((error) => {
        if (!(error instanceof UnsavedRoundsError)) throw error;
        log.error(error.message, { request: context.requestId });
        throw notSaved();
      });

  return prefixes.flatMap((prefix) => {
    const route = (method: Method, path: string, handler: Handler): Route => ({
      method,
      path: prefix + path,
      handler,
    });
    const ofSession = (method: Method, path: string, handle: SessionHandler): Route =>
      route(method, `/sessions/:id${path}`, (context, { id }) => handle(context, id as string));
    return [
      route('GET', '/health', health),
      route('GET', '/openapi.json', () => openapiReply),
      route('POST', '/sessions', create),
      route('GET', '/sessions', list),
      ofSession('DELETE', '', saving(remove)),
      ofSession('POST', '/round', saving(startRound)),
      ofSession('POST', '/keystroke', keystroke),
      ofSession('POST', '/backspace', backspace),
      ofSession('POST', '/space', space),
      ofSession('POST', '/input', batch),
      ofSession('POST', '/timing', timing),
      ofSession('POST', '/save', saving(save)),
      ofSession('GET', '/state', state),
      ofSession('GET', '/stats/session', statistics),
      ofSession('GET', '/stats/historical', history),
    ];
  });
}

function toInput(event: wire.InputEvent): RoundInput {
  switch (event.type) {
    case 'keystroke':
      return newInput(event.char, event.seek_time_ms, event.seq);
    case 'space':
      return newInput(spaceKey, event.seek_time_ms, event.seq);
    case 'backspace':
      return newInput(backspaceKey, 0, event.seq);
  }
}
