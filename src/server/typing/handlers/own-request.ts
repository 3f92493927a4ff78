import type * as v from 'valibot';
import type { Reply } from '../../http/replies/reply.ts';
import { type Context, charge } from '../../http/requests/context.ts';
import { readJsonObject } from '../../http/requests/json-body.ts';
import { parseRequest } from '../../http/requests/parse-request.ts';
import type { Asking } from '../../stores/player.ts';
import type { TypingGame } from '../game/typing-game.ts';
import { sessionNotFound } from './typing-replies.ts';

/** A request of a player. */
export interface OwnRequest {
  readonly context: Context;
  readonly asking: Asking;
}

/** A request for one session, which may not exist. */
export interface SessionRequest extends OwnRequest {
  readonly id: string;
}

export type OwnHandler = (request: OwnRequest) => Promise<Reply>;
export type SessionHandler = (request: SessionRequest) => Promise<Reply>;

const bodyBytes = 16 * 1024;

interface BodyOptions {
  /** Longest body in bytes. Default: 16 KiB. */
  readonly maxBytes?: number;
  /** See `parseRequest`. */
  readonly isSurelyRight?: (body: Record<string, unknown>) => boolean;
  /** Whether the body has `events`, which must be paid for before they are checked. Default: no. */
  readonly chargesEvents?: boolean;
}

/** Inputs that cost as much as one request. */
const inputsPerToken = 20;

/** Takes the tokens for all events of a body, valid or not: checking them costs as much as accepting them. */
export async function chargeEvents(context: Context, { events }: Record<string, unknown>): Promise<void> {
  if (Array.isArray(events)) await charge(context, Math.ceil(events.length / inputsPerToken) - 1);
}

/** Characters of a text, drawn or split into characters, that cost as much as one request. */
const charactersPerToken = 1000;

/** Takes the tokens for a text of so many characters. */
export async function chargeText(context: Context, length: number): Promise<void> {
  await charge(context, Math.ceil(length / charactersPerToken) - 1);
}

/** Entries of a history that cost as much as one request. */
const entriesPerToken = 1000;

/** Takes the tokens for reading so many entries of a history. */
export async function chargeEntries(context: Context, entries: number): Promise<void> {
  await charge(context, Math.ceil(entries / entriesPerToken) - 1);
}

export type BodyReader = <Schema extends v.GenericSchema>(
  request: SessionRequest,
  schema: Schema,
  options?: BodyOptions,
) => Promise<v.InferOutput<Schema>>;

/** Reads bodies. If a body is wrong and its session does not exist, the answer is that the session does not exist. */
export function createBodyReader(game: Pick<TypingGame, 'hasSession'>): BodyReader {
  return async (
    { context, asking, id },
    schema,
    { maxBytes = bodyBytes, isSurelyRight, chargesEvents } = {},
  ) => {
    const expectSession = async () => {
      if (!(await game.hasSession(asking, id))) throw sessionNotFound();
    };
    try {
      const body = await readJsonObject(context, { maxBytes });
      if (chargesEvents) {
        await chargeEvents(context, body);
        await expectSession();
      }
      return parseRequest(schema, body, isSurelyRight);
    } catch (error) {
      await expectSession();
      throw error;
    }
  };
}
