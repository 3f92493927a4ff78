import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { localCaller } from '../../../src/server/stores/player.ts';
import { createFileRecords } from '../../../src/server/stores/records/file-records.ts';
import { defaultSetup, newSession } from '../../../src/server/stores/session.ts';
import { createSessions } from '../../../src/server/stores/sessions.ts';
import { newRound, reduceRoundBatch } from '../../../src/typing/round.ts';
import { newInput } from '../../../src/typing/round-input.ts';
import { backspaceKey } from '../../../src/typing/rules/rules.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

function heapUsed(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

const inputs = Array.from({ length: 500 }, (_, at) => newInput(at % 2 === 0 ? 'x' : backspaceKey, 3_599_999));
const longText = Array.from({ length: 1_000 }, () => 'ab');
const count = 8;

it('takes less than a megabyte for the longest session, however its inputs came', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'typebadge-memory-'));
  const records = createFileRecords({ dir });
  const bounds = { limit: count, limitPerClient: count, ttl: 86_400_000 };
  const sessions = createSessions(records, { ...bounds, clock: Date.now });
  try {
    const before = heapUsed();
    for (let number = 1; number <= count; number += 1) {
      const session = newSession(
        number.toString(16).padStart(32, '0'),
        defaultSetup,
        Date.now(),
        localCaller,
      );
      const round = newRound('round', longText);
      await sessions.create({ ...session, roundCount: 1, round });
      for (let sent = 0; sent < round.maxInputs; sent += inputs.length) {
        await sessions.update(session.id, (latest) => {
          const reduced = reduceRoundBatch(latest.round ?? round, inputs);
          if ('problem' in reduced) throw new Error(reduced.problem.message);
          return { session: { ...latest, round: reduced.round }, result: true };
        });
      }
      expect((await sessions.read(session.id))?.round?.inputCount).toBe(20_000);
    }
    expect((heapUsed() - before) / count).toBeLessThan(1_000_000);
  } finally {
    await records.close();
    await rm(dir, { recursive: true });
  }
});
