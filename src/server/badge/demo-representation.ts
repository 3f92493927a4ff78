import type { Representation } from '../http/representation.ts';
import type { Assets } from './assets.ts';
import { createDemoPage, type DemoPageOptions, type Weight } from './demo-page.ts';
import type { PageParts } from './page-parts.ts';
import { createPageRepresentation, type PublicFace } from './prepared-content.ts';

/** The demo page, which tells what a first view costs: the bytes that this very server sends. */
export function createDemoRepresentation(
  { brand, baseUrl }: PublicFace,
  { script, style, logo }: Assets,
  announcement: Representation,
  { demoStyle, demoScript, previewStyle }: PageParts,
): Promise<Representation> {
  const weights: DemoPageOptions['weights'] = {
    script: toWeight(script),
    style: toWeight(style),
    logo: toWeight(logo),
    announcement: toWeight(announcement),
  };
  const texts = { style: demoStyle, script: demoScript, previewStyle };
  return createPageRepresentation(createDemoPage({ brand, baseUrl, weights, ...texts }));
}

function toWeight(file: Representation): Weight {
  const identity = file.bytes('identity')?.length ?? 0;
  return { identity, gzip: file.bytes('gzip')?.length ?? identity, br: file.bytes('br')?.length ?? identity };
}
