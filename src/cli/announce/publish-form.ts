import type { FormValues } from '../../tui/announce-form/form-state.ts';
import type { CommandIo } from '../command-io.ts';
import { RefusedError, type Report } from '../report.ts';
import { newStamp, openContent, zoneOf } from './content-access.ts';
import { checkFields, createFormFace } from './form-face.ts';
import { defaultExpiry } from './moment-options.ts';
import { type PublishOptions, publishMessage } from './publish.ts';

/** Asks for what an announcement needs; options that were given stand in the fields already. */
export async function publishWithForm(options: PublishOptions, io: CommandIo): Promise<Report> {
  const zone = zoneOf(options, io);
  newStamp(options, io); // whoever is asked to fill in a form should not learn at its end that a name is wrong
  await openContent(options, io);
  const check = (values: FormValues) => checkFields(values, { zone, now: io.now() }, undefined);
  const { openAnnouncementForm } = await import('../../tui/announce-form/announcement-form.tsx');
  const { link = '', at = 'now', expires = defaultExpiry } = options;
  const { accepted, values } = await openAnnouncementForm({
    ...createFormFace('Publish an announcement', 'Publish it?', io, check),
    fields: ['message', 'link', 'at', 'expires'],
    initial: { message: '', link, at, expires },
    check,
  });
  if (!accepted) throw new RefusedError(`nothing was published${toReminder(values)}`);
  return publishMessage(values.message, { ...options, ...trimmed(values), verbose: false }, io);
}

function trimmed({ link, at, expires }: FormValues) {
  return { link: link.trim(), at: at.trim(), expires: expires.trim() };
}

/** What was typed is not lost: it can be taken from here. */
export function toReminder({ message }: FormValues): string {
  return message.trim() === '' ? '' : `; the message was: “${message.trim()}”`;
}
