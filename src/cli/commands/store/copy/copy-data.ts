import { readServableTexts } from '../../../../server/stores/content/servable-texts.ts';
import { contentNames } from '../../../../server/stores/ports.ts';
import type { Copied, OnProgress } from '../sides/copied.ts';
import { type DataSide, type DataTarget, type LeftOutRounds, noneLeftOut } from '../sides/data-side.ts';

export interface CopyResult {
  readonly content: Copied;
  readonly sessions: Copied;
  readonly rounds: Copied;
  readonly leftOut: LeftOutRounds & { readonly forgottenSessions: number };
  /** What the target has already and the source has otherwise, a sentence each: it was not replaced. */
  readonly kept: readonly string[];
}

/** Copies everything that the target does not have, except the counters. If interrupted, it can be run again. */
export async function copyData(
  source: DataSide,
  target: DataTarget,
  onProgress: OnProgress,
): Promise<CopyResult> {
  const kept: string[] = [];
  const content = await copyContent(source, target, kept);
  onProgress('content', content.found, content.found);
  const key = await source.addressKey();
  if (key !== undefined && !(await target.addAddressKey(key))) {
    kept.push(
      `${target.name} hashes addresses with another secret: players without a key will not find their rounds`,
    );
  }
  const sessions = { found: 0, added: 0 };
  let leftOut = { ...noneLeftOut, forgottenSessions: 0 };
  const open = await source.sessions();
  for (const stored of open) {
    const outcome = await target.addSession(stored);
    sessions.found += 1;
    if (outcome === 'added') sessions.added += 1;
    if (outcome === 'forgotten') leftOut.forgottenSessions += 1;
    onProgress('sessions', sessions.found, open.length);
  }
  const rounds = { found: 0, added: 0 };
  const total = await source.roundCount();
  for await (const batch of source.rounds()) {
    rounds.found += batch.rounds.length;
    const outcome = await target.addRounds(batch);
    rounds.added += outcome.added;
    leftOut = { ...leftOut, ...sumOf(leftOut, outcome.leftOut) };
    onProgress('rounds', rounds.found, total);
  }
  return { content, sessions, rounds, leftOut, kept };
}

function sumOf(one: LeftOutRounds, other: LeftOutRounds): LeftOutRounds {
  return {
    forgotten: one.forgotten + other.forgotten,
    expired: one.expired + other.expired,
    withoutRoom: one.withoutRoom + other.withoutRoom,
  };
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
