import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { serverNotWanted } from '../../../../src/tui/link/delivery/delivery-state.ts';
import {
  newWholeDelivery,
  reduceWholeDelivery,
  toWholeStatus,
  type WholeDeliveryEvent,
  type WholeDeliveryState,
} from '../../../../src/tui/link/delivery/whole-delivery-state.ts';
import { ServerProblem } from '../../../../src/tui/link/session/server-problem.ts';
import { newLocalRound } from '../../../../src/tui/round/round.ts';
import { typeText } from '../../round/round-picture.ts';

const { inputs } = typeText(newLocalRound(['as']), 'as ');

function stateAfter(...events: readonly WholeDeliveryEvent[]): WholeDeliveryState {
  return events.reduce(reduceWholeDelivery, newWholeDelivery);
}

const typed: WholeDeliveryEvent = { type: 'offer', inputs };
const finished: WholeDeliveryEvent = { type: 'finish', isOffline: false };
const problem = (kind: 'away' | 'refused', code?: 'INVALID_REQUEST'): WholeDeliveryEvent => ({
  type: 'problem',
  problem: new ServerProblem(kind, 'no', code),
});

describe('a round that goes to the server in one piece', () => {
  test('is not attempted while it is typed, and is confirmed once it is delivered', () => {
    expect(stateAfter(typed).isTrying).toBe(false);
    expect(stateAfter(typed, finished).isTrying).toBe(true);
    const delivered = stateAfter(typed, finished, { type: 'delivered' });
    expect(delivered).toMatchObject({ isTrying: false, isDone: true });
    expect(toWholeStatus(delivered)).toEqual({ confirmed: 3, total: 3, away: '', lost: '', isThere: true });
  });

  test('is retried while nobody answers', () => {
    expect(stateAfter(typed, finished, problem('away'), problem('away'))).toEqual(
      stateAfter(typed, finished),
    );
  });

  test('stays on disk, and is not lost, if no server is wanted or one refuses its key', () => {
    const offline = stateAfter(typed, { type: 'finish', isOffline: true });
    expect(offline).toMatchObject({ isTrying: false, away: serverNotWanted, lost: '' });
    const refused = stateAfter(typed, finished, problem('refused'));
    expect(refused).toMatchObject({ isTrying: false, isDone: false, lost: '' });
  });

  test('is lost if the server says that it is not a round, or if something else went wrong', () => {
    const refused = stateAfter(typed, finished, problem('refused', 'INVALID_REQUEST'));
    expect(refused).toMatchObject({ isTrying: false, away: '', lost: 'no' });
    const broken = stateAfter(typed, finished, { type: 'problem', problem: new TypeError('broken') });
    expect(broken).toMatchObject({ isTrying: false, away: '', lost: 'broken' });
  });

  test('is no longer attempted once it is delivered or lost, whatever else is typed', () => {
    const end = fc.constantFrom<WholeDeliveryEvent>(
      { type: 'delivered' },
      problem('refused', 'INVALID_REQUEST'),
    );
    fc.assert(
      fc.property(end, fc.array(fc.constantFrom(typed, problem('away'))), (last, more) => {
        expect(stateAfter(typed, finished, last, ...more).isTrying).toBe(false);
      }),
    );
  });
});
