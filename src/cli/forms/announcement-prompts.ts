import type { Readable, Writable } from 'node:stream';
import { type DraftTexts, readDraft } from '../../announcements/changes/draft.ts';
import { checkPlainValues, type PlainValues, plainOf } from '../../announcements/plain-values.ts';
import { defaultExpiry } from '../../announcements/times/moment.ts';
import { padded, safeText } from '../../kit/terminal-text.ts';
import { drawBadge, formatMoment } from '../display/announcement-text.ts';
import { type CommandIo, DeclinedError } from '../program/command-io.ts';
import { columnsOf, createPaint } from '../program/report.ts';
import type { DeskOptions, Texts } from '../program/subcommand.ts';

const inputs = [
  { name: 'message', label: 'Message', hint: 'what visitors read, on one line' },
  { name: 'link', label: 'Link', hint: 'Enter for none' },
  { name: 'at', label: 'Start', hint: '' },
  { name: 'expires', label: 'End', hint: '' },
] as const;
type Lines = Readonly<Record<(typeof inputs)[number]['name'], string>>;

type GivenTexts = PlainValues & Texts<'at' | 'expires' | 'id'> & Pick<DeskOptions, 'dryRun'>;

/** Asks on the terminal for message, link, start and end; everything else is an option. */
export async function askForAnnouncement(
  given: GivenTexts,
  zone: string,
  io: CommandIo,
): Promise<DraftTexts> {
  const { confirm, intro, isCancel, log, text } = await import('@clack/prompts');
  const streams = { input: io.in as Readable, output: io.out as unknown as Writable };
  let lines: Lines = {
    ...{ message: '', link: typeof given.link === 'string' ? given.link : '' },
    ...{ at: given.at ?? 'now', expires: given.expires ?? defaultExpiry },
  };
  intro('Publish an announcement', streams);
  for (const { name, label, hint } of inputs) {
    if (name in given) continue;
    const preset = lines[name];
    const answer = await text({
      message: `${label} (${preset === '' ? hint : `Enter for ${preset}`})`,
      ...(preset === '' ? {} : { placeholder: preset, defaultValue: preset }),
      validate: (typed) => {
        const texts = draftOf(given, { ...lines, [name]: typed || preset });
        const draft = readDraft(texts, { zone, now: io.now() });
        const problems = 'problems' in draft ? draft.problems : [];
        const found = problems.find(({ field }) => field === name);
        return found && safeText([found.problem, found.fix].filter(Boolean).join('; '));
      },
      ...streams,
    });
    if (isCancel(answer)) throw new DeclinedError('nothing was published');
    lines = { ...lines, [name]: answer };
  }
  log.message(summaryOf(draftOf(given, lines), zone, io).join('\n'), streams);
  const question = given.dryRun ? 'Show what would change?' : 'Publish it?';
  const answer = await confirm({ message: question, ...streams });
  io.out.write('\n');
  if (answer === true) return draftOf(given, lines);
  throw new DeclinedError('nothing was published');
}

function draftOf(given: GivenTexts, { message, link, at, expires }: Lines): DraftTexts {
  return { at, expires, id: given.id, values: plainOf({ ...given, message, link }) };
}

/** The badge, and below it when it is shown. */
function summaryOf(texts: DraftTexts, zone: string, io: CommandIo): string[] {
  const paint = createPaint(io.out, io.env);
  const clock = { zone, now: io.now() };
  const draft = readDraft(texts, clock);
  const drawn = { message: '', link: '', ...(checkPlainValues(texts.values).values as object) };
  const badge = drawBadge(drawn, paint, columnsOf(io.out) - 4);
  if ('problems' in draft) return [...badge, ...draft.problems.map(({ problem }) => safeText(problem))];
  const row = (label: string, instant: number) =>
    `${paint.dim(padded(label, 7))}${formatMoment(instant, clock)}`;
  return [...badge, row('Start', draft.value.published), row('End', draft.value.expires)];
}
