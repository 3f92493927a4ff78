import type { FormInput, FormLines } from '../../announcements/values/form-input.ts';
import { toEntries } from '../../announcements/values/form-input.ts';
import { toShellWord } from '../output/shell-word.ts';

const manyOptions: Readonly<Record<string, string>> = { site: '--site', path: '--path' };
const translated: Readonly<Record<string, string>> = {
  message: '--translation',
  link: '--translated-link',
  linkLabel: '--translated-link-label',
};

/** What was typed and would be lost. */
export interface Reminder {
  /** Goes on after a sentence without its full stop: begins with a semicolon, or is empty. */
  readonly text: string;
  /** Has all of it, and can be pasted. */
  readonly command?: string;
}

/** What a form was opened with. */
export interface FormSetting {
  readonly zone: string;
  /** The options that were given and that the form does not show, as words: where, by whom, in which time zone. */
  readonly options: readonly string[];
}

/** The command that was called: its name, such as `publish` or `edit 2026-001`. */
type CalledCommand = Pick<FormSetting, 'options'> & { readonly name: string };

/**
 * The message where only that differs from what the form began with, else a command that has all of it. Nothing where nothing was
 * typed.
 */
export function toReminder(
  { name: command, options }: CalledCommand,
  inputs: readonly FormInput[],
  lines: FormLines,
  initial: FormLines,
): Reminder {
  const typed = inputs.filter(({ name }) => (lines[name] ?? '').trim() !== (initial[name] ?? '').trim());
  const message = (lines.message ?? '').trim();
  if (typed.length === 0) return { text: '' };
  if (typed.length === 1 && typed[0]?.name === 'message' && message !== '')
    return { text: `; the message was: “${message}”` };
  const words = typed.flatMap(({ name }) => toWords(name, (lines[name] ?? '').trim(), command));
  const text = command === 'publish' && message !== '' ? [toShellWord(message)] : [];
  const given = [...words, ...options.map(toShellWord)];
  // What begins with a hyphen is taken for an option unless two hyphens come before it.
  const all = message.startsWith('-') && text.length > 0 ? [...given, '--', ...text] : [...text, ...given];
  return {
    text: '; what you typed, as a command:',
    command: `typebadge announce ${[command, ...all].join(' ')}`,
  };
}

function toWords(name: string, text: string, command: string): string[] {
  const [part = '', language] = name.split('.', 2);
  if (language !== undefined) return [translated[part] ?? '', toShellWord(`${language}=${text}`)];
  if (name === 'languages' || (name === 'message' && command === 'publish')) return [];
  if (name === 'dismissible') return [text === 'no' ? '--not-dismissible' : '--dismissible'];
  if (name === 'alongside') return [text === 'yes' ? '--alongside' : '--no-alongside'];
  const many = manyOptions[name];
  if (many !== undefined)
    return text === '' ? [`--no-${name}`] : toEntries(text).flatMap((entry) => [many, toShellWord(entry)]);
  const option = name === 'linkLabel' ? 'link-label' : name;
  return text === '' ? [`--no-${option}`] : [`--${option}`, toShellWord(text)];
}
