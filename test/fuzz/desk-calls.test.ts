import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseTrustProxy } from '../../src/server/settings/config-parsers.ts';
import { callDesk, type DeskAnswer, newEditors } from '../support/editors.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';
import { factor, seed } from './amount.ts';

const { tokens, text } = newEditors('anna', 'ben');
let server: TestServer;

type Name = keyof typeof tokens;

/** An announcement as the editors see it, without its state, which depends on the time. */
type Entry = Readonly<Record<string, unknown>> & { readonly id: string };

interface EditResult {
  readonly by: Name;
  readonly action: string;
  readonly id: string;
  readonly before: Entry | null;
  readonly after: Entry | null;
  /** Number of the change that it takes back; null: none. */
  readonly undoes: number | null;
}

/** What the editors have done, kept in the plainest way: everything is worked out from the log. */
interface Model {
  readonly log: EditResult[];
  entries: readonly Entry[];
  /** Revisions of the history, the latest last. */
  readonly revisions: string[];
}

const messages = ['one', 'two', 'Umzug am Montag', '“quoted” & <b>'];
const values = fc.record(
  {
    message: fc.constantFrom(...messages),
    link: fc.constantFrom('https://example.org/a', '', null),
    severity: fc.constantFrom('info', 'critical', null),
    alongside: fc.constantFrom(true, false, null),
    linkLabel: fc.constantFrom('More', null),
  },
  { requiredKeys: [] },
);
const wrongValues = fc.constantFrom(
  { message: '' },
  { message: 'two\nlines' },
  { severity: 'fatal' },
  { link: 'javascript:alert(1)' },
  { expires: 'someday' },
);
const who = fc.constantFrom<Name>('anna', 'ben');
const common = {
  by: who,
  /** Of announcements, counted from the latest; far more than there are names none. */
  target: fc.oneof({ weight: 9, arbitrary: fc.nat(3) }, { weight: 1, arbitrary: fc.constant(10_000) }),
  condition: fc.constantFrom('none', 'none', 'none', 'current', 'old', 'any'),
};
const calls = fc.oneof(
  { weight: 4, arbitrary: fc.record({ call: fc.constant('publish'), values, ...common }) },
  { weight: 4, arbitrary: fc.record({ call: fc.constant('edit'), values, ...common }) },
  { weight: 2, arbitrary: fc.record({ call: fc.constantFrom('expire', 'withdraw'), ...common }) },
  {
    weight: 4,
    arbitrary: fc.record({
      call: fc.constant('undo'),
      number: fc.option(fc.nat(5), { nil: undefined }),
      ...common,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ call: fc.constantFrom('publish', 'edit'), wrong: wrongValues, ...common }),
  },
);
interface Call {
  readonly call: string;
  readonly by: Name;
  readonly target: number;
  readonly condition: string;
  readonly values?: Readonly<Record<string, unknown>>;
  readonly wrong?: Readonly<Record<string, unknown>>;
  /** Of the change to undo, counted from the latest. */
  readonly number?: number | undefined;
}

test('whatever editors do in any order, announcements and log match a simple model; refused requests change nothing', async () => {
  const outcomes = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(calls, { minLength: 20, maxLength: 30, size: 'max' }), async (plan) => {
      const model = await startModel();
      for (const step of plan) {
        outcomes.add(await play(model, step));
        await expectSame(model, step);
      }
      await server.close();
    }),
    { numRuns: 4 * factor, seed, endOnFailure: true },
  );
  const wanted = ['200', '201', '400', '404', '409', '412'];
  expect([...outcomes], 'what the plans came to').toEqual(expect.arrayContaining(wanted));
});

async function startModel(): Promise<Model> {
  const trustProxy = parseTrustProxy('127.0.0.1');
  server = await startTestServer({ files: { 'editors.json': text }, trustProxy });
  const { json, etag } = await ask('anna', 'GET', '/announcements?limit=1000');
  return {
    log: [],
    entries: json.announcements.map(withoutState),
    revisions: [etag],
  };
}

let asked = 0;

/** Each request from another address, so that no limit has a say. */
function ask(by: Name, method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  asked += 1;
  const from = `10.${asked >> 16}.${(asked >> 8) & 255}.${asked & 255}`;
  return callDesk(server.port, tokens[by], method, path, {
    ...(body === undefined ? {} : { body }),
    headers: { 'X-Forwarded-For': from, 'X-Forwarded-Proto': 'https', ...headers },
  });
}

function withoutState({ state: _, ...entry }: Entry): Entry {
  return entry;
}

async function expectSame({ entries, log, revisions }: Model, step: Call): Promise<void> {
  const told = JSON.stringify(step);
  const list = await ask('ben', 'GET', '/announcements?limit=1000');
  const byId = (all: readonly Entry[]) => all.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  expect(byId(list.json.announcements.map(withoutState)), told).toEqual(byId(entries));
  expect(list.etag, told).toBe(revisions.at(-1));
  const changes = await ask('ben', 'GET', '/announcements/changes?limit=10');
  expect(changes.json.total, told).toBe(log.length);
  const undone = undoneBy(log);
  const latest = log
    .map((made, at) => ({ ...made, number: at + 1, undoneBy: undone(at + 1) }))
    .slice(-10)
    .toReversed();
  expect(
    changes.json.changes.map(({ at: _, ...change }: { at: string }) => change),
    told,
  ).toEqual(latest);
}

/** An undo holds unless it is undone itself. */
function undoneBy(log: readonly EditResult[]): (number: number) => number | null {
  const holds = (number: number): boolean => by(number) === null;
  const by = (number: number): number | null => {
    const at = log.findLastIndex(({ undoes }, place) => undoes === number && holds(place + 1));
    return at === -1 ? null : at + 1;
  };
  return by;
}

interface Request {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

/** Makes one call and compares its answer; resolves with what it came to. */
async function play(model: Model, step: Call): Promise<string> {
  const request = toRequest(model, step);
  const { revisions } = model;
  const tag = { current: revisions.at(-1), old: revisions.at(-3) ?? '"0-none"', any: '*' }[step.condition];
  const { method, path, body } = request;
  const answer = await ask(step.by, method, path, body, tag === undefined ? {} : { 'If-Match': tag });
  const told = `${JSON.stringify(step)} → ${answer.status} ${JSON.stringify(answer.json)}`;
  if (step.condition === 'old' && tag !== revisions.at(-1)) {
    expect([answer.status, answer.json.code], told).toEqual([412, 'CHANGED_MEANWHILE']);
    return '412';
  }
  const refusal = expectedRefusal(model, step, request);
  if (refusal !== undefined) {
    expect([answer.status, answer.json.error], told).toEqual([refusal, expect.stringMatching(/\.$/)]);
    return String(refusal);
  }
  expect(answer.status, told).toBe(step.call === 'publish' ? 201 : 200);
  const made = toMade(model, step, answer);
  if (made === undefined) {
    expect([answer.json.change, answer.etag], told).toEqual([null, revisions.at(-1)]);
    return 'nothing new';
  }
  expect(revisions, told).not.toContain(answer.etag);
  remember(model, made, answer.etag);
  expect(answer.json.change, told).toBe(model.log.length);
  return String(answer.status);
}

function toRequest(model: Model, step: Call): Request {
  const id = targetOf(model, step)?.id ?? 'nobody';
  const asked = { ...step.values, ...step.wrong };
  switch (step.call) {
    case 'publish':
      return { method: 'POST', path: '/announcements', body: { message: 'said', ...asked } };
    case 'edit':
      return { method: 'PATCH', path: `/announcements/${id}`, body: asked };
    case 'undo':
      return { method: 'POST', path: '/announcements/undo', body: { change: numberOf(model, step) } };
    default:
      return { method: 'POST', path: `/announcements/${id}/${step.call}`, body: {} };
  }
}

function targetOf({ entries }: Model, { target }: Call): Entry | undefined {
  return entries.at(-1 - target);
}

function numberOf({ log }: Model, { number }: Call): number | undefined {
  return number === undefined ? undefined : Math.max(1, log.length - number);
}

function remember(model: Model, made: EditResult, etag: string): void {
  model.log.push(made);
  model.revisions.push(etag);
  const { id, after } = made;
  const isThere = model.entries.some((entry) => entry.id === id);
  if (after === null) model.entries = model.entries.filter((entry) => entry.id !== id);
  else if (isThere) model.entries = model.entries.map((entry) => (entry.id === id ? after : entry));
  else model.entries = [...model.entries, after];
}

/** The status of a refusal; undefined: the change is made, unless everything already is so. */
function expectedRefusal(model: Model, step: Call, { body }: Request): number | undefined {
  if (step.wrong !== undefined) return 400;
  if (step.call === 'publish') return undefined;
  if (step.call === 'undo') return findTarget(model, numberOf(model, step)) === undefined ? 409 : undefined;
  if (step.call === 'edit' && Object.keys(body as object).length === 0) return 400;
  const present = targetOf(model, step);
  if (present === undefined) return 404;
  if (present.withdrawn !== undefined) return 409;
  return step.call === 'expire' && present.expired !== undefined ? 409 : undefined;
}

/** The change that an undo takes back: the one with that number or the last that holds, where nobody has built on it. */
function findTarget(
  { log, entries }: Model,
  number: number | undefined,
): { readonly made: EditResult; readonly number: number } | undefined {
  const undone = undoneBy(log);
  const at =
    number === undefined
      ? log.findLastIndex(({ action }, place) => action !== 'undo' && undone(place + 1) === null)
      : number - 1;
  const made = log[at];
  if (made === undefined || undone(at + 1) !== null) return undefined;
  const present = entries.find(({ id }) => id === made.id) ?? null;
  return isDeepStrictEqual(present, made.after) ? { made, number: at + 1 } : undefined;
}

/** What the log has to say of an answered request; undefined: nothing was changed. */
function toMade(model: Model, step: Call, { json }: DeskAnswer): EditResult | undefined {
  const { call, by, values = {} } = step;
  if (call === 'undo') {
    const target = findTarget(model, numberOf(model, step));
    if (target === undefined) throw new Error('an undo of nothing was answered with success');
    const { id, before, after } = target.made;
    expect([json.undone, json.by]).toEqual([target.number, target.made.by]);
    expect(json.announcement === null ? null : withoutState(json.announcement)).toEqual(before);
    return { by, action: 'undo', id, before: after, after: before, undoes: target.number };
  }
  // Beside the announcement, the answer says what the change did.
  const beside = new Set(['change', 'warnings', 'before', 'supersedes', 'current', 'currentBefore']);
  const fields = Object.entries(json).filter(([name]) => !beside.has(name));
  const after = withoutState(Object.fromEntries(fields) as Entry);
  const before = call === 'publish' ? null : (targetOf(model, step) ?? null);
  const expected: Record<string, unknown> = {
    ...(before ?? { message: 'said', link: '' }),
    ...toStored(values),
  };
  const instants = { expire: ['expired'], withdraw: ['withdrawn'], publish: ['id', 'published', 'expires'] }[
    call
  ];
  for (const name of instants ?? []) expected[name] = expect.any(String);
  // What is undefined is as missing, here as on the wire.
  expect(after).toEqual(expected);
  if (isDeepStrictEqual(before, after)) return undefined;
  return { by, action: call, id: after.id, before, after, undoes: null };
}

/** Null takes a field away, and what a missing field means is not written down. */
function toStored(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const plain = { link: '', severity: undefined, alongside: undefined, linkLabel: undefined };
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      value === null || value === 'info' || value === false ? plain[name as keyof typeof plain] : value,
    ]),
  );
}
