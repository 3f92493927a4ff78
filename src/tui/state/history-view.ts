import type { KeyMeasure } from '../progress/letters.ts';
import type { Kind, ProgressReport } from '../progress/report.ts';

export const historyPages = ['progress', 'letters', 'bigrams', 'rounds'] as const;
export type HistoryPage = (typeof historyPages)[number];

/** The part of the history that is shown. */
export interface HistoryView {
  readonly page: HistoryPage;
  /** All kinds of rounds that there are, and the place of the one shown. */
  readonly kinds: readonly Kind[];
  readonly kind: number;
  /** The round under the cursor, from the latest on. */
  readonly round: number;
  /** Whether that round is shown in detail. */
  readonly isOpen: boolean;
  readonly measure: KeyMeasure;
}

export const newHistoryView: HistoryView = {
  page: 'progress',
  kinds: [],
  kind: 0,
  round: 0,
  isOpen: false,
  measure: 'accuracy',
};

/** The view with the next or previous kind; the same where there is no other. */
export function turnKind(view: HistoryView, step: 1 | -1): HistoryView {
  const count = view.kinds.length;
  if (count < 2) return view;
  return { ...view, kind: (view.kind + step + count) % count, round: 0, isOpen: false };
}

/** The view with the cursor on another round; it stops at both ends. */
export function moveRound(view: HistoryView, report: ProgressReport | undefined, step: number): HistoryView {
  const last = (report?.rounds.length ?? 0) - 1;
  const round = Math.max(0, Math.min(view.round + step, last));
  return round === view.round ? view : { ...view, round };
}
