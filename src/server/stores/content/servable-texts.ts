import { type Content, type ContentName, contentNames } from '../ports.ts';
import { createContentStore } from './content-store.ts';

/**
 * The texts of a content folder, for a store that has none yet. Rejects with a ContentError where a server could not serve
 * them: nobody else should find them in the store.
 */
export async function readServableTexts(folder: Content): Promise<Partial<Record<ContentName, string>>> {
  const store = createContentStore(folder);
  await store.readHistory();
  await store.readOrigins();
  const texts = await Promise.all(
    contentNames.map(async (name) => [name, (await folder.read(name))?.text] as const),
  );
  return Object.fromEntries(texts.filter(([, text]) => text !== undefined));
}
