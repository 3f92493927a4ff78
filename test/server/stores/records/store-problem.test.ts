import { afterEach, expect, test, vi } from 'vitest';
import { createRefusals, StoreUnavailableError } from '../../../../src/server/stores/records/records.ts';
import {
  checks,
  isDenied,
  isRefusal,
  isTimeout,
  storeProblem,
} from '../../../../src/server/stores/records/store-problem.ts';

afterEach(() => {
  vi.useRealTimers();
});

const secret = 'sEcReT';
const reply = (message: string) => Object.assign(new Error(`${message} ${secret}`), { name: 'ReplyError' });
const withCode = (code: string) => Object.assign(new Error(`connect ${code} ${secret}`), { code });

const denials = [
  'NOAUTH',
  'WRONGPASS',
  'NOPERM',
  "ERR The user executing the script can't run this command",
  'ACL failure in script: no key',
];
const refusals = [
  ...['LOADING', 'OOM', 'READONLY', 'NOREPLICAS', 'MISCONF', 'MASTERDOWN', 'CLUSTERDOWN', 'TRYAGAIN'],
  'ERR Error running script: @user_script: OOM command not allowed',
  'ERR READONLY in a script',
];

test('every refusal of a store is one sentence without the words of the store, and is known as one', () => {
  const sentences = [...denials, ...refusals].map((message) => {
    const problem = storeProblem(reply(message));
    expect(problem).toBeInstanceOf(StoreUnavailableError);
    expect([isRefusal(problem), isDenied(problem)], message).toEqual([true, denials.includes(message)]);
    return problem.message;
  });
  for (const sentence of sentences) expect(sentence).toMatch(/^(?!.*sEcReT)The .+\.$/);
  // Three ways to say NOPERM, two for OOM and READONLY each.
  expect(new Set(sentences).size).toBe(sentences.length - 4);
});

test('an error reply that is a bug stays as it is, and so does what was explained before', () => {
  for (const message of ['ERR wrong number of arguments', 'ERR no ACL failure in script', 'not LOADING']) {
    const bug = reply(message);
    expect(storeProblem(bug)).toBe(bug);
    expect([isRefusal(bug), isDenied(bug)]).toEqual([false, false]);
  }
  const known = storeProblem(reply('OOM'));
  expect(storeProblem(known)).toBe(known);
});

test('a store that cannot be reached is named with the reason, or with what to try', () => {
  const codes = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ENOENT', 'EACCES'];
  const sentences = codes.map((code) => storeProblem(withCode(code), ': try this').message);
  for (const sentence of sentences) expect(sentence).toMatch(/^The store cannot be reached \([^)]+\)\.$/);
  expect(new Set(sentences).size).toBe(codes.length);
  const of = (error: unknown) => storeProblem(error, ': try this').message;
  expect(of(withCode('EOTHER'))).toBe('The store cannot be reached (EOTHER): try this.');
  expect(of(new Error(secret))).toBe('The store cannot be reached: try this.');
  expect(of(secret)).toBe('The store cannot be reached: try this.');
  expect(storeProblem(undefined).message).toBe('The store cannot be reached.');
  expect(storeProblem(secret, checks).message).toMatch(/^The store cannot be reached: check .+\.$/);
  expect(of({ lastNodeError: withCode('ENOENT') })).toBe(sentences[3]);
  expect(isRefusal(storeProblem(withCode('ENOENT')))).toBe(false);
  expect(isDenied(storeProblem(withCode('ENOENT')))).toBe(false);
});

test('a store that is silent does not answer in time, which is known as such', () => {
  const late = new Error('Command timed out');
  const problem = storeProblem(late, ': try this');
  expect(problem).toBeInstanceOf(StoreUnavailableError);
  expect(problem.message).toContain('in time');
  expect(String(problem)).toBe(`StoreUnavailableError: ${problem.message}`);
  expect([isTimeout(late), isTimeout(new Error('out of time')), isTimeout(undefined)]).toEqual([
    true,
    false,
    false,
  ]);
});

test('what was refused counts for ten seconds after the last time, and is told once until then', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const told: string[] = [];
  const seen = createRefusals<string>((refusal) => told.push(refusal));
  expect(seen.current()).toBeUndefined();
  for (const refusal of ['a', 'b']) {
    seen.report(refusal);
    vi.advanceTimersByTime(9_999);
    expect(seen.current()).toBe(refusal);
  }
  expect(told).toEqual(['a']);
  vi.advanceTimersByTime(1);
  expect(seen.current()).toBeUndefined();
  seen.report('c');
  expect(told).toEqual(['a', 'c']);
});
