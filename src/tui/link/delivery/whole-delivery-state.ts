import type { Input } from '../../round/round.ts';
import { ServerProblem } from '../session/server-problem.ts';
import { type DeliveryStatus, serverNotWanted } from './delivery-state.ts';

/** A round that goes to the server in one piece, as far as the client knows. */
export interface WholeDeliveryState {
  readonly inputs: readonly Input[];
  /** Whether it is complete and a server may still take it now. */
  readonly isTrying: boolean;
  readonly isDone: boolean;
  readonly away: string;
  readonly lost: string;
}

export type WholeDeliveryEvent =
  | { readonly type: 'offer'; readonly inputs: readonly Input[] }
  | { readonly type: 'finish'; readonly isOffline: boolean }
  | { readonly type: 'delivered' }
  | { readonly type: 'problem'; readonly problem: unknown };

export const newWholeDelivery: WholeDeliveryState = {
  inputs: [],
  isTrying: false,
  isDone: false,
  away: '',
  lost: '',
};

export function reduceWholeDelivery(
  state: WholeDeliveryState,
  event: WholeDeliveryEvent,
): WholeDeliveryState {
  switch (event.type) {
    case 'offer':
      return { ...state, inputs: event.inputs };
    case 'finish':
      return event.isOffline
        ? { ...state, away: serverNotWanted }
        : { ...state, away: 'the round was typed without a server', isTrying: true };
    case 'delivered':
      return { ...state, isTrying: false, isDone: true, away: '' };
    default:
      return takeProblem(state, event.problem);
  }
}

/** Where nobody answers, it is tried again. */
function takeProblem(state: WholeDeliveryState, problem: unknown): WholeDeliveryState {
  if (!(problem instanceof ServerProblem) || problem.code === 'INVALID_REQUEST') {
    return giveUp(state, problem instanceof Error ? problem.message : String(problem));
  }
  // What else it refuses, such as a key, may be put right before a later start.
  return problem.kind === 'away' ? state : { ...state, isTrying: false };
}

function giveUp(state: WholeDeliveryState, lost: string): WholeDeliveryState {
  return { ...state, isTrying: false, away: '', lost };
}

export function toWholeStatus({ inputs, isDone, away, lost }: WholeDeliveryState): DeliveryStatus {
  return { confirmed: isDone ? inputs.length : 0, total: inputs.length, away, lost, isThere: isDone };
}
