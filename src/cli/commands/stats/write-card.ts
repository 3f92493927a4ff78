import { writeWholeFile } from '../../../kit/whole-file.ts';
import type { Report } from '../../../tui/trend/report.ts';
import { UsageError } from '../../program/command-errors.ts';
import { type CardTheme, toResultCard } from './result-card.ts';

/** Writes the card of a report to a file of the typist's choice; nothing is sent anywhere. */
export async function writeCard(report: Report, path: string, theme: CardTheme): Promise<void> {
  checkName(path);
  const card = toResultCard(report, theme);
  if (card === undefined)
    throw new Error('there is no round yet that a card could show: type one with "typebadge play".');
  await writeWholeFile(path, card).catch((error: Error) => {
    throw new Error(`the card cannot be written: ${error.message}.`, { cause: error });
  });
}

function checkName(path: string): void {
  if (/\.svg$/i.test(path)) return;
  const why = /\.(?:png|jpe?g|webp|gif)$/i.test(path)
    ? 'Pixels need a font and a renderer, which typebadge does not bring: open the SVG in a browser and save it as a picture.'
    : 'The name of its file ends with .svg, such as card.svg.';
  throw new UsageError(`a card is an SVG. ${why}`);
}
