import { between, pause, type World } from '../world.ts';

const rate = 10;
const burst = 20;

/** Asks for far more than its share, in bursts, and checks that it gets its share, no more, and is told when to come back. */
export async function runGreedyClient(world: World, address: string): Promise<void> {
  const start = performance.now();
  let granted = 0;
  while (!world.isEnding()) {
    for (let asked = between(30, 60); asked > 0; asked--) {
      const answer = await world.ask('greedy', {
        path: '/content/announcement.json',
        headers: { 'X-Forwarded-For': address },
      });
      if (answer.status === 200) granted++;
      else if (answer.status !== 429) world.tally.fault(`greedy: ${answer.status}`);
      else if (answer.headers['retry-after'] !== '1') world.tally.fault('greedy: no Retry-After');
      const owed = burst + ((performance.now() - start) / 1000) * rate;
      if (granted > owed + 1)
        world.tally.fault(`greedy: ${granted} answers where ${Math.floor(owed)} are allowed`);
    }
    // Long enough for at least one more token, which must then be granted.
    await pause(between(200, 3000));
    const { status } = await world.ask('greedy, after a rest', {
      path: '/content/announcement.json',
      headers: { 'X-Forwarded-For': address },
    });
    if (status === 200) granted++;
    else world.tally.fault(`greedy: ${status} after a rest`);
  }
}
