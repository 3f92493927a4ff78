import { type Content, type ContentName, contentNames } from '../ports.ts';
import { createContentStore } from './content-store.ts';

/**
 * The texts of a content folder, for a store that is still empty. Rejects with a ContentError if a server could not serve
 * them, because then they must not get into the store.
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
