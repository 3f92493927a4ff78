import { packageFile } from '../../../src/kit/package-files.ts';
import { newServeConfig, type ServeConfig } from '../../../src/server/settings/config.ts';
import { parseAllowedOrigins, parseTrustProxy } from '../../../src/server/settings/config-parsers.ts';

const high = { rate: 1_000_000, burst: 1_000_000 };

/** Every check on; only the limits are out of the way, since a load is what they are there to stop. */
export function newOpenConfig(data: string): ServeConfig {
  return newServeConfig({
    port: 0,
    content: packageFile('content/sample'),
    data,
    allowOrigin: parseAllowedOrigins('https://example.org https://*.example.com'),
    // The load comes from this machine and plays the proxy of many clients.
    trustProxy: parseTrustProxy('127.0.0.1'),
    badgeLimits: { assets: high, content: high, analytics: high, pages: high },
    apiLimit: high,
    log: 'off',
  });
}
