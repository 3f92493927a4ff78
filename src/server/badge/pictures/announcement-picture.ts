import type { PublicAnnouncement } from '../../../announcements/announcement.ts';
import { textOf } from '../../../announcements/values/markdown.ts';
import { type Severity, severityLabel } from '../../../announcements/values/severity.ts';
import { html, type Markup, xmlText } from '../pages/html.ts';

export type Theme = 'light' | 'dark';

export interface PictureOptions {
  readonly brand: string;
  /** The logo as SVG; embedded, because an image cannot load anything. */
  readonly logo: Buffer;
  readonly theme: Theme;
  /** Undefined: the picture is only the logo. */
  readonly announcement: PublicAnnouncement | undefined;
}

const colours = {
  light: {
    back: '#fff',
    text: '#1d2433',
    info: '#dde2ec',
    success: '#173',
    warning: '#850',
    critical: '#b22',
  },
  dark: {
    back: '#1c212c',
    text: '#eceff6',
    info: '#343c4e',
    success: '#7d9',
    warning: '#fc6',
    critical: '#f99',
  },
} as const;

const lineHeight = 20;
const width = 440;
/** Maximum width of a line, in half average letters; conservative, because letters are not measured. */
const maxLineWidth = 88;

/** An announcement as an SVG picture for a README or an e-mail. It loads nothing; its text is escaped. */
export function createAnnouncementPicture({ brand, logo, theme, announcement }: PictureOptions): string {
  const message = announcement === undefined ? brand : textOf(announcement);
  const severity = announcement?.severity ?? 'info';
  const { back, [severity]: colour } = colours[theme];
  const label = severityLabel(severity);
  const title = label === undefined ? message : `${label}: ${message}`;
  const lines = announcement === undefined ? [] : wrap(message);
  const rows = lines.length + (label === undefined ? 0 : 1);
  const [w, h] = lines.length === 0 ? [48, 48] : [width, Math.max(48, rows * lineHeight + 26)];
  const image = html`<image x="10" y="10" width="28" height="28" href="data:image/svg+xml;base64,${logo.toString('base64')}"/>`;
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}" viewBox="0 0 ${w} ${h}" role="img"><title>${pictureText(title)}</title><rect x="0.5" y="0.5" width="${w - 1}" height="${h - 1}" rx="12" fill="${back}" stroke="${colour}"/>${image}${textLines(lines, severity, theme)}</svg>`.toString();
}

function textLines(lines: readonly string[], severity: Severity, theme: Theme): Markup | string {
  if (lines.length === 0) return '';
  const isRtl =
    /^[^\p{L}]*[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u.test(
      lines.join(' '),
    );
  const place = isRtl ? html`x="${width - 14}" direction="rtl"` : html`x="50"`;
  const { text, [severity]: colour } = colours[theme];
  const label = severityLabel(severity);
  const heading =
    label === undefined ? '' : html`<text x="50" y="29" font-weight="700" fill="${colour}">${label}</text>`;
  const first = label === undefined ? 29 : 29 + lineHeight;
  const rows = lines.map(
    (line, at) => html`<text ${place} y="${first + at * lineHeight}">${pictureText(line)}</text>`,
  );
  return html`<g fill="${text}" font-family="system-ui,sans-serif" font-size="14">${heading}${rows}</g>`;
}

const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\uFF00-\uFF60]/u;

const widthOf = (character: string) => (wide.test(character) ? 4 : /[mwMW@—…]/.test(character) ? 3 : 2);

/** Breaks a message into lines that fit: between words, or inside a word that is too long for a line. */
function wrap(message: string): string[] {
  const lines: string[] = [];
  let line = '';
  let used = 0;
  const flush = () => {
    lines.push(line.trim());
    line = '';
    used = 0;
  };
  for (const word of message.split(/(?<=\s)/u)) {
    const needed = [...word.trimEnd()].reduce((sum, character) => sum + widthOf(character), 0);
    if (used > 0 && used + needed > maxLineWidth) flush();
    for (const character of word) {
      if (used + widthOf(character) > maxLineWidth) flush();
      line += character;
      used += widthOf(character);
    }
  }
  if (line.trim() !== '') flush();
  return lines;
}

/** Without direction overrides, which would reverse the line. */
const pictureText = (text: string) => xmlText(text).replace(/[\u202D\u202E]/gu, '\uFFFD');

const shieldColours = { info: 'blue', success: 'success', warning: 'orange', critical: 'critical' } as const;

/** Seconds that a cache may keep a picture or a shield. */
export const pictureAge = 300;

/** Input of the endpoint badge of Shields (shields.io/badges/endpoint-badge). */
export function shieldOf(brand: string, announcement: PublicAnnouncement | undefined) {
  return {
    schemaVersion: 1,
    label: brand,
    message: announcement === undefined ? 'no announcement' : textOf(announcement),
    color: announcement === undefined ? 'lightgrey' : shieldColours[announcement.severity ?? 'info'],
    cacheSeconds: pictureAge,
  };
}
