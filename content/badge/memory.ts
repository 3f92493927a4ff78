/** What the reader did with an announcement: `+` opened it, `-` collapsed it, `x` dismissed it. */
export type ReaderAction = '+' | '-' | 'x';

type Memory = Record<string, readonly [ReaderAction, number]>;

const NAME = 'typebadge';
const KEPT_MS = 14 * 24 * 60 * 60 * 1000;

let forThisPage: Memory = {}; // where storage is blocked or full

function readMemory(): Memory {
  try {
    return { ...JSON.parse(localStorage.getItem(NAME) as string), ...forThisPage };
  } catch {
    return forThisPage;
  }
}

/** The reader's last action on this announcement, forgotten after 14 days. */
export function recall(key: string): ReaderAction | undefined {
  const entry = Object(readMemory()[key]); // whatever it is: the page's own scripts can write here
  return entry[1] > Date.now() ? entry[0] : undefined;
}

export function remember(key: string, action: ReaderAction): void {
  const memory: Memory = {};
  const now = Date.now();
  for (const [known, entry] of Object.entries(readMemory())) {
    if (Object(entry)[1] > now) memory[known] = entry;
  }
  memory[key] = [action, now + KEPT_MS];
  try {
    localStorage.setItem(NAME, JSON.stringify(memory));
  } catch {
    forThisPage = memory;
  }
}
