import { newKey, type Player } from '../clients/player.ts';
import { between, chance, pick, type World } from '../world.ts';
import { askHostilely, posting } from './expect-status.ts';

const badKeys = [
  'Bearer',
  'Bearer short',
  'Basic dXNlcjpwYXNz',
  `Bearer ${'x'.repeat(129)}`,
  'Bearer \u00e9',
];

/** A new player with every request, all from one address. */
export async function inventPlayers(world: World, { address }: Player): Promise<void> {
  const nobody = { address, key: newKey() };
  await askHostilely(world, nobody, {
    attack: 'invented player opens',
    owed: [201],
    ...posting('/sessions', {}),
  });
  const path = pick(['/api/rounds?limit=1000', '/api/sessions?limit=1000']);
  await askHostilely(
    world,
    { address, key: newKey() },
    { attack: 'invented player lists', owed: [200], path },
  );
  await askHostilely(
    world,
    { address, key: undefined },
    {
      attack: 'key that is none',
      owed: [401],
      path: '/api/sessions',
      headers: { Authorization: pick(badKeys) },
    },
  );
}

/** Knows the ids of others' sessions, and gets nowhere with them. */
export async function useSessionsOfOthers(world: World, attacker: Player): Promise<void> {
  const owned = [...world.ledger.sessions.values()].filter(({ player }) => player.key !== undefined);
  const victim = owned[between(0, owned.length - 1)];
  if (victim === undefined) return;
  const own = `/sessions/${victim.id}`;
  const question = pick([
    { path: `/api${own}/state` },
    { path: `/api${own}/stats/historical` },
    { method: 'DELETE', path: `/api${own}` },
    posting(`${own}/round`, {}),
    posting(`${own}/keystroke`, { char: 'x' }),
    posting(`${own}/save`, ''),
  ]);
  const isInDisguise = chance(0.3);
  const thief = isInDisguise ? { address: victim.player.address, key: attacker.key } : attacker;
  // In disguise it takes tokens of its victim: few, or the victim would rightly be refused.
  if (isInDisguise && !chance(0.05)) return;
  await askHostilely(world, thief, { attack: 'session of another', owed: [404], ...question });
}

const origins = [
  'https://evil.example',
  'null',
  'https://www.example.org.evil.example',
  'http://localhost:1',
];

/** Pages of other sites, and names that are not this server's. */
export async function askFromEverywhere(world: World, attacker: Player): Promise<void> {
  const Origin = pick(origins);
  const [question, owed] = pick([
    [{ ...posting('/sessions', {}), headers: { Origin, 'Content-Type': 'application/json' } }, [201, 403]],
    [{ path: '/content/announcement.json', headers: { Origin } }, [200]],
    [{ path: '/pulse?event=click&id=2026-001', headers: { Origin } }, [204]],
    [{ method: 'OPTIONS', path: '/content/announcement.json', headers: { Origin } }, [204, 403]],
    [{ path: '/health', headers: { Host: 'evil.example' } }, [403]],
    [{ path: `/content/${'..%2f'.repeat(between(1, 50))}passwd` }, [400, 404]],
  ] as const);
  const { headers } = await askHostilely(world, attacker, { attack: 'origin or host', owed, ...question });
  const allowed = headers['access-control-allow-origin'];
  if (allowed !== undefined && allowed !== 'http://localhost:1')
    world.tally.fault(`attack: origin ${allowed} is let in`);
}
