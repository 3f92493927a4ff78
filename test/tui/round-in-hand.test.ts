import { afterEach, expect, test } from 'vitest';
import { createDelivery } from '../../src/tui/link/delivery/delivery.ts';
import { createSessionClient } from '../../src/tui/link/session/session-client.ts';
import { toTiming } from '../../src/tui/round/round.ts';
import { createRoundInHand } from '../../src/tui/round-in-hand.ts';
import { typeRound } from './round/round-picture.ts';

const words = ['the', 'cat'];
// Nothing listens there: every request fails, and is tried again.
const client = createSessionClient(new URL('http://127.0.0.1:1'));
afterEach(() => client.close());

test('a round left on disk is no longer sent: no attempt keeps the process alive', async () => {
  let attempts = 0;
  const delay = () => {
    attempts += 1;
    return 1;
  };
  const delivery = createDelivery({ client, session: 's', words, delay });
  const inHand = createRoundInHand({
    delivery,
    journal: undefined,
    onReceipt: () => {},
    onJournalProblem: () => {},
  });
  const round = typeRound(words, 'the cat ');
  const ending = inHand.finish(round);
  await expect.poll(() => attempts).toBeGreaterThan(1);
  inHand.detach();
  await ending;
  expect(await delivery.finish(toTiming(round))).toBeUndefined();
  const before = attempts;
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(attempts).toBeLessThanOrEqual(before + 1); // the one that was under way
});
