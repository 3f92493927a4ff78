import { createHash } from 'node:crypto';
import { addressKeyRecord } from '../../../server/stores/address-key.ts';
import { type Content, contentNames } from '../../../server/stores/content/content.ts';
import type { Records } from '../../../server/stores/records/records.ts';
import { idsOf } from './copy-records.ts';

export interface Difference {
  /** Such as `history.json`, `session/…`, `rounds/local` or `pulse/2026-11`. */
  readonly what: string;
  readonly how: 'only in the folder' | 'only in the store' | 'different';
}

export interface ComparedSide {
  readonly content: Content;
  readonly records: Records;
}

/** Everything that is not the same in both. */
export async function compareData(folder: ComparedSide, store: ComparedSide): Promise<Difference[]> {
  return [
    ...(await compareContent(folder.content, store.content)),
    ...differences(await recordTexts(folder.records), await recordTexts(store.records)),
  ];
}

/** Of the texts of the content: announcements with their log, allow-list and editors. */
export async function compareContent(folder: Content, store: Content): Promise<Difference[]> {
  return differences(await contentTexts(folder), await contentTexts(store));
}

async function contentTexts(content: Content): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const name of contentNames) {
    const found = await content.read(name);
    if (found !== undefined) texts.set(name, `${found.text}${found.log}`);
  }
  return texts;
}

const copied = [addressKeyRecord, 'session/', 'rounds/', 'pulse/'];
/** Fields that each side has for itself. */
const ownFields = ['used', 'epoch', 'bytes'];

/** What is copied of each record, as a hash; lines in any order, since a copy adds missing rounds at the end. */
async function recordTexts(records: Records): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const prefix of copied)
    for (const id of await idsOf(records, prefix)) {
      const { first, last } = await records.read(id, []);
      const fields = [...(await records.fields(id))].filter(([name]) => !ownFields.includes(name)).sort();
      const lines = (await records.lines(id, first, last)).filter((line) => line !== '').sort();
      const text = JSON.stringify([fields, lines]);
      if (fields.length + lines.length > 0) texts.set(id, createHash('sha256').update(text).digest('base64'));
    }
  return texts;
}

function differences(folder: ReadonlyMap<string, string>, store: ReadonlyMap<string, string>): Difference[] {
  const names = [...new Set([...folder.keys(), ...store.keys()])];
  return names.flatMap((what): Difference[] => {
    if (!store.has(what)) return [{ what, how: 'only in the folder' }];
    if (!folder.has(what)) return [{ what, how: 'only in the store' }];
    return folder.get(what) === store.get(what) ? [] : [{ what, how: 'different' }];
  });
}
