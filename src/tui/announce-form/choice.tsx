import { render, useApp, useInput } from 'ink';
import { useEffect, useReducer, useRef } from 'react';
import type { FormPaint } from './field-lines.ts';
import { Lines, useTerminalSize } from './form-screen.tsx';

export interface ChoiceOptions {
  readonly title: string;
  /** One line each, for a number of columns. */
  readonly draw: (columns: number) => readonly string[];
  readonly paint: FormPaint;
}

/** Lets one line be chosen; resolves to its position, or undefined where none was. */
export async function openChoice(options: ChoiceOptions): Promise<number | undefined> {
  let chosen: number | undefined;
  const list = render(<Choice options={options} onChosen={(position) => (chosen = position)} />, {
    exitOnCtrlC: false,
  });
  await list.waitUntilExit();
  return chosen;
}

function Choice({ options, onChosen }: { options: ChoiceOptions; onChosen: (position: number) => void }) {
  const { exit } = useApp();
  const { columns, rows } = useTerminalSize();
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const position = useRef(0);
  const isOver = useRef(false);
  const lines = options.draw(columns - 2);

  useInput((input, key) => {
    const step = key.downArrow || input === 'j' ? 1 : key.upArrow || input === 'k' ? -1 : 0;
    position.current = Math.min(lines.length - 1, Math.max(0, position.current + step));
    if (key.return) onChosen(position.current);
    if (key.return || key.escape || input === 'q' || (key.ctrl && input === 'c')) isOver.current = true;
    redraw();
  });
  useEffect(() => {
    if (isOver.current) exit();
  });
  if (isOver.current) return null;
  const { paint, title } = options;
  const room = Math.max(1, rows - 5);
  const from = Math.max(0, Math.min(position.current - Math.floor(room / 2), lines.length - room));
  const shown = lines
    .slice(from, from + room)
    .map((line, at) =>
      from + at === position.current ? `${paint.accent('›')} ${paint.bold(line)}` : `  ${line}`,
    );
  const keys = paint.dim('Arrows move · Enter chooses · Esc leaves');
  return <Lines lines={[paint.bold(title), '', ...shown, '', keys]} />;
}
