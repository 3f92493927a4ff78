import type { TimingRequest } from '../../../contract/request-types.ts';
import type { HistoricalStatistics, SessionStatistics } from '../../../contract/statistics-types.ts';
import type { Input } from '../../round/round.ts';
import type { ResumedState } from '../session/answers.ts';
import { isLostSession, ServerProblem } from '../session/server-problem.ts';
import type { DeliveryAnswer, DeliveryRequest } from './delivery-requests.ts';
import { toEvent } from './input-event.ts';

/** How far one round has come on its way to the server. */
export interface DeliveryStatus {
  /** Inputs that the server has taken, of all there are. */
  readonly confirmed: number;
  readonly total: number;
  /** Why the server cannot be reached at the moment; empty while it answers. */
  readonly away: string;
  /** Why this round can never be delivered; empty while it can. */
  readonly lost: string;
  /** Whether it was delivered in one piece, which brings no receipt. Default: false. */
  readonly isThere?: boolean;
}

/** The `away` of a round whose typist wants no server: nothing is wrong with any. */
export const serverNotWanted = 'no server is to be asked';

/** What the server says of a round that it has completely. */
export interface Receipt {
  readonly statistics: SessionStatistics;
  readonly history: HistoricalStatistics;
  /** Why the server could not write the round to its disk; empty when it could. */
  readonly unsaved: string;
}

/** One round on its way to the server, as far as the client knows. */
export interface DeliveryState {
  readonly words: readonly string[];
  /** All inputs so far; those sent before are known by their number. */
  readonly inputs: readonly Input[];
  readonly confirmed: number;
  /** The most inputs ever confirmed: a server that forgets them and takes them again has not come further. */
  readonly furthest: number;
  /** Whether the inputs not yet sent are to go now: at the end of a word, or when they have waited long enough. */
  readonly isDue: boolean;
  /** Set when the round is complete. */
  readonly timing: TimingRequest | undefined;
  readonly isTimed: boolean;
  readonly statistics: SessionStatistics | undefined;
  readonly unsaved: string | undefined;
  /** Whether only the server knows what it has. */
  readonly isUnsure: boolean;
  /** Refusals without a step forward between them, and failures since the last success. */
  readonly refusals: number;
  readonly failures: number;
  readonly away: string;
  readonly lost: string;
  readonly receipt: Receipt | undefined;
  /** Whether nothing more is to be sent. */
  readonly isStopped: boolean;
}

export type DeliveryEvent =
  | { readonly type: 'offer'; readonly inputs: readonly Input[] }
  | { readonly type: 'due' | 'stop' }
  | { readonly type: 'finish'; readonly timing: TimingRequest }
  | { readonly type: 'answer'; readonly answer: DeliveryAnswer }
  | { readonly type: 'problem'; readonly problem: unknown };

/** The API takes up to 500 inputs at once. */
const largestBatch = 500;

/** When the same place is refused this often, reading the state will not help. */
const mostRefusals = 3;

export function newDelivery(words: readonly string[]): DeliveryState {
  return {
    words,
    inputs: [],
    confirmed: 0,
    furthest: 0,
    isDue: false,
    timing: undefined,
    isTimed: false,
    statistics: undefined,
    unsaved: undefined,
    isUnsure: false,
    refusals: 0,
    failures: 0,
    away: '',
    lost: '',
    receipt: undefined,
    isStopped: false,
  };
}

export function toStatus({ confirmed, inputs, away, lost }: DeliveryState): DeliveryStatus {
  return { confirmed, total: inputs.length, away, lost };
}

/** Whether nothing more will be sent: the server has everything, or never will. */
export function isEnded({ receipt, lost, isStopped }: DeliveryState): boolean {
  return receipt !== undefined || lost !== '' || isStopped;
}

/** Whether there are letters that wait for the end of their word. */
export function hasWaitingLetters(state: DeliveryState): boolean {
  return (
    !isEnded(state) && !state.isDue && state.timing === undefined && state.confirmed < state.inputs.length
  );
}

/** The one request to send next; undefined while there is nothing to say. */
export function toNextRequest(state: DeliveryState): DeliveryRequest | undefined {
  const { inputs, confirmed, timing } = state;
  if (isEnded(state)) return undefined;
  const hasInputs = confirmed < inputs.length && (state.isDue || timing !== undefined);
  if (!hasInputs && timing === undefined) return undefined;
  if (state.isUnsure) return { type: 'state' };
  if (hasInputs) {
    return { type: 'input', events: inputs.slice(confirmed, confirmed + largestBatch).map(toEvent) };
  }
  if (timing !== undefined && !state.isTimed) return { type: 'timing', timing };
  if (state.statistics === undefined) return { type: 'statistics' };
  return { type: state.unsaved === undefined ? 'save' : 'history' };
}

export function reduceDelivery(state: DeliveryState, event: DeliveryEvent): DeliveryState {
  switch (event.type) {
    case 'offer':
      return takeInputs(state, event.inputs);
    case 'due':
      return { ...state, isDue: true };
    case 'stop':
      return { ...state, isStopped: true };
    case 'finish':
      return { ...state, timing: event.timing };
    case 'answer':
      return takeSuccess(state, takeAnswer(state, event.answer), event.answer);
    default:
      return takeProblem({ ...state, failures: state.failures + 1 }, event.problem);
  }
}

/** A word is sent when it ends; its letters go with it, since they are on disk already. */
function takeInputs(state: DeliveryState, inputs: readonly Input[]): DeliveryState {
  const hasWordEnd = inputs.slice(state.inputs.length).some(({ type }) => type === 'space');
  return { ...state, inputs, isDue: state.isDue || hasWordEnd };
}

function takeAnswer(state: DeliveryState, answer: DeliveryAnswer): DeliveryState {
  switch (answer.type) {
    case 'state':
      return takeState(state, answer.state);
    case 'input': {
      const confirmed = state.confirmed + answer.count;
      const isDue = state.isDue && confirmed < state.inputs.length;
      const isFurther = confirmed > state.furthest;
      return { ...reach(state, confirmed), isDue, ...(isFurther && { refusals: 0 }) };
    }
    case 'timing':
      return { ...state, isTimed: true };
    case 'statistics':
      return takeStatistics(state, answer.statistics);
    case 'save':
      return { ...state, unsaved: answer.unsaved };
    default:
      return takeHistory(state, answer.history);
  }
}

function reach(state: DeliveryState, confirmed: number): DeliveryState {
  return { ...state, confirmed, furthest: Math.max(confirmed, state.furthest) };
}

/** After any failure only the server knows what it has: a restarted one may even have less than it confirmed. */
function takeState(state: DeliveryState, told: ResumedState): DeliveryState {
  if (told.words.join(' ') !== state.words.join(' ') || told.last_seq > state.inputs.length) {
    return giveUp(state, 'another round was started in this session');
  }
  const isDue = state.isDue || told.last_seq < state.confirmed;
  return { ...reach(state, told.last_seq), isTimed: false, isUnsure: false, isDue };
}

/** A server restored from an older state has forgotten the timing: then its figures are not of this round. */
function takeStatistics(state: DeliveryState, statistics: SessionStatistics): DeliveryState {
  const isOurs = Math.round(statistics.time_seconds * 1000) === state.timing?.duration_ms;
  if (isOurs || state.refusals >= mostRefusals) return { ...state, statistics };
  return { ...state, refusals: state.refusals + 1, isUnsure: true };
}

function takeHistory(state: DeliveryState, history: HistoricalStatistics): DeliveryState {
  const { statistics, unsaved = '' } = state;
  return statistics === undefined ? state : { ...state, receipt: { statistics, history, unsaved } };
}

/** Knowing what the server has, or telling it again, is not a step forward yet, unless there is nothing left to send. */
function takeSuccess(before: DeliveryState, after: DeliveryState, { type }: DeliveryAnswer): DeliveryState {
  const isRepeated = type === 'state' || (type === 'input' && after.confirmed <= before.furthest);
  if (isRepeated && toNextRequest(after) !== undefined) return after;
  return { ...after, failures: 0, away: '' };
}

function takeProblem(state: DeliveryState, problem: unknown): DeliveryState {
  if (!(problem instanceof ServerProblem)) return giveUp(state, String(problem));
  const isUnsure = state.isUnsure || !state.isTimed || problem.kind === 'refused';
  // What answers in the place of the server says nothing about the round.
  if (problem.kind !== 'refused') return { ...state, isUnsure, away: problem.message };
  const isGone = isLostSession(problem);
  const refusals = state.refusals + 1;
  const refused = { ...state, isUnsure, refusals };
  return isGone || refusals >= mostRefusals ? giveUp(refused, problem.message) : refused;
}

function giveUp(state: DeliveryState, lost: string): DeliveryState {
  return { ...state, lost, away: '' };
}
