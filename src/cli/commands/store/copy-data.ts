import { readServableTexts } from '../../../server/stores/content/servable-texts.ts';
import { contentNames } from '../../../server/stores/ports.ts';
import type { DataSide, DataTarget } from './data-side.ts';

/** What was found and what of it was new to the other side. */
export interface Copied {
  readonly found: number;
  readonly added: number;
}

export interface CopyResult {
  readonly content: Copied;
  readonly sessions: Copied;
  readonly rounds: Copied;
  /** Things that are there already and are others than those that were to be copied, a sentence each. */
  readonly kept: readonly string[];
}

/** Called with what is done, and how many of it. */
export type OnProgress = (what: 'content' | 'sessions' | 'rounds', done: number) => void;

/** Copies everything that the target does not have. Cut short, it is made up for by doing it again. */
export async function copyData(
  source: DataSide,
  target: DataTarget,
  onProgress: OnProgress,
): Promise<CopyResult> {
  const kept: string[] = [];
  const content = await copyContent(source, target, kept);
  onProgress('content', content.found);
  const key = await source.addressKey();
  if (key !== undefined && !(await target.addAddressKey(key))) {
    kept.push(
      `${target.name} hashes addresses with another secret: players without a key will not find their rounds`,
    );
  }
  const sessions = { found: 0, added: 0 };
  for (const stored of await source.sessions()) {
    sessions.found += 1;
    if (await target.addSession(stored)) sessions.added += 1;
    onProgress('sessions', sessions.found);
  }
  const rounds = { found: 0, added: 0 };
  for await (const batch of source.rounds()) {
    rounds.found += batch.rounds.length;
    rounds.added += await target.addRounds(batch);
    onProgress('rounds', rounds.found);
  }
  return { content, sessions, rounds, kept };
}

async function copyContent(source: DataSide, target: DataTarget, kept: string[]): Promise<Copied> {
  const texts = await readServableTexts(source.content);
  let added = 0;
  for (const name of contentNames) {
    const text = texts[name];
    if (text === undefined) continue;
    const present = await target.content.update<string | undefined>(name, (before) => ({
      text: before ?? text,
      result: before,
    }));
    if (present === undefined) added += 1;
    else if (present !== text)
      kept.push(`${target.content.nameOf(name)} is there already, with other content`);
  }
  return { found: Object.keys(texts).length, added };
}
