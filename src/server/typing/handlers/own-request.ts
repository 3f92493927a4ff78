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
  /** Longest body. Default: 16 KiB. */
  readonly maxBytes?: number;
  /** See `parseRequest`. */
  readonly isSurelyRight?: (body: Record<string, unknown>) => boolean;
  /** Whether the body has `events`, to be paid for before anybody looks at them. Default: no. */
  readonly chargesEvents?: boolean;
}

/** Inputs that cost as much as one request. */
const inputsPerToken = 20;

/** Takes the tokens for all events of a body, right or wrong: to find out costs as much as to take them. */
export async function chargeEvents(context: Context, { events }: Record<string, unknown>): Promise<void> {
  if (Array.isArray(events)) await charge(context, Math.ceil(events.length / inputsPerToken) - 1);
}

/** Characters of a text that cost as much as one request: drawn, or split into what a keystroke can type. */
const charactersPerToken = 1000;

/** Takes the tokens for a text, however many words it has. */
export async function chargeText(context: Context, length: number): Promise<void> {
  await charge(context, Math.ceil(length / charactersPerToken) - 1);
}

/** Entries of a history that cost as much as one request, where they are added up. */
const entriesPerToken = 1000;

/** Takes the tokens for reading a history, however many rounds it is of. */
export async function chargeEntries(context: Context, entries: number): Promise<void> {
  await charge(context, Math.ceil(entries / entriesPerToken) - 1);
}

export type BodyReader = <Schema extends v.GenericSchema>(
  request: SessionRequest,
  schema: Schema,
  options?: BodyOptions,
) => Promise<v.InferOutput<Schema>>;

/** Reads bodies. Whatever is wrong with one for a session that does not exist, the answer is that it does not exist. */
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
