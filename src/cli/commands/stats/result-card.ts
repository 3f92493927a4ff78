import { toCountText, toPercentText } from '../../../tui/text/figures/figures.ts';
import { toKindName } from '../../../tui/text/kind-lines.ts';
import type { MedianInterval } from '../../../tui/trend/median-interval.ts';
import type { ProgressReport } from '../../../tui/trend/report.ts';

export type CardTheme = 'auto' | 'light' | 'dark';

const [width, height] = [720, 378];
const margin = 44;
/** Where the chart is, and how high. */
const chart = { left: margin, right: width - margin, top: 208, bottom: 302 };

/**
 * A card with the figures of one kind of rounds, as an SVG that needs nothing from elsewhere: no script, no font, no
 * address. Undefined where no round counts yet.
 */
export function toResultCard(report: ProgressReport, theme: CardTheme): string | undefined {
  const { kind, days, band } = report;
  const now = band.at(-1);
  if (kind === undefined || now === undefined) return undefined;
  const kindName = toKindName(kind);
  const accuracy = toPercentText(now.accuracy.median);
  const hasBest = kind.bestWpm > 0; // mostly wrong rounds count, but are never one
  const best = kind.bestWpm.toFixed(0);
  const summary = `${now.speed.median.toFixed(0)} WPM at ${accuracy} percent, ${hasBest ? `best ${best} WPM, ` : ''}${toCountText(kind.runs, 'round')}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeXml(`${kindName}: ${summary}`)}">
<style>${toStyle(theme)}</style>
<rect class="card" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="18"/>
<text class="kind" x="${margin}" y="62">${escapeXml(toShort(kindName))}</text>
<text class="brand" x="${width - margin}" y="62" text-anchor="end">typebadge</text>
<text class="speed" x="${margin - 4}" y="160">${now.speed.median.toFixed(0)}<tspan class="unit" dx="10">WPM</tspan></text>
${toFigure(318, 'accuracy', `${accuracy} %`)}
${hasBest ? toFigure(470, 'best', best) : ''}
${toFigure(hasBest ? 560 : 470, kind.runs === 1 ? 'round' : 'rounds', toGrouped(kind.runs))}
${toChart(band.map(({ speed }) => speed))}
<text class="note" x="${margin}" y="340">${days[0]?.date ?? ''}${days.length > 1 ? ` – ${days.at(-1)?.date}` : ''}</text>
<text class="note" x="${width - margin}" y="340" text-anchor="end">median of the latest week${now.speed.low === null ? '' : ', band: 95 % confidence'}</text>
</svg>
`;
}

function toFigure(x: number, label: string, value: string): string {
  return `<text class="figure" x="${x}" y="136">${value}</text><text class="label" x="${x}" y="162">${label}</text>`;
}

/** 12 345 with a thin space, which no language reads as a decimal. */
function toGrouped(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, '\u2009');
}

/** A longer name would run into the brand. */
const longestName = 40;

function toShort(name: string): string {
  return name.length <= longestName ? name : `${name.slice(0, longestName - 1)}…`;
}

/** Points enough for a smooth line; a history of years has more days. */
const mostPoints = 240;

/** Half the width of the interval of a single day. */
const halfMark = 12;

/** The medians as a line, their intervals as a band around it; a single one as a mark, because it is no trend. */
function toChart(all: readonly MedianInterval[]): string {
  const step = Math.ceil(all.length / mostPoints);
  const values = all.filter((_, at) => (all.length - 1 - at) % step === 0);
  const figures = values.flatMap(({ median, low, high }) => [median, low ?? median, high ?? median]);
  const [top, foot] = [Math.max(...figures), Math.min(...figures)];
  const range = Math.max(4, top - foot);
  const y = (value: number) => chart.bottom - ((value - foot) / range) * (chart.bottom - chart.top);
  const [only] = values;
  if (only !== undefined && values.length === 1) return toMark(only, y);
  const x = (at: number) => chart.left + ((chart.right - chart.left) * at) / (values.length - 1);
  const point = (at: number, value: number) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`;
  const upper = values.map(({ median, high }, at) => point(at, high ?? median));
  const lower = values.map(({ median, low }, at) => point(at, low ?? median)).reverse();
  const line = values.map(({ median }, at) => point(at, median));
  const [endX, endY] = (line.at(-1) ?? '0,0').split(',');
  return `<polygon class="band" points="${[...upper, ...lower].join(' ')}"/>
<polyline class="line" points="${line.join(' ')}"/>
<circle class="end" cx="${endX}" cy="${endY}" r="5"/>`;
}

/** @param y the height on the card that a speed is drawn at */
function toMark({ median, low, high }: MedianInterval, y: (value: number) => number): string {
  const x = (chart.left + chart.right) / 2;
  const mark = `<circle class="end" cx="${x}" cy="${y(median).toFixed(1)}" r="5"/>`;
  if (low === null || high === null || low === high) return mark;
  const height = (y(low) - y(high)).toFixed(1);
  return `<rect class="band" x="${x - halfMark}" y="${y(high).toFixed(1)}" width="${2 * halfMark}" height="${height}"/>\n${mark}`;
}

const light = '--card:#ffffff;--edge:#d8dee4;--text:#1f2328;--faint:#59636e;--accent:#0969da';
const dark = '--card:#0d1117;--edge:#30363d;--text:#f0f6fc;--faint:#9198a1;--accent:#58a6ff';

function toStyle(theme: CardTheme): string {
  const colours =
    theme === 'auto'
      ? `svg{${light}}@media (prefers-color-scheme:dark){svg{${dark}}}`
      : `svg{${theme === 'dark' ? dark : light}}`;
  return `${colours}
text{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif;fill:var(--text)}
.card{fill:var(--card);stroke:var(--edge)}.kind{font-size:24px;font-weight:600}
.brand,.note,.label,.unit{fill:var(--faint)}.brand{font-size:20px}.note{font-size:16px}.label{font-size:17px}.unit{font-size:26px;font-weight:500}
.speed{font-size:92px;font-weight:700;letter-spacing:-3px}.unit{letter-spacing:0}.figure{font-size:28px;font-weight:600}
.band{fill:var(--accent);opacity:.18}.line{fill:none;stroke:var(--accent);stroke-width:3;stroke-linejoin:round;stroke-linecap:round}.end{fill:var(--accent)}`;
}

function escapeXml(text: string): string {
  const entities: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}
