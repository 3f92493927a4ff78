/** Red, green, blue, each 0 to 1. */
type Rgb = readonly [red: number, green: number, blue: number];

/** Reads what `getComputedStyle` writes: `rgb(1, 2, 3)`, `rgba(1, 2, 3, 0.4)` or `color(srgb 0.1 0.2 0.3)`. */
function parseColor(text: string): { rgb: Rgb; alpha: number } {
  const [kind, ...parts] = text.split(/[(), /]+/);
  const [red, green, blue, alpha = 1] = parts.filter((part) => /^[\d.]/.test(part)).map(Number);
  if (red === undefined || green === undefined || blue === undefined) throw new Error(`no colour: ${text}`);
  const unit = kind === 'color' ? 1 : 255;
  return { rgb: [red / unit, green / unit, blue / unit], alpha };
}

/** What is seen of a colour over another one, which is opaque. */
export function blend(upper: string, lower: string): string {
  const [above, below] = [parseColor(upper), parseColor(lower)];
  const seen = above.rgb.map(
    (value, index) => value * above.alpha + (below.rgb[index] ?? 0) * (1 - above.alpha),
  );
  return `color(srgb ${seen.join(' ')})`;
}

/** The contrast ratio of a colour and the opaque one below it, 1 to 21, as WCAG 2.2 defines it. */
export function contrastOf(upper: string, lower: string): number {
  const below = parseColor(lower);
  if (below.alpha !== 1) throw new Error(`not opaque: ${lower}`);
  const luminances = [luminanceOf(parseColor(blend(upper, lower)).rgb), luminanceOf(below.rgb)];
  return (Math.max(...luminances) + 0.05) / (Math.min(...luminances) + 0.05);
}

/** Relative luminance, 0 to 1 (WCAG 2.2). */
function luminanceOf([red, green, blue]: Rgb): number {
  const toLinear = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
  return 0.2126 * toLinear(red) + 0.7152 * toLinear(green) + 0.0722 * toLinear(blue);
}
