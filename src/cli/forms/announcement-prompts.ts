import type { Readable, Writable } from 'node:stream';
import { type DraftTexts, readDraft } from '../../announcements/changes/draft.ts';
import { checkPlainValues, type PlainValues, plainOf } from '../../announcements/plain-values.ts';
import { defaultExpiry } from '../../announcements/times/moment.ts';
import { padded, safeText } from '../../kit/terminal-text.ts';
import { formatMoment } from '../display/announcement-text.ts';
import { type DrawnAnnouncement, drawBadge } from '../display/badge-drawing.ts';
import { type CommandIo, DeclinedError } from '../program/command-io.ts';
import { columnsOf, createPaint } from '../program/paint.ts';

/** The prompts, in their order. */
const inputs = [
  { name: 'message', label: 'Message', hint: 'what visitors read, on one line' },
  { name: 'link', label: 'Link', hint: 'none: the badge shows text only' },
  { name: 'at', label: 'Start', hint: 'at once' },
  { name: 'expires', label: 'End', hint: '' },
] as const;
type Lines = Readonly<Record<(typeof inputs)[number]['name'], string>>;

/** The values given as options; the rest is prompted for. */
export interface GivenTexts extends PlainValues {
  readonly at?: string;
  readonly expires?: string;
  readonly id?: string;
}

/** Asks on the terminal for message, link, start and end; everything else is an option. */
export async function askForAnnouncement(
  given: GivenTexts,
  zone: string,
  io: CommandIo,
): Promise<DraftTexts> {
  const { isCancel, intro, log, select, text } = await import('@clack/prompts');
  const streams = { input: io.in as Readable, output: io.out as unknown as Writable };
  const declined = () => new DeclinedError('nothing was published');
  const answerOf = (answer: string | symbol): string => {
    if (isCancel(answer)) throw declined();
    return String(answer);
  };
  let lines: Lines = {
    ...{ message: '', link: typeof given.link === 'string' ? given.link : '' },
    ...{ at: given.at ?? 'now', expires: given.expires ?? defaultExpiry },
  };
  const read = (texts: Lines) => readDraft(draftOf(given, texts), { zone, now: io.now() });
  const problemIn = (name: string, texts: Lines) => {
    const draft = read(texts);
    return 'problems' in draft ? draft.problems.find(({ field }) => field === name) : undefined;
  };
  const ask = async ({ name, label, hint }: (typeof inputs)[number]) => {
    // Typing replaces a preset, and is appended to any other text.
    const now = lines[name];
    const isPreset = now === 'now' || now === defaultExpiry;
    const answer = await text({
      message: `${label}: ${isPreset ? 'Enter for ' : ''}${hint}`,
      ...(isPreset ? { placeholder: now, defaultValue: now } : { initialValue: safeText(now) }),
      validate: (typed) => {
        const found = problemIn(name, { ...lines, [name]: typed || (isPreset ? now : '') });
        return found && safeText([found.problem, found.fix].filter(Boolean).join('; '));
      },
      ...streams,
    });
    lines = { ...lines, [name]: answerOf(answer) };
  };
  intro('Publish an announcement', streams);
  for (const input of inputs) if (!(input.name in given)) await ask(input);
  for (;;) {
    log.message(summaryOf(draftOf(given, lines), zone, io).join('\n'), streams);
    const choice = await select({
      message: 'Publish it?',
      options: [
        { value: 'yes', label: 'Yes, publish it' },
        ...inputs.map(({ name, label }) => ({ value: name, label: `Change ${label.toLowerCase()}` })),
        { value: 'no', label: 'No' },
      ],
      ...streams,
    });
    const chosen = answerOf(choice);
    if (chosen === 'no') throw declined();
    if (chosen === 'yes') return draftOf(given, lines);
    for (const input of inputs) if (input.name === chosen) await ask(input);
  }
}

function draftOf(given: GivenTexts, { message, link, at, expires }: Lines): DraftTexts {
  return { at, expires, id: given.id, values: plainOf({ ...given, message, link }) };
}

/** The badge, and below it when it is shown. */
function summaryOf(texts: DraftTexts, zone: string, io: CommandIo): string[] {
  const paint = createPaint(io.out, io.env);
  const { values } = checkPlainValues(texts.values);
  const drawn = { message: '', link: '', ...(values as Partial<DrawnAnnouncement>) };
  const clock = { zone, now: io.now() };
  const draft = readDraft(texts, clock);
  const times =
    'problems' in draft
      ? draft.problems.map(({ problem }) => safeText(problem))
      : [
          `${paint.dim(padded('Start', 7))}${formatMoment(draft.value.published, clock)}`,
          `${paint.dim(padded('End', 7))}${formatMoment(draft.value.expires, clock)}`,
        ];
  return [...drawBadge(drawn, paint, columnsOf(io.out) - 4), ...times];
}
