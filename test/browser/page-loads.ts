import type { Page } from 'playwright-core';

/** Something that a page loaded. */
export interface Load {
  readonly path: string;
  /** Bytes over the wire, headers included; 0 from the cache. */
  bytes: number;
}

/** Notes every answer of a server, from now on. */
export async function watchLoads(page: Page, origin: string): Promise<Load[]> {
  const loads: Load[] = [];
  const byRequest = new Map<string, Load>();
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  session.on('Network.responseReceived', ({ requestId, response }) => {
    const { origin: from, pathname } = new URL(response.url);
    if (from !== origin) return;
    const load = { path: pathname, bytes: response.fromDiskCache ? 0 : response.encodedDataLength };
    byRequest.set(requestId, load);
    loads.push(load);
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const load = byRequest.get(requestId);
    if (load !== undefined && load.bytes > 0) load.bytes = encodedDataLength; // with the body now
  });
  return loads;
}
