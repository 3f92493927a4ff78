#!/usr/bin/env node
import module from 'node:module';

const [major, minor] = process.versions.node.split('.').map(Number);
const [option, ...further] = process.argv.slice(2);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`typebadge needs Node.js 20.19 or newer; this is ${process.version}.`);
  process.exitCode = 1;
} else if (/^(?:--version|-V)$/.test(option) && further.length === 0) {
  // Scripts run this often, and it does not need the rest of the program.
  const { version } = module.createRequire(import.meta.url)('../package.json');
  process.stdout.on('error', () => {}); // the reader has closed the pipe
  console.log(version);
} else {
  module.enableCompileCache?.(); // Node 22.1+: the second start skips compiling
  // The name of the command, as in "typebadge help serve". See build/bundles.mjs.
  const command = process.argv.slice(2).find((word) => !word.startsWith('-') && word !== 'help');
  const bundle = command === 'serve' || command === 'play' ? `${command}/` : '';
  await import(`../dist/${bundle}main.js`);
}
