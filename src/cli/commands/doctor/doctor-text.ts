import type { Paint } from '../../output/paint.ts';
import { toTerminalText, widthOf, wrap } from '../../output/text-width.ts';
import type { EffectiveSetting } from './effective-settings.ts';
import type { Finding } from './finding.ts';

/** For people: every setting with its source, then every finding with what would fix it. */
export function toDoctorText(
  settings: readonly EffectiveSetting[],
  findings: readonly Finding[],
  paint: Paint,
  columns: number,
): string {
  return [
    paint.bold('Settings'),
    ...toTable(settings, paint),
    '',
    paint.bold('Checks'),
    ...findings.flatMap((finding) => toLines(finding, paint, columns)),
    '',
    summarize(findings, paint),
  ].join('\n');
}

function summarize(findings: readonly Finding[], paint: Paint): string {
  const count = (wanted: Finding['state']) => findings.filter(({ state }) => state === wanted).length;
  const problems = count('problem');
  if (problems > 0)
    return `${paint.bad('✘')} ${problems} ${problems === 1 ? 'thing is' : 'things are'} wrong.`;
  const warnings = count('note');
  if (warnings === 0) return `${paint.good('✔')} Nothing is wrong.`;
  return `${paint.good('✔')} Nothing is broken; ${warnings} ${warnings === 1 ? 'warning' : 'warnings'}.`;
}

function toTable(settings: readonly EffectiveSetting[], paint: Paint): string[] {
  const rows = settings.map(({ name, value, source, variable, isIdle }) => ({
    name,
    value: toTerminalText(value === '' ? 'not set' : value),
    origin: `${source === 'environment' ? `${source} (${variable})` : source}${isIdle ? ', not applied on loopback' : ''}`,
    isOwn: source !== 'default',
  }));
  const widest = (texts: readonly string[]) => Math.min(40, Math.max(...texts.map(widthOf)));
  const nameWidth = widest(rows.map(({ name }) => name));
  const valueWidth = widest(rows.map(({ value }) => value));
  const pad = (text: string, width: number) => text + ' '.repeat(Math.max(0, width - widthOf(text)));
  return rows.map(({ name, value, origin, isOwn }) => {
    const line = `  ${pad(name, nameWidth)}  ${pad(value, valueWidth)}  ${origin}`;
    return isOwn ? line : paint.dim(line);
  });
}

function toLines({ about, state, message, fix }: Finding, paint: Paint, columns: number): string[] {
  const signs = { ok: paint.good('✔'), note: paint.warn('!'), problem: paint.bad('✘') };
  const room = Math.max(20, columns - 14);
  const [first = '', ...rest] = wrap(toTerminalText(message), room);
  const indent = ' '.repeat(13);
  return [
    `  ${signs[state]} ${about.padEnd(9)}${first}`,
    ...rest.map((line) => indent + line),
    ...(fix === undefined
      ? []
      : wrap(`→ ${toTerminalText(fix)}`, room).map((line) => indent + paint.accent(line))),
  ];
}
