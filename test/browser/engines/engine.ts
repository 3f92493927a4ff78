/** A rectangle in the window, in CSS pixels. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export type ColorScheme = 'light' | 'dark';

/** How the page is shown. */
export interface Media {
  readonly colorScheme: ColorScheme;
  readonly forcedColors: boolean;
  readonly print: boolean;
}

export type Key = 'Tab' | 'Shift+Tab' | 'Enter' | 'Space';

/** What can be passed to a page and back: anything that survives JSON. */
type Plain =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly Plain[]
  | { readonly [name: string]: Plain };

/**
 * The one tab of an engine: as much as a reader can do in it, and a look into the page. The reader prefers a dark scheme
 * and reduced motion.
 */
export interface Tab {
  /** Resolves after the page's load event. */
  go(url: string): Promise<void>;
  /** Runs a function in the page; it sees nothing outside itself. */
  run<Values extends readonly Plain[], Result>(
    task: (...values: Values) => Result | Promise<Result>,
    ...values: Values
  ): Promise<Result>;
  /** With the main button of a mouse, in CSS pixels of the window. */
  clickAt(x: number, y: number): Promise<void>;
  press(key: Key): Promise<void>;
  /** Rejects what the engine lacks. */
  showAs(media: Media): Promise<void>;
}

/** What some engine cannot be made to do from outside; tests that need it are left out there. */
export type Ability = 'change of colour scheme' | 'forced colours' | 'print';

export interface Engine {
  readonly tab: Tab;
  close(): Promise<void>;
}

/** A way to start an engine. */
export interface EngineKind {
  readonly name: string;
  /** The programs it needs that this machine does not have. */
  readonly missing: readonly string[];
  /** Why, for each ability it lacks. */
  readonly lacks: Readonly<Partial<Record<Ability, string>>>;
  start(): Promise<Engine>;
}

/** An expression for a page: a promise of what the function returns, as JSON, so that every engine carries it alike. */
export function toExpression(task: (...values: never[]) => unknown, values: readonly Plain[]): string {
  return `(async () => JSON.stringify(await (${task})(...${JSON.stringify(values)})))()`;
}

/** What such an expression gave; `undefined` is what JSON has no word for. */
export function fromExpression<Result>(json: unknown): Result {
  return (typeof json === 'string' ? JSON.parse(json) : undefined) as Result;
}
