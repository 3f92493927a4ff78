import type { Log } from '../settings/log.ts';
import type { FileProblem } from '../stores/content/json/json-lines.ts';
import {
  type Awaitable,
  type Content,
  type ContentCopy,
  type ContentName,
  StoreUnavailableError,
} from '../stores/ports.ts';

/** The value of a text, or what is wrong with it. */
export type ParsedText<T> = { readonly value: T } | { readonly problems: readonly FileProblem[] };

export interface LastGoodCopyOptions<T> {
  readonly copy?: ContentCopy | undefined;
  readonly name: ContentName;
  readonly parse: (text: string) => Awaitable<ParsedText<T>>;
  /** Whether `after` resulted from `before` by changes alone. Default: always true. */
  readonly continues?: (before: T, after: T) => boolean;
  readonly log: Log;
}

export interface GoodText<T> {
  readonly text: string;
  readonly value: T;
  /** The value in use until now; undefined at a start. */
  readonly before: T | undefined;
}

/**
 * Copies a good text. If the text does not continue the existing copy, that copy may be the last trace of something that the
 * store has lost: it is set aside, or left in place if that fails.
 */
export async function keepLastGood<T>(options: LastGoodCopyOptions<T>, good: GoodText<T>): Promise<void> {
  const { copy, name, continues, log } = options;
  if (copy === undefined) return;
  try {
    if (continues !== undefined && (await isOther({ ...options, copy, continues }, good))) {
      const aside = await copy.setAside();
      log.warn(
        `the store now holds other announcements than before, which lack changes that this server has seen; its copy of those before was kept in ${aside}. If they are missed, see "A store that lost its data" in docs/deploying.md`,
      );
    }
  } catch (error) {
    log.warn(`the copy of ${name} is not replaced: it could not be set aside: ${(error as Error).message}`);
    return;
  }
  await copy.write(name, good.text);
}

type Compared<T> = LastGoodCopyOptions<T> & {
  readonly copy: ContentCopy;
  readonly continues: (before: T, after: T) => boolean;
};

/** Reads the copy only if the value in memory does not settle the question. Another process may have replaced it meanwhile. */
async function isOther<T>(
  { copy, name, parse, continues }: Compared<T>,
  good: GoodText<T>,
): Promise<boolean> {
  if (good.before !== undefined && continues(good.before, good.value)) return false;
  const text = await copy.read(name);
  if (text === undefined || text === good.text) return false;
  const result = await parse(text);
  return !('value' in result) || !continues(result.value, good.value);
}

/** Copies `editors.json`, which nothing else here reads, whenever its version has changed. */
export function createEditorsCopy(
  content: Content,
  copy: ContentCopy | undefined,
): (version: string | undefined) => Promise<void> {
  let known: string | undefined;
  return async (version) => {
    if (copy === undefined || version === undefined || version === known) return;
    try {
      const found = await content.read('editors.json');
      if (found === undefined) return;
      await copy.write('editors.json', found.text);
      known = found.version;
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
    }
  };
}
