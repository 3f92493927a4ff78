/** What the reader did with an announcement: `+` opened it, `-` collapsed it, `x` dismissed it. */
export type ReaderAction = '+' | '-' | 'x';

type Memory = Record<string, readonly [ReaderAction, number]>;

const NAME = 'typebadge';
const KEPT_MS = 14 * 24 * 60 * 60 * 1000;

let forThisPage: Memory = {}; // where storage is blocked or full

/** What is not forgotten yet. */
function readMemory(): Memory {
  let stored = {};
  try {
    stored = JSON.parse(localStorage[NAME]);
  } catch {}
  // Whatever it is: the page's own scripts can write here.
  return Object.fromEntries(
    Object.entries<Memory[string]>({ ...stored, ...forThisPage }).filter(
      ([, entry]) => Object(entry)[1] > Date.now(),
    ),
  );
}

/** The reader's last action on this announcement, forgotten after 14 days. */
export function recall(key: string): ReaderAction | undefined {
  return readMemory()[key]?.[0];
}

export function remember(key: string, action: ReaderAction): void {
  const memory = { ...readMemory(), [key]: [action, Date.now() + KEPT_MS] } as Memory;
  try {
    localStorage[NAME] = JSON.stringify(memory);
  } catch {
    forThisPage = memory;
  }
}
