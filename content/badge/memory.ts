import type { Written } from './announcement.ts';

/** What the reader did with an announcement: `+` opened it, `-` collapsed it, `x` dismissed it. */
export type ReaderAction = '+' | '-' | 'x';

type Memory = Record<string, readonly [ReaderAction, number]>;

const NAME = 'typebadge';
const KEPT_MS = 14 * 24 * 60 * 60 * 1000;

let forThisPage: Memory = {}; // where storage is blocked or full

/** A value of the page's storage, which its own scripts can write too: it may be anything. */
function readStored(name: string) {
  try {
    return Object(JSON.parse(localStorage[name]));
  } catch {
    return {};
  }
}

/** What is still remembered. */
function readMemory(): Memory {
  return Object.fromEntries(
    Object.entries<Memory[string]>({ ...readStored(NAME), ...forThisPage }).filter(
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

/** What a bar needs to be in the page before the first paint of the next view. */
export interface KeptBar {
  readonly base: string;
  readonly css: string;
  readonly news: readonly Written[];
}

export function recallBar(): Partial<KeptBar> {
  return readStored('typebadge-bar');
}

export function rememberBar(bar: KeptBar): void {
  try {
    localStorage['typebadge-bar'] = JSON.stringify(bar);
  } catch {} // the next view then starts without it
}
