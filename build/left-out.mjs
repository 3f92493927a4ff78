// What libraries bring along that no part of the program needs: it would cost disk, and time at each start.
import { readFile } from 'node:fs/promises';
import { transform } from 'esbuild';

/** React's and Ink's fast path, whatever the environment says. */
export const define = { 'process.env.NODE_ENV': '"production"', 'process.env.DEV': '"false"' };

/** Undici without what makes it a browser: of its 730 KB, connections and requests take 270. */
const undici = `
  const Dispatcher = require('./lib/dispatcher/dispatcher');
  Object.assign(Dispatcher.prototype, require('./lib/api'));
  exports.Client = require('./lib/dispatcher/client');
`;

export const withoutUnused = {
  name: 'without-unused',
  setup({ onLoad }) {
    // A link to React's debugger, with a websocket; Ink loads it where DEV is set.
    onLoad({ filter: /ink\/build\/devtools\.js$/ }, () => ({ contents: '' }));
    onLoad({ filter: /undici\/index\.js$/ }, () => ({ contents: undici }));
    // Only for bodies that are forms or streams; ours are texts.
    onLoad({ filter: /undici\/lib\/web\/fetch\/body\.js$/ }, () => ({ contents: '' }));
  },
};

/**
 * Libraries with short names inside, as their own minified builds have: half of the bytes, which every start reads. Our own names stay, for
 * stack traces, and those of ioredis, whose errors are known by the names of their classes.
 */
export const withShortNames = {
  name: 'with-short-names',
  setup({ onLoad }) {
    onLoad({ filter: /\/node_modules\/.*\.m?js$/ }, async ({ path }) => {
      if (/\/node_modules\/(?:@?ioredis|redis-)/.test(path)) return undefined;
      const text = await readFile(path, 'utf8');
      return { contents: (await transform(text, { minify: true, target: 'node20.19', define })).code };
    });
  },
};
