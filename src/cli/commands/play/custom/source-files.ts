import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { promisify } from 'node:util';
import { languageOf } from '../../../../tui/view/source-languages.ts';

/** A file of a folder that may be typed. */
export interface SourceFile {
  /** Below the folder, with slashes. */
  readonly path: string;
  /** Such as `typescript`; undefined for prose, and for what is neither. */
  readonly language: string | undefined;
  readonly isProse: boolean;
}

const prose = new Set('md markdown mdx txt rst adoc org tex'.split(' '));

/** What the authors of a project did not write, wherever it is. */
const foreign =
  /(?:^|\/)(?:node_modules|bower_components|vendor|vendored|third[_-]party|Pods|dist|__generated__|generated|site-packages|\.[^/]+)\/|\.(?:min|bundle|generated|pb|g|freezed|designer|snap)\.\w+$|_pb2?(?:_grpc)?\.\w+$|[.-]lock\.\w+$/i;
/** Folders of build output, which git would not track. */
const output = /(?:^|\/)(?:build|out|target|coverage|venv|env|obj|bin|tmp)\//i;
const secret =
  /secret|credential|passw|private[_-]?key|(?:^|\/)(?:\.[^/]*|id_(?:rsa|dsa|ecdsa|ed25519)[^/]*|[^/]*\.(?:pem|key|p12|pfx|jks|keystore|kdbx|asc|gpg|env))$/i;

/** More files than the largest repositories have. */
const maxFiles = 300_000;

/**
 * The files of a folder: those that git tracks or, if there are none, those that it does not ignore; without
 * git, all. What is generated, vendored or looks like a secret is left out.
 */
export async function readSourceFiles(folder: string): Promise<SourceFile[]> {
  const tracked =
    (await gitFiles(folder, ['--cached'])) ?? (await gitFiles(folder, ['--others', '--exclude-standard']));
  const paths = tracked ?? (await walk(folder));
  const files: SourceFile[] = [];
  for (const path of paths) {
    if (foreign.test(path) || secret.test(path)) continue;
    const ending = /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
    files.push({ path, language: languageOf(ending), isProse: prose.has(ending) });
  }
  return files;
}

const run = promisify(execFile);

/** A repository may come from a stranger: its settings must not start programs. */
const safely = ['-c', 'core.fsmonitor=false', '-c', 'safe.bareRepository=explicit', '--no-optional-locks'];

/** Undefined where git is missing, refuses the folder, or names no file. */
async function gitFiles(folder: string, which: readonly string[]): Promise<string[] | undefined> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')));
  const options = { cwd: folder, env, maxBuffer: 64 * 1024 * 1024, timeout: 10_000, windowsHide: true };
  try {
    const { stdout } = await run('git', [...safely, 'ls-files', '-z', ...which], options);
    const paths = stdout.split('\0', maxFiles).filter((path) => path !== '');
    return paths.length === 0 ? undefined : paths;
  } catch {
    return undefined;
  }
}

/** All files below a folder, without following links. */
async function walk(folder: string): Promise<string[]> {
  const files: string[] = [];
  const open = [''];
  for (let below = open.pop(); below !== undefined && files.length < maxFiles; below = open.pop()) {
    const entries = await readdir(`${folder}/${below}`, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const path = `${below}${entry.name}`;
      if (entry.isFile()) files.push(path);
      else if (entry.isDirectory() && !foreign.test(`${path}/`) && !output.test(`${path}/`))
        open.push(`${path}/`);
    }
  }
  return files;
}

/** Whether a path fits a pattern: a part of it, or a glob (`*`, `**`, `?`) for its name or all of it. */
export function createPathTest(pattern: string): (path: string) => boolean {
  const plain = pattern.replaceAll('\\', '/').replace(/^\.\//, '');
  if (!/[*?]/.test(plain)) {
    const part = plain.toLowerCase();
    return (path) => path.toLowerCase().includes(part);
  }
  const source = plain
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*\*\/?|\*|\?/g, (sign) => (sign === '?' ? '[^/]' : sign === '*' ? '[^/]*' : '.*'));
  const glob = new RegExp(plain.includes('/') ? `^${source}$` : `(?:^|/)${source}$`, 'i');
  return (path) => glob.test(path);
}
