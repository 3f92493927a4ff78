import { checkEditors } from '../../../server/desk/editors/editors-check.ts';
import type { Content } from '../../../server/stores/content/content.ts';
import { checkContent } from '../../../server/stores/content/content-check.ts';
import { resolveContentFolder } from '../../../server/stores/content/content-folder.ts';
import { createFolderContent } from '../../../server/stores/content/folder-content.ts';
import type { CommandIo } from '../../program/command-io.ts';
import { type Finding, ok, problem, reasonOf } from './finding.ts';
import { checkFolder } from './folder-rights.ts';

/** @param isInStore whether a store has the content, so that what is in the folder does not matter */
export async function checkContentFolder(
  content: string | undefined,
  isInStore: boolean,
  io: CommandIo,
): Promise<Finding[]> {
  try {
    const { dir, reason, isNew } = await resolveContentFolder({
      ...{ content, env: io.env, cwd: io.cwd, fillsEmpty: true, onlyLooks: true },
    });
    if (isInStore) return [ok('content', `${dir} (${reason}) is not read: the store has the content.`)];
    if (isNew) {
      const message = `${dir} (${reason}) is missing or empty: the first start fills it with a sample announcement.`;
      return [ok('content', message), ...(await checkFolder({ about: 'content' }, dir))];
    }
    return [
      ...(await checkFolder({ about: 'content', isOnlyRead: true }, dir)),
      ...(await checkTexts(createFolderContent(dir), reason, io.now())),
    ];
  } catch (error) {
    return [problem('content', reasonOf(error), 'Name another folder with --content, or make this one.')];
  }
}

/** @param reason why it is this content that is served */
export async function checkTexts(content: Content, reason: string, now: number): Promise<Finding[]> {
  const { problems, hints, announcements, origins } = await checkContent(content, now);
  const fix = 'Correct it; "typebadge announce validate" shows everything that is wrong.';
  const editors = await checkEditors(content);
  const wrong = [...problems, ...editors.problems].map(({ file, line, message }) =>
    problem('content', `${file}${line === undefined ? '' : `:${line}`}: ${message}.`, fix),
  );
  if (wrong.length > 0) return wrong;
  const counts = `${count(announcements, 'announcement')}, ${count(origins, 'allowed origin')}`;
  const more =
    hints.length === 0
      ? ''
      : ` "typebadge announce validate" has ${hints.length === 1 ? 'a hint' : `${hints.length} hints`}.`;
  return [ok('content', `${content.name} (${reason}) is valid: ${counts}.${more}`)];
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
