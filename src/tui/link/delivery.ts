import type { TimingRequest } from '../../contract/request-types.ts';
import type { Input } from '../round/round.ts';
import { toBackOff } from './back-off.ts';
import {
  type DeliveryAnswer,
  type DeliveryEvent,
  type DeliveryRequest,
  type DeliveryStatus,
  newDelivery,
  type Receipt,
  reduceDelivery,
  toNextRequest,
  toStatus,
} from './delivery-state.ts';
import { ServerProblem } from './server-problem.ts';
import type { HistoryKind, SessionClient } from './session-client.ts';

/** Carries the inputs of one round to the server: numbered, in order, one request at a time, as often as it takes. */
export interface Delivery {
  /** Takes over the inputs of the round so far. */
  offer(inputs: readonly Input[]): void;
  /** Says that the round is complete; the receipt comes when the server has everything, undefined if it never will. */
  finish(timing: TimingRequest): Promise<Receipt | undefined>;
  readonly status: DeliveryStatus;
  /** Whether the server has the complete round and has said so. */
  readonly isDone: boolean;
  /** Whether it delivers the round in one piece, when it is complete: nobody has to wait for that. Default: false. */
  readonly isWhole?: boolean;
  /** Gives up at once; nothing more is sent. */
  stop(): void;
}

export interface DeliveryOptions {
  readonly client: SessionClient;
  readonly session: string;
  readonly words: readonly string[];
  /** What the history after the round is of. Default: the session's mode. */
  readonly kind?: HistoryKind;
  /** Called whenever the status has changed. */
  readonly onStatus?: (status: DeliveryStatus) => void;
  /** Ms before the n-th attempt after a failure, n from 1. Default: 100 ms doubling to 2 s, with some jitter. */
  readonly delay?: (attempt: number) => number;
}

/**
 * Letters wait so long for the end of their word, ms. Most words end before: a request a word costs a fifth of one a key. Nothing is lost
 * meanwhile, since they are on disk.
 */
const longestWait = 1000;

/** Runs what `reduceDelivery` decides. */
export function createDelivery(options: DeliveryOptions): Delivery {
  const { client, session, onStatus, delay = toBackOff } = options;
  let settle: (receipt: Receipt | undefined) => void;
  const settled = new Promise<Receipt | undefined>((resolve) => {
    settle = resolve;
  });
  let state = newDelivery(options.words);
  let isSending = false;
  let timer: NodeJS.Timeout | undefined;
  let wake: (() => void) | undefined;

  return {
    offer(inputs) {
      dispatch({ type: 'offer', inputs });
      if (!state.isDue && state.confirmed < inputs.length) {
        timer ??= setTimeout(() => dispatch({ type: 'due' }), longestWait);
      }
    },
    finish(timing) {
      dispatch({ type: 'finish', timing });
      return settled;
    },
    get status() {
      return toStatus(state);
    },
    get isDone() {
      return state.receipt !== undefined;
    },
    stop() {
      dispatch({ type: 'stop' });
      wake?.();
    },
  };

  function dispatch(event: DeliveryEvent): void {
    const before = state;
    state = reduceDelivery(before, event);
    if (state.isDue || state.isStopped || state.timing !== undefined) {
      clearTimeout(timer);
      timer = undefined;
    }
    if (!state.isStopped && isOtherStatus(toStatus(before), toStatus(state))) onStatus?.(toStatus(state));
    if (state.receipt !== undefined || state.lost !== '' || state.isStopped) settle(state.receipt);
    if (!isSending) void send();
  }

  async function send(): Promise<void> {
    isSending = true;
    for (let next = toNextRequest(state); next !== undefined; next = toNextRequest(state)) {
      try {
        dispatch({ type: 'answer', answer: await request(next) });
      } catch (problem) {
        dispatch({ type: 'problem', problem });
        if (state.away !== '' && !state.isStopped) await pause(delay(state.failures));
      }
    }
    isSending = false;
  }

  async function request(next: DeliveryRequest): Promise<DeliveryAnswer> {
    switch (next.type) {
      case 'state':
        return { type: 'state', state: await client.readState(session) };
      case 'input':
        await client.sendInput(session, next.events);
        return { type: 'input', count: next.events.length };
      case 'timing':
        await client.sendTiming(session, next.timing);
        return { type: 'timing' };
      case 'statistics':
        return { type: 'statistics', statistics: await client.readSessionStatistics(session) };
      case 'save':
        return { type: 'save', unsaved: await save() };
      default:
        return { type: 'history', history: await client.readHistory(session, options.kind) };
    }
  }

  /** A full disk on the server does not hold the typist up: it keeps the round and tries again by itself. */
  async function save(): Promise<string> {
    try {
      await client.save(session);
      return '';
    } catch (problem) {
      if (problem instanceof ServerProblem && problem.code === 'INTERNAL_ERROR') return problem.message;
      throw problem;
    }
  }

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const waiting = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(waiting);
        resolve();
      };
    });
  }
}

function isOtherStatus(a: DeliveryStatus, b: DeliveryStatus): boolean {
  return a.confirmed !== b.confirmed || a.total !== b.total || a.away !== b.away || a.lost !== b.lost;
}
