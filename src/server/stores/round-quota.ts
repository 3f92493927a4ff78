import type { Committed, RecordChange, Records, Refused } from './records/records.ts';

const record = 'quota/rounds';
const field = 'bytes';
/** Milliseconds between two counts of all rounds while the quota seems to be used up. */
const countPause = 60_000;

/**
 * Bounds the bytes of all rounds together, of all players and servers.
 *
 * Nothing is atomic across records, so a crash may leave room reserved that no round fills. When there seems
 * to be no room, the rounds of all players are counted again.
 */
export function createRoundQuota(records: Records, quota: number, clock: () => number) {
  let counted = Number.NEGATIVE_INFINITY;
  const takeNow = async (bytes: number) =>
    'version' in (await records.commit(record, { add: { [field]: bytes }, max: { [field]: quota } }));

  const reserve = async (bytes: number): Promise<boolean> => {
    if (await takeNow(bytes)) return true;
    if (clock() - counted < countPause) return false;
    counted = clock();
    await recountRounds(records);
    return takeNow(bytes);
  };
  const giveBack = async (bytes: number): Promise<void> => {
    if (bytes > 0) await records.commit(record, { add: { [field]: -bytes } });
  };

  return {
    giveBack,
    /**
     * Reserves room, commits the change that fills it, and gives the room back if that is refused or fails.
     * Undefined if there is no room.
     */
    async commit(bytes: number, id: string, change: RecordChange): Promise<Committed | Refused | undefined> {
      if (!(await reserve(bytes))) return undefined;
      let isFilled = false;
      try {
        const done = await records.commit(id, change);
        isFilled = 'version' in done;
        return done;
      } finally {
        if (!isFilled) await giveBack(bytes).catch(() => undefined);
      }
    },
  };
}

/** Corrects the counted bytes of all rounds. */
export async function recountRounds(records: Records): Promise<void> {
  const before = await records.read(record, [field]);
  let sum = 0;
  for await (const id of records.ids('rounds/')) {
    const { values } = await records.read(id, ['bytes']);
    sum += Number(values[0] ?? 0);
  }
  await records.commit(record, { add: { [field]: sum - Number(before.values[0] ?? 0) } });
}
