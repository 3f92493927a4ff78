import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { HistoricalStatistics, SessionStatistics } from '../../../../src/contract/statistics-types.ts';
import type { DeliveryAnswer, DeliveryRequest } from '../../../../src/tui/link/delivery/delivery-requests.ts';
import {
  type DeliveryState,
  newDelivery,
  reduceDelivery,
  toNextRequest,
} from '../../../../src/tui/link/delivery/delivery-state.ts';
import { ServerProblem } from '../../../../src/tui/link/session/server-problem.ts';
import { type LocalRound, toTiming } from '../../../../src/tui/round/round.ts';
import { typeRound } from '../../round/round-picture.ts';

const words = ['the', 'cat'];
const offer = (state: DeliveryState, { inputs }: LocalRound) =>
  reduceDelivery(state, { type: 'offer', inputs });

describe('a delivery', () => {
  test('sends the letters of a word when it ends, when they have waited, or when the round ends', () => {
    const letters = offer(newDelivery(words), typeRound(words, 'th'));
    expect(toNextRequest(letters)).toBeUndefined();
    expect(toNextRequest(reduceDelivery(letters, { type: 'due' }))).toMatchObject({ type: 'input' });
    const word = toNextRequest(offer(letters, typeRound(words, 'the ')));
    expect(word?.type === 'input' && word.events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
    const timing = toTiming(typeRound(words, 'th'));
    expect(toNextRequest(reduceDelivery(letters, { type: 'finish', timing }))).toMatchObject({
      type: 'input',
    });
  });

  test('waits for the next word when everything is confirmed', () => {
    const sent = reduceDelivery(offer(newDelivery(words), typeRound(words, 'the ')), {
      type: 'answer',
      answer: { type: 'input', count: 4 },
    });
    expect(toNextRequest(sent)).toBeUndefined();
    expect(toNextRequest(offer(sent, typeRound(words, 'the c')))).toBeUndefined();
  });

  test('asks the server for its position after a failure, and reports nothing more when stopped', () => {
    const failed = reduceDelivery(offer(newDelivery(words), typeRound(words, 'the ')), {
      type: 'problem',
      problem: new ServerProblem('away', 'gone'),
    });
    expect([failed.away, failed.failures]).toEqual(['gone', 1]);
    expect(toNextRequest(failed)).toEqual({ type: 'state' });
    const stillAway = reduceDelivery(failed, {
      type: 'answer',
      answer: { type: 'state', state: { words: [...words], last_seq: 2 } },
    });
    expect(stillAway.away).toBe('gone');
    const next = toNextRequest(stillAway);
    expect(next?.type === 'input' && next.events.map(({ seq }) => seq)).toEqual([3, 4]);
    expect(toNextRequest(reduceDelivery(stillAway, { type: 'stop' }))).toBeUndefined();
  });

  test('whatever the network does to requests and answers, the server gets every input once, in order', () => {
    const round = typeRound(words, 'tx<he cat ');
    const faults = fc.array(fc.constantFrom('ok', 'no request', 'no answer'), { maxLength: 40 });
    fc.assert(
      fc.property(faults, (line) => {
        const server = newServer();
        let state = reduceDelivery(offer(newDelivery(words), round), {
          type: 'finish',
          timing: toTiming(round),
        });
        const troubles = [...line];
        for (let next = toNextRequest(state); next !== undefined; next = toNextRequest(state)) {
          const trouble = troubles.shift() ?? 'ok';
          const answer = trouble === 'no request' ? undefined : server.take(next);
          state =
            answer === undefined || trouble === 'no answer'
              ? reduceDelivery(state, { type: 'problem', problem: new ServerProblem('away', trouble) })
              : reduceDelivery(state, { type: 'answer', answer });
        }
        expect(server.taken).toEqual(round.inputs.map(({ seq }) => seq));
        expect(state.receipt).toMatchObject({ unsaved: '' });
        expect([state.lost, state.away]).toEqual(['', '']);
      }),
    );
  });

  const confused = new ServerProblem('refused', 'no');
  test.each<[string, (request: DeliveryRequest) => DeliveryAnswer | ServerProblem]>([
    ['has figures of another round', ({ type }) => (type === 'statistics' ? figuresOf(7) : done(type))],
    ['refuses the end of the round', ({ type }) => (type === 'timing' ? confused : done(type))],
    ['refuses the figures', ({ type }) => (type === 'statistics' ? confused : done(type))],
  ])('comes to an end with a server that forgets every key and %s', (_, answerOf) => {
    const round = typeRound(words, 'the cat ');
    let state = reduceDelivery(offer(newDelivery(words), round), {
      type: 'finish',
      timing: toTiming(round),
    });
    let requests = 0;
    for (let next = toNextRequest(state); next !== undefined; next = toNextRequest(state)) {
      requests += 1;
      expect(requests).toBeLessThan(30);
      const answer = answerOf(next);
      state = reduceDelivery(
        state,
        answer instanceof ServerProblem ? { type: 'problem', problem: answer } : { type: 'answer', answer },
      );
    }
  });

  test('waits longer each time for a server that takes the same keys again and then fails', () => {
    const round = typeRound(words, 'the ');
    let state = reduceDelivery(offer(newDelivery(words), round), {
      type: 'finish',
      timing: toTiming(round),
    });
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      state = reduceDelivery(state, { type: 'answer', answer: done('input') });
      expect(toNextRequest(state)).toMatchObject({ type: 'timing' });
      state = reduceDelivery(state, { type: 'problem', problem: new ServerProblem('away', 'gone') });
      expect(state.failures).toBe(attempt);
      state = reduceDelivery(state, { type: 'answer', answer: done('state') });
    }
  });
});

/** The answers of a server that takes four keys and has none of them when it is asked. */
function done(type: DeliveryRequest['type']): DeliveryAnswer {
  switch (type) {
    case 'state':
      return { type, state: { words: [...words], last_seq: 0 } };
    case 'input':
      return { type, count: 4 };
    case 'timing':
      return { type };
    case 'statistics':
      return figuresOf(0.7);
    case 'save':
      return { type, unsaved: '' };
    default:
      return { type, history: { total_sessions: 1 } as HistoricalStatistics };
  }
}

function figuresOf(seconds: number): DeliveryAnswer {
  return { type: 'statistics', statistics: { time_seconds: seconds } as SessionStatistics };
}

/** A server that takes numbered inputs as ours does. */
function newServer() {
  const taken: number[] = [];
  return {
    taken,
    take(request: DeliveryRequest): DeliveryAnswer {
      switch (request.type) {
        case 'state':
          return { type: 'state', state: { words: [...words], last_seq: taken.length } };
        case 'input':
          for (const { seq } of request.events) {
            if (seq === taken.length + 1) taken.push(seq);
            else if ((seq ?? 0) > taken.length) throw new Error('A gap in the numbers.');
          }
          return { type: 'input', count: request.events.length };
        case 'timing':
          return { type: 'timing' };
        case 'statistics':
          return { type: 'statistics', statistics: { time_seconds: 0.9 } as SessionStatistics };
        case 'save':
          return { type: 'save', unsaved: '' };
        default:
          return { type: 'history', history: { total_sessions: 1 } as HistoricalStatistics };
      }
    },
  };
}
