import { readFile } from 'node:fs/promises';
import { readRegularFile } from '../../../kit/files/regular-file.ts';
import { packageFile } from '../../../kit/package-files.ts';
import type { ServeConfig } from '../../settings/config.ts';
import { html, safe } from '../pages/html.ts';

/** Maximum size in bytes of a `--logo`: every embedding page fetches it. */
const maxLogo = 32 * 1024;

/**
 * What an SVG file of this server may do when it is opened as a page: draw, with embedded styles and images.
 * It runs no scripts, loads nothing, and has no origin.
 */
export const picturePolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox";

export interface Logo {
  readonly svg: Buffer;
  /** Whether it is only the first letter of the brand on a key, which the badge draws without an image. */
  readonly isLetter: boolean;
}

/** The configured file, SVG or PNG, else the logo of the brand. Rejects if the file cannot be a logo. */
export async function readLogo({ logo, brand }: Pick<ServeConfig, 'logo' | 'brand'>): Promise<Logo> {
  if (logo === undefined) return { svg: await createBrandLogo(brand), isLetter: true };
  try {
    return { svg: svgOf(await readRegularFile(logo, maxLogo)), isLetter: false };
  } catch (error) {
    throw new Error(`the logo ${logo} cannot be used: ${(error as Error).message}`);
  }
}

const pngStart = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

/** Leaves an SVG as it is and wraps a PNG in one, so that the logo always has the same URL and media type. */
function svgOf(body: Buffer): Buffer {
  if (body.length >= 24 && body.subarray(0, 16).equals(pngStart)) return wrapPng(body);
  const text = new TextDecoder('utf-8').decode(body);
  // Before its first element: a byte order mark, an XML declaration, comments and a simple document type.
  if (/^\uFEFF?(?:\s|<\?[^>]*>|<!--(?:(?!-->)[\s\S])*-->|<!doctype[^>[]*>)*<svg[\s>]/i.test(text)) {
    if (/\sxmlns\s*=\s*["']http:\/\/www\.w3\.org\/2000\/svg["']/.test(text)) return body;
    throw new Error('its <svg> has no xmlns="http://www.w3.org/2000/svg", so browsers do not show it');
  }
  throw new Error('it is neither an SVG nor a PNG image');
}

function wrapPng(body: Buffer): Buffer {
  const [width, height] = [body.readUInt32BE(16), body.readUInt32BE(20)];
  if (width === 0 || height === 0) throw new Error('its width or height is 0');
  const data = `data:image/png;base64,${body.toString('base64')}`;
  const size = html`width="${width}" height="${height}"`;
  return Buffer.from(
    html`<svg xmlns="http://www.w3.org/2000/svg" ${size} viewBox="0 0 ${width} ${height}"><image ${size} href="${safe(data)}"/></svg>`.toString(),
  );
}

/** The package's own logo; for another brand, its first letter on the same key. */
async function createBrandLogo(brand: string): Promise<Buffer> {
  const own = await readFile(packageFile('content', 'badge', 'logo.svg'));
  if (brand === 'typebadge') return own;
  const letter = html`<text x="16" y="20" fill="#fff" font-family="system-ui,sans-serif" font-size="17" font-weight="700" text-anchor="middle">${brand.charAt(0).toUpperCase()}</text>`;
  const text = own
    .toString()
    .replace(/<title>.*?<\/title>/, html`<title>${brand}</title>`.toString())
    .replace(/<path fill="none"[^>]*\/>/, letter.toString())
    .replace(/<path stroke="#2a3699"[^>]*\/>/, '');
  return Buffer.from(text);
}
