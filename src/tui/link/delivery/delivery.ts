import { setTimeout as sleep } from 'node:timers/promises';
import type { TimingRequest } from '../../../contract/request-types.ts';
import type { Input } from '../../round/round.ts';
import { toBackOff } from '../session/back-off.ts';
import { isUnreachable, ServerProblem } from '../session/server-problem.ts';
import { type DeliveryRequest, type RequestTarget, sendRequest } from './delivery-requests.ts';
import {
  type DeliveryEvent,
  type DeliveryStatus,
  hasWaitingLetters,
  isEnded,
  newDelivery,
  type Receipt,
  reduceDelivery,
  toNextRequest,
  toStatus,
} from './delivery-state.ts';

/** Carries the inputs of one round to the server: numbered, in order, one request at a time, as often as it takes. */
export interface Delivery {
  /** Takes over the inputs of the round so far. */
  offer(inputs: readonly Input[]): void;
  /** Says that the round is complete; the receipt comes when the server has everything, undefined if it never will. */
  finish(timing: TimingRequest): Promise<Receipt | undefined>;
  readonly status: DeliveryStatus;
  /** Whether the server has the complete round and has said so. */
  readonly isDone: boolean;
  /** Whether the latest request got no answer at all, which a server that is only busy would give. Default: false. */
  readonly isUnanswered?: boolean;
  /** Resolves when the server cannot be reached; at once where it cannot now. Default: nobody needs to wait for that. */
  awaitAbsence?(): Promise<void>;
  /** Whether it delivers the round in one piece, when it is complete: nobody has to wait for that. Default: false. */
  readonly isWhole?: boolean;
  /** Gives up at once; nothing more is sent. */
  stop(): void;
}

export interface DeliveryOptions extends RequestTarget {
  readonly words: readonly string[];
  /** Called whenever the status has changed. */
  readonly onStatus?: (status: DeliveryStatus) => void;
  /** Called before each request. */
  readonly onSend?: (request: DeliveryRequest) => void;
  /** Called with each request that the server understood and refused. */
  readonly onRefusal?: (request: DeliveryRequest) => void;
  /** Ms before the n-th attempt after a failure, n from 1. Default: 100 ms doubling to 2 s, with some jitter. */
  readonly delay?: (attempt: number) => number;
}

/** Runs what `reduceDelivery` decides. */
export function createDelivery(options: DeliveryOptions): Delivery {
  const { onStatus, onSend, onRefusal, delay = toBackOff } = options;
  const stopping = new AbortController();
  const finishing: ((receipt: Receipt | undefined) => void)[] = [];
  const letterTimer = createLetterTimer(() => dispatch({ type: 'due' }));
  const absences: (() => void)[] = [];
  let state = newDelivery(options.words);
  let isSending = false;
  let isUnanswered = false;

  return {
    offer: (inputs) => dispatch({ type: 'offer', inputs }),
    finish: (timing) =>
      new Promise((resolve) => {
        finishing.push(resolve);
        dispatch({ type: 'finish', timing });
      }),
    get status() {
      return toStatus(state);
    },
    get isDone() {
      return state.receipt !== undefined;
    },
    get isUnanswered() {
      return isUnanswered;
    },
    awaitAbsence: () =>
      new Promise((resolve) => {
        absences.push(resolve);
        settleAbsences();
      }),
    stop() {
      dispatch({ type: 'stop' });
      stopping.abort();
    },
  };

  function dispatch(event: DeliveryEvent): void {
    const before = state;
    state = reduceDelivery(before, event);
    letterTimer.set(hasWaitingLetters(state));
    if (!state.isStopped && isOtherStatus(toStatus(before), toStatus(state))) onStatus?.(toStatus(state));
    if (isEnded(state)) for (const resolve of finishing.splice(0)) resolve(state.receipt);
    settleAbsences();
    if (!isSending) void send();
  }

  function settleAbsences(): void {
    if (state.away !== '') for (const resolve of absences.splice(0)) resolve();
  }

  async function send(): Promise<void> {
    isSending = true;
    for (let next = toNextRequest(state); next !== undefined; next = toNextRequest(state)) {
      onSend?.(next);
      try {
        const answer = await sendRequest(options, next);
        isUnanswered = false;
        dispatch({ type: 'answer', answer });
      } catch (problem) {
        isUnanswered = isUnreachable(problem);
        if (problem instanceof ServerProblem && problem.kind === 'refused') onRefusal?.(next);
        dispatch({ type: 'problem', problem });
        if (state.away !== '') await waitToRetry(delay(state.failures));
      }
    }
    isSending = false;
  }

  /** Ends at once when the delivery is stopped. */
  function waitToRetry(ms: number): Promise<void> {
    return sleep(ms, undefined, { signal: stopping.signal }).catch(() => {});
  }
}

/**
 * Letters wait so long for the end of their word, ms. Most words end before: a request a word costs a fifth of one a key. Nothing is lost
 * meanwhile, since they are on disk.
 */
const longestWait = 1000;

/** Says when letters have waited long enough, counted from the first of them. */
function createLetterTimer(onDue: () => void): { set(isWaiting: boolean): void } {
  let timer: NodeJS.Timeout | undefined;
  return {
    set(isWaiting) {
      if (isWaiting) timer ??= setTimeout(onDue, longestWait);
      else {
        clearTimeout(timer);
        timer = undefined;
      }
    },
  };
}

function isOtherStatus(a: DeliveryStatus, b: DeliveryStatus): boolean {
  return a.confirmed !== b.confirmed || a.total !== b.total || a.away !== b.away || a.lost !== b.lost;
}
