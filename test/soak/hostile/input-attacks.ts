import { randomUUID } from 'node:crypto';
import type * as wire from '../../../src/contract/answer-types.ts';
import type { Player } from '../clients/player.ts';
import { planTyping } from '../clients/typing-plan.ts';
import { between, chance, pause, pick, type World } from '../world.ts';
import { askHostilely, posting } from './expect-status.ts';

/** The duration of every round that an attacker uploads: it is looked for in no journal. */
export const hostileDuration = 77_777_777;

const largestBatch = 500;
const kibibyte = 1024;
/** Long enough for 5,000 inputs. */
const longText = 'seven quick badgers type all night '.repeat(143).trim();

/** Types a round of 5,000 inputs, and then sends batches of it again, over and over. */
export async function repeatBatches(world: World, attacker: Player): Promise<void> {
  const opened = await insist(
    world,
    attacker,
    '/sessions',
    { mode: { type: 'text', text: longText } },
    [201],
  );
  const id = (opened as wire.SessionCreated).session_id;
  const { words } = (await insist(world, attacker, `/sessions/${id}/round`, {}, [200])) as wire.Round;
  const events = planTyping(words);
  for (let at = 0; at < events.length && !world.isEnding(); at += largestBatch)
    await insist(
      world,
      attacker,
      `/sessions/${id}/input`,
      { events: events.slice(at, at + largestBatch) },
      [200],
    );
  for (let repeats = between(500, 2000); repeats > 0 && !world.isEnding(); repeats--) {
    const from = between(0, events.length - largestBatch);
    await askHostilely(world, attacker, {
      attack: 'repeated batches',
      owed: [200],
      ...posting(`/sessions/${id}/input`, { events: events.slice(from, from + largestBatch) }),
    });
  }
  await askHostilely(world, attacker, {
    attack: 'repeated batches, end',
    owed: [204],
    method: 'DELETE',
    path: `/api/sessions/${id}`,
  });
}

/** Until it is granted. */
async function insist(
  world: World,
  attacker: Player,
  path: string,
  body: unknown,
  owed: readonly number[],
): Promise<unknown> {
  for (;;) {
    const { status, body: text } = await askHostilely(world, attacker, {
      attack: 'preparation',
      owed,
      ...posting(path, body),
    });
    if (owed.includes(status)) return JSON.parse(text.toString());
    await pause(1000);
  }
}

/** Bodies of 64 KiB and 1 MiB, some of them JSON, to routes that take less, or as much but other things. */
export async function sendLargeBodies(world: World, attacker: Player): Promise<void> {
  const size = pick([64 * kibibyte, 65 * kibibyte, 1024 * kibibyte, 1025 * kibibyte]);
  const path = pick(['/sessions', '/rounds', `/sessions/${'0'.repeat(32)}/input`]);
  const body = pick([
    () => 'x'.repeat(size),
    () => '['.repeat(size),
    () => `{"events":[${'{"type":"space"},'.repeat(size / 20)}{}]}`,
    () => `{"mode":{"type":"text","text":"${'a '.repeat(size / 2 - 30)}"}}`,
  ])();
  await askHostilely(world, attacker, {
    attack: `body of ${Math.floor(size / kibibyte)} KiB`,
    // A session may be opened with fields that nobody knows.
    owed: [201, 400, 404, 413, 503],
    ...posting(path, body),
    keep: chance(0.5),
  });
}

/** Rounds that were typed elsewhere: whole, twice, and with what does not belong together. */
export async function uploadRounds(world: World, attacker: Player): Promise<void> {
  const words = Array.from({ length: between(10, 200) }, () => pick(['badger', 'types', 'all', 'night']));
  const start = 1_700_000_000_000;
  const round = {
    id: randomUUID(),
    words,
    mode: { type: 'text' },
    events: planTyping(words),
    start_time_unix_ms: start,
    end_time_unix_ms: start + hostileDuration,
    duration_ms: hostileDuration,
  };
  const upload = (attack: string, owed: readonly number[], body: unknown) =>
    askHostilely(world, attacker, { attack, owed, ...posting('/rounds', body) });
  await upload('uploaded round', [200, 201], round);
  await upload('uploaded round, again', [200, 201], round);
  await upload('uploaded round, unfinished', [400], {
    ...round,
    id: randomUUID(),
    events: round.events.slice(1),
  });
}
