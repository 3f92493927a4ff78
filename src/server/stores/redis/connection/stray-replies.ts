import type { Redis } from 'ioredis';
import { StoreUnavailableError } from '../../ports.ts';

/** The parts of the client library's reply parser that are used here. */
interface ReplyHandler {
  readonly redis: Redis & {
    readonly commandQueue: { readonly length: number };
    recoverFromFatalError(commandError: unknown, error: unknown, options: object): void;
  };
}
type Method = (this: ReplyHandler, argument: never) => unknown;

let isGuarded = false;

/**
 * Makes unexpected replies, and replies that the client library cannot parse, close their connection: its commands are rejected and
 * a new connection is opened. By itself, ioredis 6.0.0 would go on with replies that belong to other commands, or throw where
 * nobody can catch it: a single extra nil from the store, or from something in between, would end this process.
 */
export async function guardReplies(): Promise<void> {
  if (isGuarded) return;
  isGuarded = true;
  const { default: found } = await import('ioredis/built/DataHandler.js');
  // CommonJS with a default export: depending on the loader, this is either the module or the export.
  const { default: library = found } = Object(found) as { readonly default?: typeof found };
  const handler: object = library.prototype;
  const shiftCommand = Reflect.get(handler, 'shiftCommand') as Method;
  const shiftWaiting: Method = function shiftWaiting(reply) {
    if (this.redis.commandQueue.length > 0) return shiftCommand.call(this, reply);
    throw new StoreUnavailableError('The replies of the store came out of order.');
  };
  /** Handlers of connections being closed: their further replies are ignored. */
  const broken = new WeakSet<ReplyHandler>();
  const dispatch: Method = function dispatch(work: () => void) {
    if (broken.has(this)) return;
    try {
      work();
    } catch (error) {
      broken.add(this);
      this.redis.recoverFromFatalError(error, error, { offlineQueue: false });
    }
  };
  Object.assign(handler, { shiftCommand: shiftWaiting, dispatch });
}
