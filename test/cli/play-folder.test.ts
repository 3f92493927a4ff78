import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { codeBlocks } from '../../src/cli/commands/play/code-blocks.ts';
import {
  createPathTest,
  readSourceFiles,
  readSourceFolder,
} from '../../src/cli/commands/play/source-folder.ts';
import { packageFile } from '../../src/kit/package-files.ts';
import type { CustomText } from '../../src/tui/record/options.ts';
import { createTextPlaces } from '../../src/tui/record/text-places.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'typebadge-folder-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

function write(path: string, text: string | Buffer): void {
  mkdirSync(dirname(join(dir, path)), { recursive: true });
  writeFileSync(join(dir, path), text);
}

const git = (...args: string[]) => execFileSync('git', ['-C', dir, ...args], { stdio: 'pipe' });
const pathsOf = async () => (await readSourceFiles(dir)).map(({ path }) => path).sort();

/** A function that can be told from others. */
const code = (name: string) =>
  `function ${name}(a, b) {\n  if (a > b) {\n    return a;\n  }\n  return b;\n}\n`;

interface Wanted {
  readonly pattern?: string;
  readonly comments?: boolean;
  readonly isStartOver?: boolean;
}

function open({ pattern, comments = false, isStartOver = false }: Wanted = {}): Promise<CustomText> {
  const places = createTextPlaces(join(dir, '..', `${dir}-places`));
  return readSourceFolder(dir, { places, pattern, comments, isStartOver });
}
afterEach(() => rmSync(`${dir}-places`, { recursive: true, force: true }));

/** All that a folder gives in so many draws. */
async function draw(count: number, wanted: Wanted = {}): Promise<CustomText[]> {
  const drawn = [await open(wanted)];
  while (drawn.length < count) {
    const next = await drawn.at(-1)?.next?.({ comments: wanted.comments ?? false });
    if (next !== undefined) drawn.push(next);
  }
  return drawn;
}

describe('the files of a folder', () => {
  test('are those that git tracks; without any, those that it does not ignore; without git, all', async () => {
    write('kept.js', code('kept'));
    write('src/new.js', code('fresh'));
    write('ignored.js', code('ignored'));
    write('.gitignore', 'ignored.js\n');
    expect(await pathsOf()).toEqual(['ignored.js', 'kept.js', 'src/new.js']);
    git('init', '-q');
    expect(await pathsOf()).toEqual(['kept.js', 'src/new.js']);
    git('add', 'kept.js');
    expect(await pathsOf()).toEqual(['kept.js']);
  });

  test('are those below the named folder, even in the middle of a repository', async () => {
    write('outside.js', code('outside'));
    write('below/inside.js', code('inside'));
    git('init', '-q');
    git('add', '.');
    expect((await readSourceFiles(join(dir, 'below'))).map(({ path }) => path)).toEqual(['inside.js']);
  });

  test('leave out what is generated, vendored or looks like a secret', async () => {
    const left = [
      ...['node_modules/a.js', 'vendor/b.go', 'lib/third_party/c.c', 'dist/d.js', 'x/__generated__/e.ts'],
      ...['jquery.min.js', 'api.pb.go', 'api_pb2.py', 'model.g.dart', 'package-lock.json', 'yarn.lock.js'],
      ...['.env', 'prod.env', 'id_rsa', 'server.pem', 'tls.key', 'my-secrets.py', 'credentials.ts'],
      ...[
        '.aws/config.py',
        'venv/a.py',
        '.venv/a.py',
        '__pycache__/a.py',
        'x/site-packages/a.py',
        'Pods/p.m',
      ],
    ];
    for (const path of [...left, 'src/main.go', 'tokens.rs', 'distance.c']) write(path, code('f'));
    git('init', '-q');
    git('add', '-f', '.');
    expect(await pathsOf()).toEqual(['distance.c', 'src/main.go', 'tokens.rs']);
  });

  test('start no program that a repository names in its settings', async () => {
    write('a.js', code('a'));
    git('init', '-q');
    git('add', '.');
    const hook = join(dir, 'hook.sh');
    writeFileSync(hook, `#!/bin/sh\ntouch "${dir}/called"\n`, { mode: 0o700 });
    git('config', 'core.fsmonitor', hook);
    expect(await pathsOf()).toEqual(['a.js']);
    expect(() => readFileSync(join(dir, 'called'))).toThrow('ENOENT');
  });

  test.each([
    ['parser', 'src/parser.ts', true],
    ['*.ts', 'src/parser.tsx', false],
    ['src/*.ts', 'src/deep/parser.ts', false],
    ['src/**/*.ts', 'src/deep/parser.ts', true],
    ['p?rser.ts', 'src/parser.ts', true],
    ['a(b', 'src/a(b.ts', true],
  ])('--file %s and %s: %s', (pattern, path, fits) => {
    expect(createPathTest(pattern)(path)).toBe(fits);
  });
});

describe('a block', () => {
  const own = readFileSync(packageFile('src', 'tui', 'play.ts'), 'utf8');

  test('has 4 to 20 lines that close what they open, as they are in the file', () => {
    const lines = own.split('\n');
    const blocks = codeBlocks(own, { language: 'typescript', comments: true });
    expect(blocks.length).toBeGreaterThan(10);
    for (const { text, firstLine, lastLine } of blocks) {
      const typed = text.split('\n');
      expect(typed.length).toBeGreaterThanOrEqual(4);
      expect(typed.length).toBeLessThanOrEqual(20);
      expect(typed[0]).toMatch(/^\S/);
      expect(text.split('{').length).toBe(text.split('}').length);
      const there = lines.slice(firstLine - 1, lastLine).map((line) => line.trim());
      expect(typed.map((line) => line.trim())).toEqual(there.filter((line) => line !== ''));
    }
  });

  test('begins and ends with a function, a class or a paragraph, in languages of every kind', () => {
    const python =
      'class A:\n    def f(self):\n        for x in y:\n            z(x)\n        return 1\n\n\ndef g():\n    a = 1\n    b = 2\n    return a + b\n';
    const go = 'func Max(a, b int) int {\n\tif a > b {\n\t\treturn a\n\t}\n\treturn b\n}\n';
    const ruby = 'def greet(name)\n  if name\n    puts name\n  else\n    puts "who"\n  end\nend\n';
    const allman = 'int max(int a, int b)\n{\n    if (a > b)\n        return a;\n    return b;\n}\n';
    const texts = (text: string, language: string) =>
      codeBlocks(text, { language, comments: false }).map((block) => block.text);
    expect(texts(python, 'python')).toEqual([
      'class A:\n    def f(self):\n        for x in y:\n            z(x)\n        return 1',
      'def g():\n    a = 1\n    b = 2\n    return a + b',
    ]);
    expect(texts(go, 'go')).toEqual([go.replaceAll('\t', '    ').trimEnd()]);
    expect(texts(ruby, 'ruby')).toEqual([ruby.trimEnd()]);
    expect(texts(allman, 'c')).toEqual([allman.trimEnd()]);
  });

  test('from a longer unit is a complete part of it, without the shared indentation', () => {
    const long = `class Big {\n${Array.from({ length: 6 }, (_, at) => `${code(`f${at}`).replace(/^(?=.)/gm, '  ')}`).join('\n')}}\n`;
    const blocks = codeBlocks(long, { language: 'javascript', comments: false });
    expect(blocks.map(({ text }) => text)).toEqual(
      Array.from({ length: 6 }, (_, at) => code(`f${at}`).trimEnd()),
    );
    expect(blocks[1]).toMatchObject({ firstLine: 9, lastLine: 14 });
  });

  test('has comments only if they are typed', () => {
    const text = `// Above.\n/**\n * Long.\n */\n${code('f').replace('return a;', 'return a; /* one */ // the "larger" one').replace('return b;', "return 'a // b';")}`;
    const [plain] = codeBlocks(text, { language: 'javascript', comments: false });
    expect(plain?.text).toBe(code('f').replace('return b;', "return 'a // b';").trimEnd());
    const [typed] = codeBlocks(text, { language: 'javascript', comments: true });
    expect(typed?.text).toBe(text.trimEnd());
  });

  test('is neither a list of imports, nor too wide, nor untypable, nor a secret', () => {
    const unfit = [
      'import a from "a";\nimport b from "b";\nimport c from "c";\nimport d from "d";',
      `const a = 1;\nconst b = 2;\nconst c = 3;\nconst d = "${'wide '.repeat(50)}";`,
      'const a = 1;\nconst b = 2;\nconst c = 3;\nconst d = "┃";',
      'const a = 1;\nconst b = 2;\nconst c = 3;\nconst d = "\u202eevil\u2066";',
      'const a = 1;\nconst b = 2;\nconst c = 3;\nconst d = "привет";',
      'const a = 1;\nconst b = 2;\nconst c = 3;\nconst d = "\x1b[2J";',
      'const a = 1;\nconst b = 2;\nconst c = 3;\nconst key = "AKIA0123456789abcdefABCDEF0123456789ab";',
      ...[
        'password = "hunter2-Xk29fjw0"',
        "aws = 'AKIAIOSFODNN7EXAMPLE'",
        'connect("postgres://bob:s3cr3tpass@db/prod")',
        '"api_key": "abc-def-ghi",',
        'password: Tr0ub4dor&3',
        'SLACK = xoxb-123-abc',
        'jwt = "eyJhbGciOiJIUzI1NiJ9.e30.x"',
        "DB_PASS = 'swordfish'",
        'export PGPASSWORD=correcthorse',
        "passphrase = 'correct horse battery'",
        "pass: 'swordfish',",
        'curl -u admin:swordfish https://example.org',
        'mysql -u root -pGeheim db',
        'login --password swordfish',
        'machine example.org login bob password swordfish',
        "Authorization: 'Basic YWRtaW46c3dvcmRmaXNo',",
        "cfg.set_password('x')",
        "env['PGPASSWORD'] = 'x'",
        "os.environ.get('PASSWORD', 'x')",
        "passphrase = ('x' 'y')",
        "password = (\n  'x')",
        "credentials = ('admin', 'x')",
        "pw = 'x'",
        "'Bearer abcdef'",
        "login('root', 'x')",
      ].map((line) => `const a = 1;\nconst b = 2;\nconst c = 3;\n${line}`),
    ];
    for (const text of unfit)
      expect(codeBlocks(text, { language: 'javascript', comments: false })).toEqual([]);
    const harmless = 'const a = 1;\nconst b = 2;\nconst c = 3;\ntoken = parse(x);';
    expect(codeBlocks(harmless, { language: 'javascript', comments: false })).toHaveLength(1);
  });

  test.each([
    ['javascript', '`', '`'],
    ['javascript', `\`\${a ? \`b // c\` : d} `, '`'],
    ['javascript', 'x = /`/, y = `', '`, z = /`/'],
    ['python', '"""', '"""'],
    ['python', "'''", "'''"],
    ['go', '`', '\\`'],
    ['rust', 'r#" " ', '"#'],
    ['rust', 'f::<\'a>("', '")'],
    ['cpp', 'R"a(" ', ')a"'],
    ['bash', "cat << 'EOF'\n  ", '\n  EOF'],
    ['bash', "awk '", "'"],
  ])('of %s keeps every character of a string that begins with %s', (language, before, after) => {
    const parts = ['//', '/* x */', '#', ' ', '\n  ', 'say', ...(before.startsWith('awk') ? [] : ["Don't"])];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 8 }), (inside) => {
        const text = `a(\n  b,\n  ${before}c${inside.join('')}d${after}\n)`;
        const [block] = codeBlocks(text, { language, comments: false });
        const lines = text.split('\n').map((line) => line.trimEnd());
        expect(block?.text).toBe(lines.filter((line) => line !== '').join('\n'));
      }),
    );
  });

  test('shows a tab in a line as a blank', () => {
    const [block] = codeBlocks('{\n\tint\tfoo;\n\tint\t\tbar;\n}', { language: 'c', comments: false });
    expect(block?.text).toBe('{\n    int foo;\n    int bar;\n}');
  });

  test.each(['`', '\\', '`${', 'r#"', '<<A ', '= ', "'"])(
    'is found at once in half a megabyte of %s',
    (part) => {
      const start = process.cpuUsage();
      for (const language of ['typescript', 'rust', 'bash'])
        codeBlocks(part.repeat((512 * 1024) / part.length), { language, comments: false });
      expect(process.cpuUsage(start).user).toBeLessThan(3_000_000); // microseconds
    },
  );

  test('obeys these rules for any text', () => {
    const line = fc.oneof(
      fc.constantFrom(...['', '}', '{', 'end', '/*', ' */', '// x', '# y', '\tif (a) {', '  b();', '@a']),
      fc.string({ maxLength: 30, unit: 'binary' }),
    );
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 80 }),
        fc.constantFrom('c', 'python', 'html', undefined),
        fc.boolean(),
        (lines, language, comments) => {
          const blocks = codeBlocks(lines.join('\n'), { language, comments });
          let last = 0;
          for (const { text, firstLine, lastLine } of blocks) {
            const count = text.split('\n').length;
            expect(count >= 4 && count <= 20 && firstLine > last && lastLine >= firstLine).toBe(true);
            expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
            last = firstLine;
          }
        },
      ),
    );
  });
});

describe('play FOLDER', () => {
  test('draws blocks at random, and says file, lines and language', async () => {
    for (const name of ['one', 'two', 'three', 'four']) write(`src/${name}.js`, code(name));
    write('README.md', 'Words.\n'.repeat(6));
    const drawn = await draw(40);
    const names = new Set(['one', 'two', 'three', 'four'].map((name) => `${name}.js:1-6  src`));
    for (let at = 0; at < 40; at += 4) {
      expect(new Set(drawn.slice(at, at + 4).map(({ title }) => title))).toEqual(names); // none again before all
    }
    expect(drawn[0]).toMatchObject({ code: 'javascript', text: expect.stringContaining('return a;') });
  });

  test('types prose if there is no code, or if it is named', async () => {
    write('notes.md', 'A line.\nAnother.\nA third.\nThe last.\n');
    expect(await open()).toMatchObject({
      text: 'A line.\nAnother.\nA third.\nThe last.',
      title: 'notes.md:1-4',
    });
    expect(await open()).not.toHaveProperty('code');
    write('a.js', code('a'));
    expect((await open()).title).toBe('a.js:1-6');
    expect((await open({ pattern: '*.md' })).title).toBe('notes.md:1-4');
  });

  test('goes through the only file that fits, from the typist’s place, and can start over', async () => {
    write('a.js', Array.from({ length: 5 }, (_, at) => code(`f${at}`)).join('\n'));
    write('b.js', code('b'));
    const first = await open({ pattern: 'a.js' });
    expect(first.title).toBe('a.js:1-6');
    expect((await first.next?.({ comments: false }))?.title).toBe('a.js:8-13');
    const again = await open({ pattern: 'a.js' });
    expect(again.title).toBe('a.js:8-13');
    expect((await open({ pattern: 'a.js', isStartOver: true })).title).toBe('a.js:1-6');
    let last = again;
    for (let at = 0; at < 4; at += 1) last = (await last.next?.({ comments: false })) ?? last;
    expect(last.title).toBe('a.js:1-6');
  });

  test('never leaves the folder by a link, and reads neither binary, huge nor generated files', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'typebadge-outside-'));
    try {
      writeFileSync(join(outside, 'other.js'), code('outside'));
      symlinkSync(outside, join(dir, 'link'));
      symlinkSync(join(outside, 'other.js'), join(dir, 'file.js'));
      write('binary.js', Buffer.concat([Buffer.from(code('binary')), Buffer.from([0])]));
      write('latin.js', Buffer.from(`// é\n${code('latin')}`, 'latin1'));
      write('line.js', `${code('line')}\nconst x = "${'y'.repeat(10 * 1024 * 1024)}";\n`);
      write('made.js', `// Code generated by a program. DO NOT EDIT.\n${code('made')}`);
      execFileSync('mkfifo', [join(dir, 'pipe.js')]);
      git('init', '-q');
      git('add', 'file.js', 'binary.js', 'latin.js', 'line.js', 'made.js', 'link');
      await expect(open()).rejects.toThrow('cannot be typed');
      rmSync(join(dir, '.git'), { recursive: true });
      await expect(open()).rejects.toThrow('cannot be typed');
      write('good.js', code('good'));
      expect(new Set((await draw(20)).map(({ title }) => title))).toEqual(new Set(['good.js:1-6']));
    } finally {
      rmSync(outside, { recursive: true });
    }
  });

  test('shows hostile names as plain characters', async () => {
    write('\x1b[2J\u202egood\n.js', code('a'));
    const { title } = await open();
    expect(title).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    const error = await open({ pattern: '\x1b]0;x\x07' }).catch(({ message }) => message);
    expect(error).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });

  test('says what is wrong and what would be right', async () => {
    await expect(open()).rejects.toThrow('has neither code nor text to type');
    write('src/a.js', code('a'));
    await expect(open({ pattern: 'nope' })).rejects.toThrow(
      'fits --file "nope": it takes a part of a path, or a glob. The folder has 1 file of code, such as "src/a.js";',
    );
  });
});
