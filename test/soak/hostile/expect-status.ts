import type { Answer, Question } from '../clients/exchange.ts';
import { headersOf, type Player } from '../clients/player.ts';
import type { World } from '../world.ts';

export interface HostileQuestion extends Question {
  /** What the attack is called in the report. */
  readonly attack: string;
  /** Everything that it may be answered with, 429 aside. */
  readonly owed: readonly number[];
}

/** Asks, counts the answer under its status, and calls every other status a fault. */
export async function askHostilely(
  world: World,
  attacker: Player,
  { attack, owed, ...question }: HostileQuestion,
): Promise<Answer> {
  const answer = await world.ask(({ status }) => `attack: ${attack} (${status})`, {
    ...question,
    headers: { ...headersOf(attacker), ...question.headers },
  });
  if (answer.status !== 429 && !owed.includes(answer.status))
    world.tally.fault(`attack: ${attack}: ${answer.status} ${answer.body.toString().slice(0, 200)}`);
  return answer;
}

/** A request with a body of JSON. */
export function posting(path: string, body: unknown): Question {
  return {
    method: 'POST',
    path: `/api${path}`,
    headers: { 'Content-Type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  };
}
