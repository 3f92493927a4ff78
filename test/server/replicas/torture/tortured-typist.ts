import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type * as answers from '../../../../src/contract/answer-types.ts';
import type * as statistics from '../../../../src/contract/answer-types.ts';
import type * as requests from '../../../../src/contract/request-types.ts';
import { planTyping } from '../../../support/typing-plan.ts';
import { createStubbornClient, type Insist, WrongAnswer } from './stubborn-client.ts';

/** A round of a text of its own, so that it can be typed a second time without any trouble. */
export interface Plan {
  readonly key: string;
  readonly text: string;
  readonly events: readonly requests.InputEvent[];
  readonly timing: requests.TimingRequest;
}

/** All that a server says of a session and its player afterwards, without what differs from server to server. */
export interface Figures {
  readonly state: unknown;
  readonly session: unknown;
  readonly history: unknown;
  readonly rounds: readonly unknown[];
}

export interface TypistReport {
  readonly id: string;
  /** Inputs that were acknowledged, and that the server asked for again. */
  readonly lost: number;
}

const words = ['copper', 'lantern', 'drifts', 'above', 'seven', 'quiet', 'harbours', 'until', 'morning'];
/** So often in a row may a server ask for keys that another one has. */
const mostDoubts = 50;
const start_time_unix_ms = 1_700_000_000_000;

export function newPlan(number: number): Plan {
  const count = 8 + (number % 5) * 10;
  const chosen = Array.from(
    { length: count },
    (_, at) => words[(number * 7 + at * 5) % words.length] as string,
  );
  const duration_ms = 60_000 + number;
  return {
    key: randomBytes(24).toString('base64url'),
    text: chosen.join(' '),
    events: planTyping(chosen),
    timing: { start_time_unix_ms, end_time_unix_ms: start_time_unix_ms + duration_ms, duration_ms },
  };
}

/** Opens a session and starts its round; afterwards every request may be sent again without harm. */
export async function openRound(insist: Insist, { text }: Plan): Promise<string> {
  const opened = await insist<answers.SessionCreated>('POST', '/sessions', { mode: { type: 'text', text } });
  const id = opened.body.session_id;
  await insist('POST', `/sessions/${id}/round`);
  return id;
}

/** Types the round without any trouble; the answers are those that everybody else is owed. */
export async function typeUndisturbed(port: number, plan: Plan): Promise<[answers.InputResult[], Figures]> {
  const insist = createStubbornClient({ nextPort: () => port, key: plan.key });
  const id = await openRound(insist, plan);
  const { body } = await insist<answers.InputResponse>('POST', `/sessions/${id}/input`, {
    events: plan.events,
  });
  await insist('POST', `/sessions/${id}/timing`, plan.timing);
  return [body.results, await readFigures(insist, id)];
}

export interface Pace {
  /** Types no longer as people do, but as fast as can be. */
  readonly isRushed: () => boolean;
  /** Until then a round that is typed is not timed yet. */
  readonly mayFinish: () => boolean;
}

/** Types a round that is open, a key or a few at a time, and times and saves it, whatever happens to the servers. */
export async function typeStubbornly(
  insist: Insist,
  id: string,
  { events, timing }: Plan,
  owed: readonly answers.InputResult[],
  { isRushed, mayFinish }: Pace,
): Promise<TypistReport> {
  const path = `/sessions/${id}`;
  let acknowledged = 0;
  let lost = 0;
  for (let attempts = 0; ; attempts += 1) {
    lost += await typeFrom(acknowledged, insist, path, events, owed, isRushed);
    while (!mayFinish()) await sleep(50);
    const { status, body } = await insist('POST', `${path}/timing`, timing);
    if (status === 200) break;
    // A failover may also take back the last keys of a round, after all of them were answered.
    if (status !== 400 || attempts === mostDoubts)
      throw new WrongAnswer(`${path}/timing: ${status} ${JSON.stringify(body)}`);
    acknowledged = await readLastSeq(insist, path);
    lost += events.length - acknowledged;
    await sleep(200);
  }
  await insistOnSuccess(insist, `${path}/save`);
  return { id, lost };
}

/** Resolves to how many inputs were acknowledged and then asked for again. */
async function typeFrom(
  first: number,
  insist: Insist,
  path: string,
  events: Plan['events'],
  owed: readonly answers.InputResult[],
  isRushed: () => boolean,
): Promise<number> {
  let acknowledged = first;
  let lost = 0;
  let doubts = 0;
  while (acknowledged < events.length) {
    const count = isRushed() ? 100 : Math.random() < 0.7 ? 1 : 5;
    const part = events.slice(acknowledged, acknowledged + count);
    const { status, body } = await insist<answers.InputResponse>('POST', `${path}/input`, { events: part });
    if (status === 200) {
      if (!isDeepStrictEqual(body.results, owed.slice(acknowledged, acknowledged + count)))
        throw new WrongAnswer(`after ${acknowledged} keys: ${JSON.stringify(body)}`);
      acknowledged += part.length;
      doubts = 0;
    } else if (status === 400) {
      const lastSeq = await readLastSeq(insist, path);
      // During a failover one server may still ask the old primary while another has found the new one.
      if (lastSeq >= acknowledged && ++doubts > mostDoubts)
        throw new WrongAnswer(`after ${acknowledged} keys: ${JSON.stringify(body)}`);
      lost += Math.max(0, acknowledged - lastSeq);
      acknowledged = Math.min(acknowledged, lastSeq);
      if (doubts > 0) await sleep(200);
    } else throw new WrongAnswer(`after ${acknowledged} keys: ${status} ${JSON.stringify(body)}`);
    if (!isRushed()) await sleep(50 + Math.random() * 150);
  }
  return lost;
}

async function readLastSeq(insist: Insist, path: string): Promise<number> {
  const { status, body } = await insist<answers.GameState>('GET', `${path}/state`);
  if (status !== 200) throw new WrongAnswer(`${path}/state: ${status} ${JSON.stringify(body)}`);
  return body.last_seq;
}

async function insistOnSuccess(insist: Insist, path: string, body?: unknown): Promise<void> {
  const { status, body: answer } = await insist('POST', path, body);
  if (status !== 200) throw new WrongAnswer(`${path}: ${status} ${JSON.stringify(answer)}`);
}

export async function readFigures(insist: Insist, id: string): Promise<Figures> {
  const path = `/sessions/${id}`;
  const state = (await insist<Record<string, unknown>>('GET', `${path}/state`)).body;
  const list = (await insist<statistics.RoundList>('GET', '/rounds')).body;
  return {
    state: { ...state, round_id: '' },
    session: (await insist('GET', `${path}/stats/session`)).body,
    history: (await insist('GET', `${path}/stats/historical`)).body,
    rounds: list.rounds.map((round) => ({ ...round, id: '', completed_at: '' })),
  };
}
