import { createFileRecords, recordsFolder } from '../../src/server/stores/records/file-records.ts';
import { roundLine } from '../../src/server/stores/stored-round.ts';
import { newStoredRound, toRoundId, withRounds } from '../server/stores/stored-rounds.ts';

/** A data folder with so many finished rounds and one more, which is added as usual, so that what is derived is there. */
export async function putManyRounds(dir: string, count: number): Promise<void> {
  const round = newStoredRound('', ['seven', 'quiet', 'badgers', 'type', 'until', 'morning']);
  const step = 1_000;
  const records = createFileRecords({ dir: recordsFolder(dir) });
  for (let at = 0; at < count; at += step) {
    const push = Array.from({ length: step }, (_, offset) =>
      roundLine({ ...round, id: toRoundId(at + offset) }),
    );
    await records.commit('rounds/local', { put: { epoch: 'made' }, push });
  }
  await records.close();
  await withRounds(dir, (rounds) => rounds.add('local', { ...round, id: toRoundId(count) }));
}
