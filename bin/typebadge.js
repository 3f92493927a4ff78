#!/usr/bin/env node
const [major, minor] = process.versions.node.split('.').map(Number);
const [option, ...further] = process.argv.slice(2);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`typebadge needs Node.js 20.19 or newer; this is ${process.version}.`);
  process.exitCode = 1;
} else if (/^(?:--version|-V)$/.test(option) && further.length === 0) {
  // Scripts run this often: it loads nothing else of the program, and imports nothing, which would prepare every export.
  const { readFileSync } = process.getBuiltinModule('node:fs');
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  process.stdout.on('error', () => {}); // the reader has closed the pipe
  console.log(version);
} else {
  process.getBuiltinModule('node:module').enableCompileCache?.(); // Node 22.1+: the second start skips compiling
  // The name of the command, as in "typebadge help serve". See build/bundles.mjs.
  const command = process.argv.slice(2).find((word) => !word.startsWith('-') && word !== 'help');
  const bundle = command === 'serve' || command === 'play' ? `${command}/` : '';
  const isHeld = command === 'play' && holdKeys(process.argv);
  await run(new URL(`../dist/${bundle}main.js`, import.meta.url));
  if (isHeld && process.stdin.isRaw) await dropKeys();
}

/** In a fresh clone nothing is built yet: a sentence helps more than a stack. */
async function run(main) {
  try {
    await import(main.href);
  } catch (error) {
    const isGone = error.syscall === 'uv_cwd';
    if (!isGone && process.getBuiltinModule('node:fs').existsSync(main)) throw error;
    console.error(
      isGone
        ? 'Error: The current folder was deleted. Change to one that exists, and repeat the command.'
        : 'typebadge is not built yet: run "npm ci" in the folder of the clone, then this command again.',
    );
    process.exitCode = 1;
  }
}

/**
 * Keys typed while `play` loads are not echoed: they would be on the screen again when it is left. Where it only prints, or
 * waits for the end of a pipe, Ctrl+C must reach the process as a signal. Returns whether keys are held.
 */
function holdKeys(words) {
  const { stdin, stdout } = process;
  const isAsking = words.some((word) => /^(?:help|-h|--help|--show-key)$/.test(word));
  if (isAsking || !stdin.isTTY || !stdout.isTTY) return false;
  try {
    stdin.setRawMode(true);
    return true;
  } catch {
    return false; // a terminal that is gone
  }
}

/** The screen was never taken over, so nobody has read the keys: they were not meant for the shell. */
async function dropKeys() {
  const { stdin } = process;
  stdin.resume();
  // On a busy machine the time may be over before the terminal has been read once: an immediate comes after that.
  await new Promise((resolve) => setTimeout(() => setImmediate(resolve), 20));
  stdin.pause();
  stdin.setRawMode(false);
}
