import { createRounds } from '../../../src/server/stores/rounds.ts';
import { createSessions } from '../../../src/server/stores/sessions.ts';
import { describeOnEveryEngine } from './every-engine.ts';
import { describeRounds } from './rounds-contract.ts';
import { describeSessions } from './sessions-contract.ts';

describeOnEveryEngine('what typists do is kept', ({ open, clock, pass }) => {
  describeSessions('sessions', async ({ limitPerClient = Number.POSITIVE_INFINITY, ...limits }) => {
    const store = createSessions(await open(), { ...limits, limitPerClient, clock });
    return { store, pass };
  });
  describeRounds('rounds', async () =>
    createRounds(await open(), { quota: 2 ** 30, retention: undefined, clock }),
  );
});
