import type { FieldName, StoredAnnouncement } from '../../announcements/fields.ts';
import { checkPlainValues } from '../../announcements/plain-values.ts';
import { defaultExpiry } from '../../announcements/times/moment.ts';
import type { FormInput, FormLines } from '../../announcements/values/form-input.ts';
import { padded, safeText, widthOf } from '../../kit/terminal-text.ts';
import type { AnnouncementJson } from '../display/announcement-text.ts';
import { type DrawnAnnouncement, drawBadge } from '../display/badge-drawing.ts';
import { type CommandIo, DeclinedError } from '../program/command-io.ts';
import { columnsOf, createPaint } from '../program/paint.ts';
import {
  type Asked,
  editable,
  type FormReport,
  type Given,
  inputsOf,
  keepTyped,
  linesOf,
  readChanges,
  readLines,
  reportLines,
  writableNames,
} from './announcement-lines.ts';
import { createPrompts, type Prompts } from './prompts.ts';

export interface PromptSetting {
  /** The time zone in which moments are meant. */
  readonly zone: string;
}

const presets: FormLines = { at: 'now', expires: defaultExpiry };

/** Asks on the terminal for what an announcement needs, then offers to set the rest; what is given, checked by now, is filled in. */
export async function askForAnnouncement(
  given: Given,
  { zone }: PromptSetting,
  io: CommandIo,
): Promise<Asked> {
  const names = writableNames('new');
  const { at, expires, id } = given;
  const known = Object.entries({ ...linesOf(given.values, names, zone), at, expires, id });
  const filled = known.filter(([, text]) => text !== undefined && text !== '') as [string, string][];
  const initial = { ...linesOf({}, names, zone), ...presets, ...Object.fromEntries(filled) };
  const isGiven = (name: string) => filled.some(([known]) => known === name);
  const lines = await askLines(
    {
      names,
      initial,
      first: ['message', 'link', 'at', 'expires'].filter((name) => !isGiven(name)),
      check: (now) => reportLines(now, { zone, now: io.now(), names }),
      ...{ title: 'Publish an announcement', question: 'Publish it?', yes: 'Yes, publish it' },
      declined: 'nothing was published',
    },
    io,
  );
  return { answers: readLines(lines), keepTyped: keepTyped(lines.message ?? '') };
}

/** Asks what of an announcement is to change. */
export async function askForEdit(
  announcement: AnnouncementJson,
  { zone }: PromptSetting,
  io: CommandIo,
): Promise<Asked> {
  const { names, begun, initial } = editable(announcement, zone);
  const lines = await askLines(
    {
      ...{ names, initial, first: [] },
      check: (now) => reportLines(now, { zone, now: io.now(), names, begun, initial }),
      ...{ title: `Change ${announcement.id}`, question: 'Change it?', yes: 'Yes, change it' },
      declined: 'nothing was changed',
    },
    io,
  );
  const message = lines.message === initial.message ? '' : (lines.message ?? '');
  return { answers: readChanges(lines, initial), keepTyped: keepTyped(message) };
}

interface Questions {
  readonly names: readonly FieldName[];
  readonly initial: FormLines;
  /** The inputs that are asked for one after the other; all others only if they are chosen. */
  readonly first: readonly string[];
  readonly check: (lines: FormLines) => FormReport;
  readonly title: string;
  readonly question: string;
  readonly yes: string;
  /** What was not done if nobody says yes. */
  readonly declined: string;
}

async function askLines(questions: Questions, io: CommandIo): Promise<FormLines> {
  const { names, initial, first, check, title, question, yes, declined } = questions;
  const prompts = await createPrompts(io, () => new DeclinedError(declined));
  let lines = initial;
  const ask = async (name: string) => {
    const before = inputsOf(names, lines);
    const input = before.find((one) => one.name === name);
    if (input === undefined) return;
    lines = { ...lines, [name]: await askInput(input, lines, check, prompts) };
    // A language needs its message.
    for (const { name: added } of inputsOf(names, lines))
      if (check(lines)[added]?.problem !== undefined && !before.some((one) => one.name === added))
        await ask(added);
  };
  prompts.title(title);
  for (const name of first) await ask(name);
  for (;;) {
    const inputs = inputsOf(names, lines);
    const report = check(lines);
    const isNew = lines !== initial;
    prompts.show(summaryOf(inputs, lines, report, io));
    const choice = await prompts.choose(isNew ? question : 'What do you want to change?', [
      ...(isNew ? [{ value: 'yes ', label: yes }] : []),
      ...inputs.map(({ name, label }) => ({ value: name, label: `${label}: ${shown(lines, name)}` })),
      { value: 'no ', label: 'No' },
    ]);
    if (choice === 'no ') throw new DeclinedError(declined);
    const wrong = inputs.find(({ name }) => report[name]?.problem !== undefined);
    if (choice === 'yes ' && wrong === undefined) return lines;
    await ask(choice === 'yes ' ? (wrong?.name ?? '') : choice);
  }
}

async function askInput(
  { name, label, hint, choices }: FormInput,
  lines: FormLines,
  check: (lines: FormLines) => FormReport,
  prompts: Prompts,
): Promise<string> {
  const now = lines[name] ?? '';
  if (choices !== undefined)
    return prompts.choose(
      `${label}: ${hint}`,
      choices.map((choice) => ({ value: choice, label: choice })),
      now,
    );
  const note = check(lines)[name]?.note ?? hint;
  return prompts.text({
    message: note === '' ? label : `${label}: ${now === presets[name] ? 'Enter for ' : ''}${note}`,
    initial: now,
    // A date that is typed takes the place of a preset.
    isPreset: now === presets[name],
    problemIn: (text) => check({ ...lines, [name]: text })[name]?.problem,
  });
}

/** The badge, and below it what is set. */
function summaryOf(
  inputs: readonly FormInput[],
  lines: FormLines,
  report: FormReport,
  io: CommandIo,
): string[] {
  const paint = createPaint(io.out, io.env);
  const labelWidth = Math.max(...inputs.map(({ label }) => widthOf(label))) + 2;
  const rows = inputs
    .filter((input) => !input.isExtra || isSet(input, lines))
    .map(({ name, label }) => {
      const { problem, note } = report[name] ?? {};
      const isMoment = name === 'at' || name === 'expires';
      const isRead = isMoment && note !== undefined && note !== 'unchanged';
      const value = isRead ? note.replace(/;.*/, '') : shown(lines, name);
      const remark = problem === undefined ? '' : paint.warn(` ! ${safeText(problem)}`);
      return `${paint.dim(padded(label, labelWidth))}${value}${remark}`;
    });
  return [...drawBadge(drawnBy(lines), paint, columnsOf(io.out) - 4), ...rows];
}

/** As it would be published, but for values that are wrong; a wrong message is shown as it was typed. */
function drawnBy(lines: FormLines): DrawnAnnouncement {
  const { values } = checkPlainValues(readLines(lines).values);
  return { message: (lines.message ?? '').trim(), link: '', ...(values as Partial<StoredAnnouncement>) };
}

/** Whether a line says anything but what it would be without it: the first choice, or nothing. */
function isSet({ name, choices: [first = ''] = [] }: FormInput, lines: FormLines): boolean {
  return (lines[name] ?? '').trim() !== first;
}

function shown(lines: FormLines, name: string): string {
  return safeText((lines[name] ?? '').trim()) || '–';
}
