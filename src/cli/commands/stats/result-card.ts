import { replaceFile } from '../../../kit/files/atomic-file.ts';
import { writeProblem } from '../../../kit/files/file-problem.ts';
import { plural } from '../../../kit/terminal-text.ts';
import { visibleText } from '../../../kit/visible-text.ts';
import { html, type Markup, safe } from '../../../server/badge/pages/html.ts';
import { kindName, percentText } from '../../../tui/progress/figures.ts';
import type { ProgressReport } from '../../../tui/progress/report.ts';
import { UsageError } from '../../program/command-io.ts';

/** Writes the card of a report to a file of the typist's choice; nothing is sent anywhere. */
export async function writeCard(report: ProgressReport, path: string): Promise<void> {
  if (!/\.svg$/i.test(path)) {
    throw new UsageError(
      `a card is an SVG: give a file name that ends with .svg, such as card.svg. For other formats, open the SVG in a browser and take a screenshot.`,
    );
  }
  const card = resultCard(report);
  if (card === undefined)
    throw new Error('there are no rounds to draw on a card yet: type one with "typebadge play".');
  await replaceFile(path, card).catch((error: unknown) => {
    throw new Error(`the card cannot be written to ${visibleText(path)}: ${writeProblem(error)}.`, {
      cause: error,
    });
  });
}

const [width, height] = [720, 378];
const margin = 44;
/** Where the chart is, and how high. */
const chart = { left: margin, right: width - margin, top: 208, bottom: 302 };

/**
 * A card with the figures of one kind of rounds, as an SVG that needs nothing from elsewhere: no script, no
 * font, no address. Undefined if no round counts yet.
 */
export function resultCard(report: ProgressReport): string | undefined {
  const { kind, days, band } = report;
  const now = band.at(-1);
  if (kind === undefined || now === undefined) return undefined;
  const title = kindName(kind);
  const accuracy = percentText(now.accuracy.median);
  const hasBest = kind.bestWpm > 0; // mostly wrong rounds count, but are never one
  const best = kind.bestWpm.toFixed(0);
  const summary = `${now.speed.median.toFixed(0)} WPM at ${accuracy} percent, ${hasBest ? `best ${best} WPM, ` : ''}${plural(kind.runs, 'round')}`;
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}: ${summary}">
<style>${safe(styleSheet)}</style>
<rect class="card" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="18"/>
<text class="kind" x="${margin}" y="62">${shortened(title)}</text>
<text class="brand" x="${width - margin}" y="62" text-anchor="end">typebadge</text>
<text class="speed" x="${margin - 4}" y="160">${now.speed.median.toFixed(0)}<tspan class="unit" dx="10">WPM</tspan></text>
${drawFigure(318, 'accuracy', `${accuracy} %`)}
${hasBest ? drawFigure(470, 'best', best) : ''}
${drawFigure(hasBest ? 560 : 470, kind.runs === 1 ? 'round' : 'rounds', String(kind.runs))}
${drawChart(band.map(({ speed }) => speed.median))}
<text class="note" x="${margin}" y="340">${days[0]?.date ?? ''}${days.length > 1 ? ` – ${days.at(-1)?.date}` : ''}</text>
<text class="note" x="${width - margin}" y="340" text-anchor="end">median of the latest week</text>
</svg>
`.toString();
}

function drawFigure(x: number, label: string, value: string): Markup {
  return html`<text class="figure" x="${x}" y="136">${value}</text><text class="label" x="${x}" y="162">${label}</text>`;
}

/** A longer name would run into the brand. */
const maxName = 40;

function shortened(name: string): string {
  return name.length <= maxName ? name : `${name.slice(0, maxName - 1)}…`;
}

/** Points enough for a smooth line; a history of years has more days. */
const maxPoints = 240;

/** The medians as a line; a single one as a mark, because it is no trend. */
function drawChart(all: readonly number[]): Markup {
  const step = Math.ceil(all.length / maxPoints);
  const values = all.filter((_, at) => (all.length - 1 - at) % step === 0);
  const [top, foot] = [Math.max(...values), Math.min(...values)];
  const range = Math.max(4, top - foot);
  const y = (value: number) =>
    (chart.bottom - ((value - foot) / range) * (chart.bottom - chart.top)).toFixed(1);
  const x = (at: number) =>
    values.length === 1
      ? (chart.left + chart.right) / 2
      : chart.left + ((chart.right - chart.left) * at) / (values.length - 1);
  const points = values.map((value, at) => `${x(at).toFixed(1)},${y(value)}`);
  const [endX = '', endY = ''] = (points.at(-1) ?? '').split(',');
  const line = points.length === 1 ? '' : html`<polyline class="line" points="${points.join(' ')}"/>\n`;
  return html`${line}<circle class="end" cx="${endX}" cy="${endY}" r="5"/>`;
}

const light = '--card:#ffffff;--edge:#d8dee4;--text:#1f2328;--faint:#59636e;--accent:#0969da';
const dark = '--card:#0d1117;--edge:#30363d;--text:#f0f6fc;--faint:#9198a1;--accent:#58a6ff';

/** Light or dark, as the reader prefers. */
const styleSheet = `svg{${light}}@media (prefers-color-scheme:dark){svg{${dark}}}
text{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif;fill:var(--text)}
.card{fill:var(--card);stroke:var(--edge)}.kind{font-size:24px;font-weight:600}
.brand,.note,.label,.unit{fill:var(--faint)}.brand{font-size:20px}.note{font-size:16px}.label{font-size:17px}.unit{font-size:26px;font-weight:500}
.speed{font-size:92px;font-weight:700;letter-spacing:-3px}.unit{letter-spacing:0}.figure{font-size:28px;font-weight:600}
.line{fill:none;stroke:var(--accent);stroke-width:3;stroke-linejoin:round;stroke-linecap:round}.end{fill:var(--accent)}`;
