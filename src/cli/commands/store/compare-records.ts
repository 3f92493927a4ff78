import { readAddressKey } from '../../../server/stores/address-key.ts';
import { type Content, contentNames } from '../../../server/stores/content/content.ts';
import type { Records } from '../../../server/stores/records/records.ts';
import { parseRoundLine } from '../../../server/stores/stored-round.ts';
import { idsOf } from './copy-records.ts';

export interface Difference {
  /** Such as `history.json`, `session …`, `round …` or `counter …`. */
  readonly what: string;
  readonly how: 'only in the folder' | 'only in the store' | 'different';
}

export interface ComparedSide {
  readonly content: Content;
  readonly records: Records;
}

/** Everything that is not the same in both, in the order content, address key, sessions, rounds, counters. */
export async function compareData(folder: ComparedSide, store: ComparedSide): Promise<Difference[]> {
  const compare = async (read: (records: Records) => Promise<ReadonlyMap<string, string>>) =>
    differences(await read(folder.records), await read(store.records));
  return [
    ...(await compareContent(folder.content, store.content)),
    ...(await compare(addressKey)),
    ...(await compare(sessions)),
    ...(await compare(rounds)),
    ...(await compare(counters)),
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

async function addressKey(records: Records): Promise<Map<string, string>> {
  const key = await readAddressKey(records);
  return new Map(key === undefined ? [] : [['address key', key]]);
}

async function sessions(records: Records): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const id of await idsOf(records, 'session/')) {
    const { first, last } = await records.read(id, []);
    const fields = [...(await records.fields(id))].filter(([field]) => field !== 'used').sort();
    if (fields.length > 0)
      found.set(id.replace('/', ' '), JSON.stringify([fields, await records.lines(id, first, last)]));
  }
  return found;
}

async function rounds(records: Records): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const id of await idsOf(records, 'rounds/')) {
    const { first, last } = await records.read(id, []);
    for (const line of await records.lines(id, first, last)) {
      if (line === '') continue;
      const what = `round ${parseRoundLine(line)?.id ?? line}`;
      // Several players have the same round: somebody has imported it into a profile.
      found.set(what, `${found.get(what) ?? ''}${id} ${line}\n`);
    }
  }
  return found;
}

async function counters(records: Records): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const id of await idsOf(records, 'pulse/'))
    for (const [field, count] of await records.fields(id)) found.set(`counter ${field}`, count);
  return found;
}

function differences(folder: ReadonlyMap<string, string>, store: ReadonlyMap<string, string>): Difference[] {
  const names = [...new Set([...folder.keys(), ...store.keys()])];
  return names.flatMap((what): Difference[] => {
    if (!store.has(what)) return [{ what, how: 'only in the folder' }];
    if (!folder.has(what)) return [{ what, how: 'only in the store' }];
    return folder.get(what) === store.get(what) ? [] : [{ what, how: 'different' }];
  });
}
