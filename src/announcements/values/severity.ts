import type { Checked } from './field.ts';

/** From the least important to the most. */
export const severities = ['info', 'success', 'warning', 'critical'] as const;
export type Severity = (typeof severities)[number];

/** `info, success, warning or critical`, for help and errors. */
export const severityChoices = `${severities.slice(0, -1).join(', ')} or ${severities.at(-1)}`;

/** What each severity is called on pages and pictures, in English. */
export const severityWords: Readonly<Record<Severity, string>> = {
  info: 'Info',
  success: 'Success',
  warning: 'Warning',
  critical: 'Critical',
};

/** `info` is the default, and left out. */
export function parseSeverity(given: unknown): Checked<Severity> {
  const severity = severities.find((candidate) => candidate === given);
  if (severity !== undefined) return { value: severity === 'info' ? undefined : severity };
  const shown = typeof given === 'string' ? JSON.stringify(given.slice(0, 40)) : 'that';
  return { problem: `${shown} is not a severity; write ${severityChoices}` };
}

/** Rank for sorting: critical before warning before the rest. */
export function importanceOf(severity: Severity | undefined): number {
  return severity === 'critical' ? 2 : severity === 'warning' ? 1 : 0;
}
