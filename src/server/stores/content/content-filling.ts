import { type Content, type ContentName, type ContentText, contentNames } from './content.ts';
import { createContentStore } from './content-store.ts';

/**
 * Copies content, which must be servable, into a store that has no announcements. What the store has stays as
 * it is. Resolves to whether announcements were added.
 */
export async function fillContent(store: Content, folder: Content): Promise<boolean> {
  const [version] = await store.versions(['history.json']);
  if (version !== undefined) return false;
  await requireServable(folder);
  // The announcements come last: with them, the store counts as filled.
  let isFilled = false;
  for (const name of [...contentNames].reverse())
    isFilled = await addText(store, name, await folder.read(name));
  return isFilled;
}

/** Rejects with a ContentError if a server could not serve this content. */
export async function requireServable(content: Content): Promise<void> {
  const store = createContentStore(content);
  await store.readHistory();
  await store.readOrigins();
}

/** Adds a text if there is none. Resolves to whether it was added. */
export async function addText(
  target: Content,
  name: ContentName,
  found: Pick<ContentText, 'text' | 'log'> | undefined,
): Promise<boolean> {
  if (found === undefined) return false;
  return target.update(name, (before) =>
    before === undefined
      ? { text: found.text, added: found.log, result: true }
      : { text: undefined, result: false },
  );
}
