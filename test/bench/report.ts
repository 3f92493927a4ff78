import { toTable } from '../support/report-table.ts';

export { toTable };

export function toCount(value: number): string {
  return Math.round(value).toLocaleString('en');
}

export function toRatio(value: number): string {
  return `${value.toFixed(2)} ×`;
}

/** A figure that was set as a goal. */
export interface Aim {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  readonly atLeast?: number;
  readonly atMost?: number;
}

/** What a measurement found. */
export interface Report {
  /** Markdown. */
  readonly text: string;
  readonly aims: readonly Aim[];
}

export function toAimTable(aims: readonly Aim[]): string {
  return toTable(
    ['goal', '', 'measured', ''],
    aims.map((aim) => [aim.what, toBound(aim), toFigure(aim.value, aim.unit), isMet(aim) ? 'met' : 'missed']),
  );
}

function toBound({ atLeast, atMost, unit }: Aim): string {
  return atLeast === undefined ? `≤ ${toFigure(atMost ?? 0, unit)}` : `≥ ${toFigure(atLeast, unit)}`;
}

function toFigure(value: number, unit: string): string {
  const digits = unit === '×' || value < 10 ? 2 : 0;
  return `${value.toFixed(digits)} ${unit}`;
}

function isMet({
  value,
  atLeast = Number.NEGATIVE_INFINITY,
  atMost = Number.POSITIVE_INFINITY,
}: Aim): boolean {
  return value >= atLeast && value <= atMost;
}
