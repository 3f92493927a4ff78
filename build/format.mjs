/** How the program is written, whatever it is made of. */
export const format = {
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  // Names stay readable in stack traces; blanks and dead code only cost time to read.
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none', // all of it is in the notices
  logLevel: 'warning',
};

/** Older libraries ask for Node's own modules by require, which a module does not have. */
export const withRequire =
  "import { createRequire as newRequire } from 'node:module'; const require = newRequire(import.meta.url);";
