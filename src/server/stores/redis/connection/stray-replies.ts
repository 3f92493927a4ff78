import type { Redis } from 'ioredis';
import { StoreUnavailableError } from '../../ports.ts';

/** What of the client library takes replies apart, as far as it is used here. */
interface ReplyHandler {
  readonly redis: Redis & {
    readonly commandQueue: { readonly length: number };
    recoverFromFatalError(commandError: unknown, error: unknown, options: object): void;
  };
}
type Method = (this: ReplyHandler, argument: never) => unknown;

let isGuarded = false;

/**
 * Makes a reply that nobody waits for, or that the client library cannot take apart, end its connection, whose commands are then
 * rejected, and a new one begin. Left to itself, ioredis 6.0.0 goes on with replies that belong to other commands, or
 * throws where nobody can catch it: one nil too many from the store, or from something in between, would end this process.
 */
export async function guardReplies(): Promise<void> {
  if (isGuarded) return;
  isGuarded = true;
  const { default: found } = await import('ioredis/built/DataHandler.js');
  // CommonJS with a default export of its own: what loads it decides which of the two this is.
  const { default: library = found } = Object(found) as { readonly default?: typeof found };
  const handler: object = library.prototype;
  const shiftCommand = Reflect.get(handler, 'shiftCommand') as Method;
  const shiftWaiting: Method = function shiftWaiting(reply) {
    if (this.redis.commandQueue.length > 0) return shiftCommand.call(this, reply);
    throw new StoreUnavailableError('The replies of the store came out of order.');
  };
  /** Of connections that end: what still comes over them belongs to nobody. */
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
