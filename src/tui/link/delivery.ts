import type {
  HistoricalStatistics,
  InputEvent,
  SessionStatistics,
  TimingRequest,
} from '../../server/wire-types.ts';
import type { Input } from '../game/run.ts';
import { toBackOff } from './back-off.ts';
import { ServerProblem } from './server-problem.ts';
import type { SessionClient } from './session-client.ts';

/** How far one run has come on its way to the server. */
export interface DeliveryStatus {
  /** Inputs that the server has taken, of all there are. */
  readonly confirmed: number;
  readonly total: number;
  /** Why the server cannot be reached at the moment; empty while it answers. */
  readonly away: string;
  /** Why this run can never be delivered; empty while it can. */
  readonly lost: string;
}

/** What the server says of a run that it has completely. */
export interface Receipt {
  readonly statistics: SessionStatistics;
  readonly history: HistoricalStatistics;
  /** Why the server could not write the round to its disk; empty when it could. */
  readonly unsaved: string;
}

/** Carries the inputs of one run to the server: numbered, in order, one request at a time, as often as it takes. */
export interface Delivery {
  /** Takes over the inputs of the run so far; those sent before are known by their number. */
  offer(inputs: readonly Input[]): void;
  /** Says that the run is complete; the receipt comes when the server has everything, undefined if it never will. */
  finish(timing: TimingRequest): Promise<Receipt | undefined>;
  readonly status: DeliveryStatus;
  /** Whether the server has the complete run and has said so. */
  readonly isDone: boolean;
  /** Gives up at once; nothing more is sent. */
  stop(): void;
}

export interface DeliveryOptions {
  readonly client: SessionClient;
  readonly session: string;
  readonly words: readonly string[];
  /** Called whenever the status has changed. */
  readonly onStatus?: (status: DeliveryStatus) => void;
  /** Ms before the n-th attempt after a failure, n from 1. Default: 100 ms doubling to 2 s, with some jitter. */
  readonly delay?: (attempt: number) => number;
}

/** The API takes up to 500 inputs at once. */
const largestBatch = 500;

/** The same place refused so often is no misunderstanding that reading the state could clear up. */
const mostRefusals = 3;

export function createDelivery(options: DeliveryOptions): Delivery {
  const { client, session, onStatus, delay = toBackOff } = options;
  let inputs: readonly Input[] = [];
  let timing: TimingRequest | undefined;
  let isTimed = false;
  let statistics: SessionStatistics | undefined;
  let unsaved: string | undefined;
  let isUnsure = false;
  let isPumping = false;
  let isStopped = false;
  let isDone = false;
  let refusals = 0;
  let status: DeliveryStatus = { confirmed: 0, total: 0, away: '', lost: '' };
  let wake: (() => void) | undefined;
  let settle: (receipt: Receipt | undefined) => void;
  const receipt = new Promise<Receipt | undefined>((resolve) => {
    settle = resolve;
  });

  return {
    offer(all) {
      inputs = all;
      setStatus({ total: all.length });
      void pump();
    },
    finish(given) {
      timing = given;
      void pump();
      return receipt;
    },
    get status() {
      return status;
    },
    get isDone() {
      return isDone;
    },
    stop() {
      isStopped = true;
      wake?.();
      settle(undefined);
    },
  };

  function setStatus(change: Partial<DeliveryStatus>): void {
    status = { ...status, ...change };
    if (!isStopped) onStatus?.(status);
  }

  async function pump(): Promise<void> {
    if (isPumping) return;
    isPumping = true;
    let failures = 0;
    while (!isStopped && status.lost === '' && hasWork()) {
      try {
        if (isUnsure) await resume();
        await sendNext();
        failures = 0;
        setAway('');
      } catch (problem) {
        if (isStopped) break;
        failures += 1;
        await endure(problem, failures);
      }
    }
    isPumping = false;
  }

  function hasWork(): boolean {
    return status.confirmed < inputs.length || timing !== undefined;
  }

  /** One request; over a bad line every single one that succeeds is a step forward. */
  async function sendNext(): Promise<void> {
    const batch = inputs.slice(status.confirmed, status.confirmed + largestBatch);
    if (batch.length > 0) await sendBatch(batch);
    else if (timing !== undefined) await finishNext(timing);
  }

  async function sendBatch(batch: readonly Input[]): Promise<void> {
    await client.sendInput(session, batch.map(toEvent));
    refusals = 0;
    setStatus({ confirmed: status.confirmed + batch.length });
  }

  async function finishNext(given: TimingRequest): Promise<void> {
    if (!isTimed) {
      await client.sendTiming(session, given);
      isTimed = true;
    } else if (statistics === undefined) {
      const told = await client.readSessionStatistics(session);
      const isOurs = Math.round(told.time_seconds * 1000) === given.duration_ms;
      if (isOurs || refusals >= mostRefusals) statistics = told;
      else {
        refusals += 1; // a server restored from an older state has forgotten the timing
        isUnsure = true;
      }
    } else if (unsaved === undefined) unsaved = await save();
    else {
      const history = await client.readHistory(session);
      timing = undefined;
      isDone = true;
      settle({ statistics, history, unsaved });
    }
  }

  /** A full disk of the server is no reason to hold the typist up: it keeps the round and tries again by itself. */
  async function save(): Promise<string> {
    try {
      await client.save(session);
      return '';
    } catch (problem) {
      if (problem instanceof ServerProblem && problem.code === 'INTERNAL_ERROR') return problem.message;
      throw problem;
    }
  }

  async function endure(problem: unknown, failures: number): Promise<void> {
    isUnsure ||= !isTimed || (problem instanceof ServerProblem && problem.kind === 'refused');
    if (!(problem instanceof ServerProblem)) giveUp(String(problem));
    else if (problem.kind === 'refused') {
      refusals += 1;
      const isGone = problem.code === 'SESSION_NOT_FOUND' || problem.code === 'ROUND_NOT_STARTED';
      if (isGone || refusals >= mostRefusals) giveUp(problem.message);
    } else {
      setAway(problem.message);
      await pause(delay(failures));
    }
  }

  /** After any failure only the server knows what it has: a restarted one may even have less than it confirmed. */
  async function resume(): Promise<void> {
    const state = await client.readState(session);
    if (state.words.join(' ') !== options.words.join(' ') || state.last_seq > inputs.length) {
      giveUp('another round was started in this session');
      throw new ServerProblem('refused', status.lost);
    }
    isTimed = false;
    isUnsure = false;
    setStatus({ confirmed: state.last_seq });
  }

  function giveUp(reason: string): void {
    setStatus({ lost: reason, away: '' });
    settle(undefined);
  }

  function setAway(away: string): void {
    if (away !== status.away) setStatus({ away });
  }

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

function toEvent(input: Input): InputEvent {
  if (input.type === 'backspace') return { type: 'backspace', seq: input.seq };
  const timed = { seek_time_ms: input.seek, seq: input.seq };
  return input.type === 'space'
    ? { type: 'space', ...timed }
    : { type: 'keystroke', char: input.char, ...timed };
}
