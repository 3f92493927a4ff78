import { createHash } from 'node:crypto';
import { join } from 'node:path';
import * as v from 'valibot';
import { replaceFile } from '../../kit/files/atomic-file.ts';
import { readRegularFile } from '../../kit/files/regular-file.ts';
import { makePrivateFolder } from './folders.ts';

/** Characters (UTF-16 units) typed so far of each text, the one typed last first. */
const PlacesSchema = v.record(v.string(), v.pipe(v.number(), v.safeInteger(), v.minValue(0)));

const fileName = 'texts.json';

/** The texts whose places are kept: those typed last. */
const maxTexts = 100;

export type TextPlaces = ReturnType<typeof createTextPlaces>;

/**
 * The typist's place in each long custom text, even if its file is renamed.
 *
 * @param folder the typist's data folder
 */
export function createTextPlaces(folder: string) {
  const path = join(folder, fileName);
  return {
    /** The place in a text; 0 for one that is new, or if nothing can be read. */
    find: async (text: string): Promise<number> => (await read())[nameOf(text)] ?? 0,
    /** Saves the place; rejects if it cannot be written. */
    async keep(text: string, at: number): Promise<void> {
      const { [nameOf(text)]: _, ...others } = await read();
      const latest = Object.entries(others).slice(0, maxTexts - 1);
      const places = Object.fromEntries([[nameOf(text), at], ...latest]);
      makePrivateFolder(folder);
      await replaceFile(path, `${JSON.stringify(places)}\n`);
    },
  };

  async function read(): Promise<v.InferOutput<typeof PlacesSchema>> {
    try {
      const parsed = v.safeParse(PlacesSchema, JSON.parse(String(await readRegularFile(path))));
      return parsed.success ? parsed.output : {};
    } catch {
      return {};
    }
  }
}

/** A text is identified by a hash of its contents, which are not stored. */
function nameOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
