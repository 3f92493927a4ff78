#!/usr/bin/env node
import module from 'node:module';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`typebadge needs Node.js 20.19 or newer; this is ${process.version}.`);
  process.exitCode = 1;
} else {
  process.env.NODE_ENV ??= 'production'; // React's and Ink's fast path
  module.enableCompileCache?.(); // Node 22.1+: the second start skips compiling
  await import('../dist/main.js');
}
