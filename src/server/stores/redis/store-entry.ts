import { randomBytes } from 'node:crypto';
import type { Log } from '../../settings/log.ts';
import { createContentStore } from '../content/content-store.ts';
import { readServableTexts } from '../content/servable-texts.ts';
import type { FoundCopy, StoreCopies } from '../files/store-copies.ts';
import { type Content, type ContentName, contentNames } from '../ports.ts';
import { type StoreConnection, untilAnswering } from './connection/connection.ts';
import { checkStore } from './connection/store-check.ts';
import { isDenied } from './connection/store-problem.ts';
import { type Documents, toDocumentsKey } from './content/documents.ts';
import { compareSessionTtl } from './session-ttl-check.ts';

export interface StoreEntryOptions {
  readonly prefix: string;
  readonly documents: Documents;
  /** Fills a store that, as far as this server knows, never had content. */
  readonly folder: Content;
  readonly copies: StoreCopies;
  /** Whether strangers can reach the server, so that their addresses must be hashed. */
  readonly isExposed: boolean;
  /** See `compareSessionTtl`. */
  readonly sessionTtl: number;
  /** The address of the store, for the log. */
  readonly name: string;
  readonly log: Log;
}

/** A store with this text has content. */
const main = 'history.json' satisfies ContentName;

/** How long a start waits for the store, in milliseconds, without and with copies to fall back on. */
const startPatience = 5_000;
const patienceWithCopies = 2_000;

/**
 * Checks the store, fills it if it is empty, and resolves to the secret with which addresses are hashed. If the store is away and
 * an earlier start has left copies, all this happens once the store answers; without copies it rejects.
 */
export async function enterStore(store: StoreConnection, options: StoreEntryOptions): Promise<string> {
  const { copies, isExposed, log, name } = options;
  const hasContent = (await copies.content.read('history.json')) !== undefined;
  const keyCopy = isExposed ? await copies.readAddressKey() : '';
  const canWait = hasContent && keyCopy !== undefined;
  try {
    await untilAnswering(store, canWait ? patienceWithCopies : startPatience);
    return await enter(store, options, keyCopy);
  } catch (error) {
    if (!canWait || isDenied(error) || store.problem() === undefined) throw error;
    log.warn('the store is away: this server starts with its last copy of the content', {
      store: name,
      reason: (error as Error).message,
    });
    enterLater(store, options, keyCopy);
    return keyCopy;
  }
}

async function enter(
  store: StoreConnection,
  options: StoreEntryOptions,
  keyCopy: string | undefined,
): Promise<string> {
  const { prefix, copies, isExposed, log, name } = options;
  for (const warning of await checkStore(store)) log.warn(warning, { store: name });
  await compareSessionTtl(store, options);
  await fill(options);
  if (!isExposed) return '';
  const key = await shareAddressKey(store, prefix, keyCopy);
  await copies.writeAddressKey(key);
  return key;
}

/** Retries whenever the store answers, until it succeeds. */
function enterLater(store: StoreConnection, options: StoreEntryOptions, keyCopy: string): void {
  const { log, name } = options;
  let isDone = false;
  store.onAnswer(async () => {
    if (isDone) return;
    try {
      const key = await enter(store, options, keyCopy);
      isDone = true;
      if (key !== keyCopy)
        log.error('the store hashes addresses with another secret: restart this server', { store: name });
    } catch (error) {
      log.error(`the store cannot be used yet: ${(error as Error).message}`, { store: name });
    }
  });
}

/**
 * Only fills a store without announcements: the content of a store takes precedence over that of any folder. If this server has a
 * copy, the store has lost its content and gets the copy; the folder would be the state of long ago.
 */
async function fill(options: StoreEntryOptions): Promise<void> {
  const { documents, folder, copies, log, name } = options;
  const versions = await documents.versions(contentNames);
  const present = contentNames.filter((_, at) => versions[at] !== undefined);
  if (present.includes(main)) return;
  const copy = await copies.find();
  if (copy !== undefined) await fillFromCopy(options, copy, present);
  else if (await documents.fill(main, await readServableTexts(folder)))
    log.info('the store had no content and was filled from the content folder', {
      store: name,
      content: folder.name,
    });
}

/** @param present texts that editors have put into the store since it lost its content: they are newer than the copy and stay */
async function fillFromCopy(
  { documents, copies, prefix, log, name }: StoreEntryOptions,
  { content, changed }: FoundCopy,
  present: readonly ContentName[],
): Promise<void> {
  const texts = await readServableTexts(content);
  const { announcements } = await createContentStore(content).readHistory();
  if (!(await documents.fill(main, texts))) return;
  const kept = present.filter((each) => texts[each] !== undefined);
  if (kept.length > 0) {
    const aside = await copies.content.setAside();
    log.warn(
      `${kept.join(' and ')} had been written into the store after it lost its content, and stay as they are; what this server knew of them is in ${aside}: add from there what is missing`,
      { store: name },
    );
  }
  log.warn(
    `the store had lost its content and was filled from this server's last copy of it, not from the content folder. What was changed since is missing, and editors or origins removed since are back. To begin from the content folder instead, stop all servers, move store-copies out of their data folders, delete the key ${toDocumentsKey(prefix)} in the store, and start one`,
    {
      store: name,
      copy: content.name,
      lastChanged: changed.toISOString(),
      announcements: announcements.length,
      texts: Object.keys(texts)
        .filter((each) => !present.some((other) => other === each))
        .join(', '),
    },
  );
}

/** All servers must hash addresses with the same key, otherwise a client would be a different player on each of them. */
async function shareAddressKey(
  store: StoreConnection,
  prefix: string,
  copy: string | undefined,
): Promise<string> {
  const key = `${prefix}:address-key`;
  await store.run((client) => client.set(key, copy ?? randomBytes(32).toString('hex'), 'NX'));
  return (await store.run((client) => client.get(key))) ?? '';
}
