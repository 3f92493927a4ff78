import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { arch, cpus, release, totalmem } from 'node:os';

/** The machine and the programs that were measured on it. Markdown. */
export function describeMachine(): string {
  const programs = [
    ['nginx', ['-v']],
    ['wrk', ['-v']],
    ['chromium', ['--version']],
    ['gtypist', ['--version']],
  ] as const;
  const versions = programs.flatMap(([program, args]) => readVersion(program, args) ?? []);
  return [
    `- ${cpus().length} × ${cpus()[0]?.model.trim()} (${arch()}), ${(totalmem() / 2 ** 30).toFixed(0)} GiB of memory`,
    `- ${readSystem()}, kernel ${release()}`,
    `- Node.js ${process.version}${versions.map((version) => `, ${version}`).join('')}`,
  ].join('\n');
}

/** Processes waiting for a processor, as a mean over the last minute; empty where the system does not tell. */
export function readLoad(): string {
  try {
    return readFileSync('/proc/loadavg', 'utf8').split(' ')[0] ?? '';
  } catch {
    return '';
  }
}

/** Of nginx and wrk the version is on standard error, or comes with a failure. */
function readVersion(program: string, args: readonly string[]): string | undefined {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`]);
    const text = execFileSync('sh', ['-c', `${program} ${args.join(' ')} 2>&1 || true`]).toString();
    return `${program} ${/\d+\.\d+[.\d]*/.exec(text)?.[0] ?? ''}`.trim();
  } catch {
    return undefined;
  }
}

function readSystem(): string {
  try {
    return /^PRETTY_NAME="(.*)"$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? process.platform;
  } catch {
    return process.platform;
  }
}
