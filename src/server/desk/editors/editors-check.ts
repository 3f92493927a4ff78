import type { Content } from '../../stores/content/content.ts';
import type { ContentFinding } from '../../stores/content/content-check.ts';
import { ContentError } from '../../stores/content/content-error.ts';
import { parseEditors } from './editors-document.ts';

interface EditorsCheck {
  readonly problems: readonly ContentFinding[];
  readonly hints: readonly ContentFinding[];
}

/** Checks the editors of the content. Only the file's owner may read it, so permission errors of others are expected. */
export async function checkEditors(content: Content): Promise<EditorsCheck> {
  const file = content.nameOf('editors.json');
  try {
    const result = parseEditors((await content.read('editors.json'))?.text);
    if (!('problem' in result)) return { problems: [], hints: [] };
    const message = `${result.problem}; until this is fixed, nobody may edit from another computer`;
    return { problems: [{ file, message }], hints: [] };
  } catch (error) {
    if (!(error instanceof ContentError)) throw error;
    return { problems: [], hints: [{ file, message: `it was not checked: ${error.message}` }] };
  }
}
