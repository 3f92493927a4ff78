import type { Representation } from '../http/representation.ts';
import type { Assets } from './assets.ts';
import { createDemoPage, type DemoPageOptions, type Weight } from './pages/demo-page.ts';
import type { PageParts } from './pages/page-parts.ts';
import { createPageRepresentation, type PublicFace } from './prepared-content.ts';

/** The demo page. It shows what a first view costs, in bytes as this server sends them. */
export function createDemoRepresentation(
  { brand, baseUrl }: PublicFace,
  { script, style, logo }: Assets,
  announcement: Representation,
  { demoStyle, demoScript, previewStyle }: PageParts,
): Promise<Representation> {
  const weights: DemoPageOptions['weights'] = {
    script: weightOf(script),
    style: weightOf(style),
    logo: weightOf(logo),
    announcement: weightOf(announcement),
  };
  const texts = { style: demoStyle, script: demoScript, previewStyle };
  return createPageRepresentation(createDemoPage({ brand, baseUrl, weights, ...texts }));
}

function weightOf(file: Representation): Weight {
  const identity = file.bytes('identity')?.length ?? 0;
  return { identity, gzip: file.bytes('gzip')?.length ?? identity, br: file.bytes('br')?.length ?? identity };
}
