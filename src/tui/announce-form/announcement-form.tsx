import { render, useApp, useInput } from 'ink';
import { useEffect, useReducer, useRef } from 'react';
import { toFormEvents } from './form-keys.ts';
import { drawForm, type FormFace } from './form-lines.ts';
import { Lines, useTerminalSize } from './form-screen.tsx';
import {
  type FormReport,
  type FormState,
  type FormValues,
  type InputName,
  newFormState,
  reduceForm,
} from './form-state.ts';

export interface AnnouncementFormOptions extends FormFace {
  readonly fields: readonly InputName[];
  readonly initial: FormValues;
  /** Looks at the fields as they stand, on every change. */
  readonly check: (values: FormValues) => FormReport;
}

export interface FormResult {
  readonly accepted: boolean;
  /** Also of a form that was left, so that nothing typed is lost. */
  readonly values: FormValues;
}

/** Asks in the terminal until the editor says yes or leaves. */
export async function openAnnouncementForm(options: AnnouncementFormOptions): Promise<FormResult> {
  let end: FormState | undefined;
  const form = render(<AnnouncementForm options={options} onEnd={(state) => (end = state)} />, {
    exitOnCtrlC: false,
  });
  await form.waitUntilExit();
  return { accepted: end?.stage === 'accepted', values: end?.values ?? options.initial };
}

function AnnouncementForm({
  options,
  onEnd,
}: {
  options: AnnouncementFormOptions;
  onEnd: (state: FormState) => void;
}) {
  const { exit } = useApp();
  const size = useTerminalSize();
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  // Kept outside React's queue: of several keys that arrive together, each must see what the one before it did.
  const state = useRef(newFormState(options.fields, options.initial));

  useInput((input, key) => {
    const { stage } = state.current;
    if (stage !== 'fields' && stage !== 'confirm') return;
    for (const event of toFormEvents(input, key, stage)) {
      const problemIn = () => firstProblem(options, state.current.values);
      state.current = reduceForm(
        state.current,
        event === 'enter' ? { type: 'enter', problemIn: problemIn() } : event,
      );
    }
    redraw();
  });

  const isOver = state.current.stage === 'accepted' || state.current.stage === 'left';
  // Only after the empty frame was drawn: what comes next stands in the place of the form.
  useEffect(() => {
    if (!isOver) return;
    onEnd(state.current);
    exit();
  }, [isOver, onEnd, exit]);
  if (isOver) return null;
  const lines = drawForm(state.current, options.check(state.current.values), options, size);
  return <Lines lines={lines} />;
}

function firstProblem({ fields, check }: AnnouncementFormOptions, values: FormValues): InputName | undefined {
  const report = check(values);
  return fields.find((field) => report[field]?.problem !== undefined);
}
