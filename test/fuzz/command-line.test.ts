import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runTypebadge } from '../support/typebadge-process.ts';
import { factor, seed } from './amount.ts';
import { createRandom, type Random } from './random.ts';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'typebadge-arguments-'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

const words = (text: string) => text.trim().split(/\s+/);
const commands = [
  ...['serve', 'play', 'stats', 'help', '', 'announce', 'origins'].map((name) => [name]),
  ...words('publish edit expire withdraw undo list show log preview validate stats export which').map(
    (name) => ['announce', name],
  ),
  ...words('list add remove test').map((name) => ['origins', name]),
];
const options = words(`
  --port -p -port --host --brand --content --public-url --data --allow-origin --allow-host --trust-proxy --api-limit
  --session-ttl --max-sessions --round-quota --seed --log --verbose --message --link --expires --published --id
  --alongside --json --csv --dry-run --server --theme --view --since --limit -- - --no-such --help -V --json=1 --force
  -pport
`);
const junk = [
  ...['', ' ', '\x1b[31m', 'a\nb', '\u202e', 'a'.repeat(3_000), '\ud800'],
  ...words(`
    -1 0 99999999999999999999 1e9 NaN 2026-001 2026-02-31 +30d -1d +99999999d 99999-01-01T00:00:00Z http://
    https://example.org javascript:alert(1) 😀 ../.. /dev/null /proc/self/mem %s%n $(id) * 10.0.0.0/99 ::/0 __proto__
    constructor null 0:0 1:1
  `),
];

/** Arguments that would start a server or wait for a key get something wrong put behind them. */
function pickArguments(random: Random): string[] {
  const command = random.pick(commands);
  const rest = Array.from({ length: random.below(5) }, () => random.pick(random.once(2) ? options : junk));
  const wrong = command[0] === 'serve' || command[1] === 'preview' ? ['--port', 'nonsense'] : [];
  return [...command, ...rest, ...wrong];
}

test('whatever the arguments are, the exit code is 0, 1 or 2, and the output has no stack trace', async () => {
  const env = {
    HOME: dir,
    XDG_DATA_HOME: join(dir, 'data'),
    XDG_CONFIG_HOME: join(dir, 'config'),
    TYPEBADGE_DEBUG: '',
  };
  const numbers = Array.from({ length: 6 * factor }, (_, at) => at);
  const play = async () => {
    for (let number = numbers.pop(); number !== undefined; number = numbers.pop()) {
      const args = pickArguments(createRandom(seed, number));
      const { code, signal, stdout, stderr } = await runTypebadge(args, { env, cwd: dir, input: '' });
      const where = `${JSON.stringify(args)}\n${stdout.slice(0, 500)}\n${stderr.slice(0, 2_000)}`;
      expect([0, 1, 2], `${signal} ${where}`).toContain(code);
      expect(stderr, where).not.toMatch(/^\s+at .*:\d+:\d+\)?$|^node:|UnhandledPromise|\[object|undefined/m);
      if (code !== 0 && !args.includes('--json')) expect(stderr.trim(), where).not.toBe('');
      // biome-ignore lint/suspicious/noControlCharactersInRegex: what a terminal would obey
      expect(stdout + stderr, where).not.toMatch(/\u001b|\u009b/);
    }
  };
  await Promise.all([play(), play()]);
});
