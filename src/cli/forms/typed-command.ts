import type { FormInput, FormLines } from '../../announcements/values/form-input.ts';
import { toEntries } from '../../announcements/values/form-input.ts';
import { toShellWord } from '../output/shell-word.ts';

const manyOptions: Readonly<Record<string, string>> = { site: '--site', path: '--path' };
const translated: Readonly<Record<string, string>> = {
  message: '--translation',
  link: '--translated-link',
  linkLabel: '--translated-link-label',
};

/**
 * What was typed and would be lost, behind a sentence: the message where only that differs from what the form began with, else a command
 * that has all of it. Nothing where nothing was typed.
 */
export function toReminder(
  command: string,
  inputs: readonly FormInput[],
  lines: FormLines,
  initial: FormLines,
): string {
  const typed = inputs.filter(({ name }) => (lines[name] ?? '').trim() !== (initial[name] ?? '').trim());
  const message = (lines.message ?? '').trim();
  if (typed.length === 0) return '';
  if (typed.length === 1 && typed[0]?.name === 'message' && message !== '')
    return `; the message was: “${message}”`;
  const words = typed.flatMap(({ name }) => toWords(name, (lines[name] ?? '').trim(), command));
  const text = command === 'publish' && message !== '' ? [toShellWord(message)] : [];
  return `; what you typed, as a command: typebadge announce ${[command, ...text, ...words].join(' ')}`;
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
