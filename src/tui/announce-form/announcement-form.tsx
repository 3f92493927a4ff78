import { render, useApp, useInput } from 'ink';
import { useEffect, useReducer, useRef } from 'react';
import { toFormEvents } from './form-keys.ts';
import { drawForm, type FormFace } from './form-lines.ts';
import { Lines, useTerminalSize } from './form-screen.tsx';
import {
  type FormField,
  type FormReport,
  type FormState,
  type FormValues,
  type InputName,
  newFormState,
  reduceForm,
  withFields,
} from './form-state.ts';

export interface AnnouncementFormOptions extends FormFace {
  /** The fields that are asked for, which may depend on what is written. */
  readonly fieldsOf: (values: FormValues) => readonly FormField[];
  readonly initial: FormValues;
  /** Looks at the fields as they are, on every change. */
  readonly check: (values: FormValues) => FormReport;
}

export interface FormResult {
  readonly accepted: boolean;
  /** Those of a form that was left, too, so that nothing typed is lost. */
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
  const state = useRef(newFormState(options.fieldsOf(options.initial), options.initial));

  useInput((input, key) => {
    const { stage } = state.current;
    if (stage !== 'fields' && stage !== 'confirm') return;
    for (const event of toFormEvents(input, key, stage)) {
      const problemIn = () => firstProblem(options, state.current.values);
      const next = reduceForm(
        state.current,
        event === 'enter' ? { type: 'enter', problemIn: problemIn() } : event,
      );
      state.current = withFields(next, options.fieldsOf(next.values));
    }
    redraw();
  });

  const isOver = state.current.stage === 'accepted' || state.current.stage === 'left';
  // Only after the empty frame was drawn: what comes next takes the place of the form.
  useEffect(() => {
    if (!isOver) return;
    onEnd(state.current);
    exit();
  }, [isOver, onEnd, exit]);
  if (isOver) return null;
  const lines = drawForm(state.current, options.check(state.current.values), options, size);
  return <Lines lines={lines} />;
}

function firstProblem(
  { fieldsOf, check }: AnnouncementFormOptions,
  values: FormValues,
): InputName | undefined {
  const report = check(values);
  return fieldsOf(values).find(({ name }) => report[name]?.problem !== undefined)?.name;
}
