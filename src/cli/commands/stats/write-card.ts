import { toWriteProblem } from '../../../kit/files/file-problem.ts';
import { writeWholeFile } from '../../../kit/files/whole-file.ts';
import { toVisible } from '../../../kit/visible-text.ts';
import type { ProgressReport } from '../../../tui/trend/report.ts';
import { UsageError } from '../../program/command-errors.ts';
import { type CardTheme, toResultCard } from './result-card.ts';

/** Writes the card of a report to a file of the typist's choice; nothing is sent anywhere. */
export async function writeCard(report: ProgressReport, path: string, theme: CardTheme): Promise<void> {
  checkName(path);
  const card = toResultCard(report, theme);
  if (card === undefined)
    throw new Error('there are no rounds to draw on a card yet: type one with "typebadge play".');
  await writeWholeFile(path, card).catch((error: unknown) => {
    throw new Error(`the card cannot be written to ${toVisible(path)}: ${toWriteProblem(error)}.`, {
      cause: error,
    });
  });
}

function checkName(path: string): void {
  if (/\.svg$/i.test(path)) return;
  const why = /\.(?:png|jpe?g|webp|gif)$/i.test(path)
    ? 'Other formats need fonts and a renderer, which typebadge does not include: open the SVG in a browser and take a screenshot.'
    : 'Give a file name that ends with .svg, such as card.svg.';
  throw new UsageError(`a card is an SVG. ${why}`);
}
