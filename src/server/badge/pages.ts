import { createRepresentation, type Representation } from '../http/representation.ts';
import type { Assets } from './assets.ts';

export interface PagesOptions {
  readonly brand: string;
  readonly assets: Assets;
  readonly announcement: Representation;
}

/** Pages that do not change while the server runs. */
export interface Pages {
  readonly demo: Representation;
}

export async function createPages({ brand }: PagesOptions): Promise<Pages> {
  return {
    demo: await createRepresentation({
      body: `<!doctype html><title>demo</title><script src="/js/${brand}-inject.min.js" defer></script>`,
      type: 'text/html; charset=utf-8',
      cacheControl: 'no-cache',
    }),
  };
}
