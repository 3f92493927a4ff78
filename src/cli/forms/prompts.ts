import type { Readable, Writable } from 'node:stream';
import { safeText } from '../../kit/terminal-text.ts';
import type { CommandIo } from '../program/command-io.ts';

export interface Choice {
  readonly value: string;
  readonly label: string;
}

export interface TextQuestion {
  readonly message: string;
  readonly initial: string;
  /** Whether what is typed replaces `initial`, instead of going on behind it. */
  readonly isPreset: boolean;
  readonly problemIn: (text: string) => string | undefined;
}

/** Questions on the terminal. Ctrl+C or Escape rejects with the given error. */
export interface Prompts {
  title(text: string): void;
  show(lines: readonly string[]): void;
  text(question: TextQuestion): Promise<string>;
  choose(message: string, choices: readonly Choice[], initial?: string): Promise<string>;
}

/** Loads the library: only a command that asks somebody needs it. */
export async function createPrompts({ in: input, out }: CommandIo, declined: () => Error): Promise<Prompts> {
  const { intro, isCancel, log, select, text } = await import('@clack/prompts');
  const streams = { input: input as Readable, output: out as unknown as Writable };
  const answerOf = (answer: string | symbol): string => {
    if (isCancel(answer)) throw declined();
    return String(answer);
  };
  return {
    title: (line) => intro(safeText(line), streams),
    show: (lines) => log.message(lines.join('\n'), streams),
    async text({ message, initial, isPreset, problemIn }) {
      // Text of others must not control the terminal; as long as nobody changes it, it stays as it was.
      const shown = safeText(initial);
      const asTyped = (value: string | undefined) => {
        const typed = isPreset && !value ? shown : (value ?? '');
        return typed === shown ? initial : typed;
      };
      const answer = await text({
        message: safeText(message),
        ...(isPreset ? { placeholder: shown, defaultValue: shown } : { initialValue: shown }),
        validate: (value) => {
          const problem = problemIn(asTyped(value));
          return problem === undefined ? undefined : safeText(problem);
        },
        ...streams,
      });
      return asTyped(answerOf(answer));
    },
    async choose(message, choices, initial) {
      const options = choices.map(({ value, label }) => ({ value, label: safeText(label) }));
      const first = initial === undefined ? {} : { initialValue: initial };
      return answerOf(await select({ message: safeText(message), options, ...first, ...streams }));
    },
  };
}
