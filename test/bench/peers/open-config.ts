import { newServeConfig, parseAllowedOrigins, type ServeConfig } from '../../../src/server/config.ts';
import { packageFile } from '../../../src/server/package-files.ts';

const high = { rate: 1_000_000, burst: 1_000_000 };

/** Every check on; only the limits are out of the way, since a load is what they are there to stop. */
export function newOpenConfig(data: string): ServeConfig {
  return newServeConfig({
    port: 0,
    content: packageFile('content'),
    data,
    allowOrigin: parseAllowedOrigins('https://example.org https://*.example.com'),
    badgeLimits: { assets: high, content: high, analytics: high, pages: high },
    apiLimit: high,
    log: 'off',
  });
}
