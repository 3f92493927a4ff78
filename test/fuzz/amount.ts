/** The seed of this run, and how often its cases are repeated; the suite itself always plays the same few. */
export const seed = Number(process.env.FUZZ_SEED ?? 1);
export const factor = Number(process.env.FUZZ_FACTOR ?? 1);
