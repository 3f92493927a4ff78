export interface Hits {
  presented: number;
  correct: number;
}

export interface Times {
  ms: number;
  count: number;
}

/** Leaves out groups that never came. */
export function addHits(groups: Record<string, Hits>, name: string, { presented, correct }: Hits): void {
  if (presented === 0) return;
  groups[name] ??= { presented: 0, correct: 0 };
  const group = groups[name];
  group.presented += presented;
  group.correct += correct;
}

/** Leaves out groups that never came. */
export function addTimes(groups: Record<string, Times>, name: string, ms: number, count: number): void {
  if (count === 0) return;
  groups[name] ??= { ms: 0, count: 0 };
  const group = groups[name];
  group.ms += ms;
  group.count += count;
}
