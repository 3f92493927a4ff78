import { plural, safeText } from '../../../kit/terminal-text.ts';
import { checkEditors } from '../../../server/desk/editors-document.ts';
import { type ContentFinding, checkContent } from '../../../server/stores/content/content-check.ts';
import { openTexts } from '../../desk/open-desk.ts';
import type { Paint } from '../../program/report.ts';
import type { DeskCommand } from '../../program/subcommand.ts';

/** Checks the whole content folder. Exit code 1 if a server would refuse any of it. */
export const validateContent: DeskCommand = async (_, options, io) => {
  const content = await openTexts(options, io);
  const { announcements, origins, ...served } = await checkContent(content, io.now());
  const editors = await checkEditors(content);
  const problems = [...served.problems, ...editors.problems];
  const hints = [...served.hints, ...editors.hints];
  const name = safeText(content.name);
  const notes = hints.length === 0 ? '' : `, ${plural(hints.length, 'hint')}`;
  const found = `${plural(announcements, 'announcement')}, ${plural(origins, 'allowed origin')}${notes}`;
  return {
    value: { valid: problems.length === 0, problems, hints, content: content.name },
    exitCode: problems.length === 0 ? 0 : 1,
    text: (paint) =>
      [
        ...findingLines(problems, paint.bad),
        ...findingLines(hints, paint.dim),
        problems.length > 0
          ? `${paint.bad('✘')} ${plural(problems.length, 'problem')} in ${name}`
          : `${paint.good('✔')} ${name} is valid: ${found}.`,
      ].join('\n'),
  };
};

function findingLines(findings: readonly ContentFinding[], brush: Paint['bad']): string[] {
  return findings.flatMap(({ file, line, path, message }) => {
    const place = `${file}${line === undefined ? '' : `:${line}`}`;
    const where = path === undefined || path === '' ? place : `${place}  ${path}`;
    return [brush(safeText(where)), `    ${safeText(message)}`, ''];
  });
}
