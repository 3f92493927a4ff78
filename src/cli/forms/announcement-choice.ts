import { type AnnouncementJson, inReadingOrder } from '../display/announcement-json.ts';
import { createPaint } from '../output/paint.ts';
import { fitTo, toTerminalText } from '../output/text-width.ts';
import { DeclinedError, RefusedError } from '../program/command-errors.ts';
import type { CommandIo } from '../program/command-io.ts';
import { createFormPaint } from './form-face.ts';

export interface ChoiceRequest {
  readonly title: string;
  /** Which announcements can be chosen. */
  readonly isOffered: (announcement: AnnouncementJson) => boolean;
  /** Where none can. */
  readonly noneLeft: string;
}

/** Lets an announcement be chosen on the terminal, active ones first. */
export async function chooseAnnouncement(
  announcements: readonly AnnouncementJson[],
  { title, isOffered, noneLeft }: ChoiceRequest,
  io: CommandIo,
): Promise<AnnouncementJson> {
  const offered = inReadingOrder(announcements).filter(isOffered);
  if (offered.length === 0) throw new RefusedError(noneLeft);
  const { openChoice } = await import('../../tui/announce-form/choice.tsx');
  const position = await openChoice({
    title,
    draw: (columns) =>
      offered.map(({ id, state, message }) =>
        fitTo(`${id}  ${state.padEnd(10)}  ${toTerminalText(message)}`, columns).trimEnd(),
      ),
    paint: createFormPaint(createPaint(io.out, io.env), io),
  });
  const chosen = position === undefined ? undefined : offered[position];
  if (chosen === undefined) throw new DeclinedError('nothing was changed');
  return chosen;
}
