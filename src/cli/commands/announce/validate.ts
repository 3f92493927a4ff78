import { safeText, wrapped } from '../../../kit/terminal-text.ts';
import { checkEditors } from '../../../server/desk/editors/editors-document.ts';
import {
  type ContentCheck,
  type ContentFinding,
  checkContent,
} from '../../../server/stores/content/content-check.ts';
import type { DeskOptions } from '../../desk/desk-place.ts';
import { openTexts } from '../../desk/whole-content.ts';
import type { CommandIo } from '../../program/command-io.ts';
import type { Paint } from '../../program/paint.ts';
import type { Report } from '../../program/report.ts';

/** Looks through the whole content folder. Exit code 1 where a server would refuse any of it. */
export async function validateContent(options: DeskOptions, io: CommandIo): Promise<Report> {
  const content = await openTexts(options, io);
  const served = await checkContent(content, io.now());
  const editors = await checkEditors(content);
  const problems = [...served.problems, ...editors.problems];
  const hints = [...served.hints, ...editors.hints];
  return {
    value: { valid: problems.length === 0, problems, hints, content: content.name },
    exitCode: problems.length === 0 ? 0 : 1,
    text: (paint, columns) =>
      [
        ...findingLines(problems, paint.bad, columns),
        ...findingLines(hints, paint.dim, columns),
        summary({ ...served, problems, hints }, content.name, paint),
      ].join('\n'),
  };
}

function findingLines(findings: readonly ContentFinding[], brush: Paint['bad'], columns: number): string[] {
  return findings.flatMap(({ file, line, path, message }) => {
    const place = `${file}${line === undefined ? '' : `:${line}`}`;
    const where = path === undefined || path === '' ? place : `${place}  ${path}`;
    return [
      brush(safeText(where)),
      ...wrapped(safeText(message), Math.max(20, columns - 4)).map((text) => `    ${text}`),
      '',
    ];
  });
}

function summary(
  { problems, hints, announcements, origins }: ContentCheck,
  name: string,
  paint: Paint,
): string {
  if (problems.length > 0)
    return `${paint.bad('✘')} ${count(problems.length, 'problem')} in ${safeText(name)}`;
  const notes = hints.length === 0 ? '' : `, ${count(hints.length, 'hint')}`;
  return `${paint.good('✔')} ${safeText(name)} is valid: ${count(announcements, 'announcement')}, ${count(origins, 'allowed origin')}${notes}.`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
