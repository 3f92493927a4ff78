/** A figure that depends on an amount: drawn with one step of the axis per amount, since amounts here go from one to a million. */
export interface Curve {
  readonly title: string;
  /** What is counted along the axis. */
  readonly amount: string;
  /** What is measured, with its unit. */
  readonly figure: string;
  /** Amounts are positive. */
  readonly points: readonly { readonly amount: number; readonly value: number }[];
}

const width = 640;
const height = 280;
const plot = { left: 64, right: 612, top: 52, bottom: 224 };

/** An SVG picture that can be read on a light and on a dark page; its text says what it shows to who cannot see it. */
export function drawCurve({ title, amount, figure, points }: Curve): string {
  const most = niceMost(Math.max(...points.map(({ value }) => value)));
  const spots = points.map((point, at) => ({
    ...point,
    x: plot.left + ((plot.right - plot.left) * at) / Math.max(1, points.length - 1),
    y: plot.bottom - ((plot.bottom - plot.top) * point.value) / most,
  }));
  const line = spots.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ');
  const steps = [0, 0.25, 0.5, 0.75, 1].map((share) => ({
    label: toLabel(most * share),
    y: plot.bottom - (plot.bottom - plot.top) * share,
  }));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${title}: ${points.map((point) => `${toCount(point.amount)} ${amount}, ${toLabel(point.value)}`).join('; ')}">
<style>
text { font: 13px system-ui, sans-serif; fill: #57606a }
.title { font-weight: 600; font-size: 15px; fill: #24292f }
.grid { stroke: #8c959f; stroke-opacity: .3 }
.line { fill: none; stroke: #0969da; stroke-width: 2 }
circle { fill: #0969da }
@media (prefers-color-scheme: dark) {
  text { fill: #9198a1 }
  .title { fill: #e6edf3 }
  .line { stroke: #4493f8 }
  circle { fill: #4493f8 }
}
</style>
<text class="title" x="16" y="24">${title}</text>
<text x="16" y="42">${figure}</text>
${steps.map(({ label, y }) => `<line class="grid" x1="${plot.left}" x2="${plot.right}" y1="${y}" y2="${y}"/><text x="${plot.left - 8}" y="${y + 4}" text-anchor="end">${label}</text>`).join('\n')}
<polyline class="line" points="${line}"/>
${spots.map(({ x, y, amount: count }) => `<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="3.5"/><text x="${x.toFixed(1)}" y="${plot.bottom + 20}" text-anchor="middle">${toCount(count)}</text>`).join('\n')}
<text x="${(plot.left + plot.right) / 2}" y="${plot.bottom + 42}" text-anchor="middle">${amount}</text>
</svg>
`;
}

/** The next number of 1, 2 or 5 times a power of ten that is not smaller. */
function niceMost(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 5, 10].find((step) => step * power >= value) ?? 10) * power;
}

function toLabel(value: number): string {
  return value.toLocaleString('en', { maximumSignificantDigits: 3 });
}

function toCount(amount: number): string {
  return amount.toLocaleString('en');
}
