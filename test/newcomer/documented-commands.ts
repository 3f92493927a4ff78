import { readdirSync, readFileSync } from 'node:fs';
import { packageFile } from '../../src/kit/package-files.ts';

/** A command that a reader may paste: a line of a shell block, or a piece of code in a sentence. */
export interface DocumentedCommand {
  /** As it is written, with white space joined and without a comment behind it. */
  readonly command: string;
  /** Such as `README.md:17`. */
  readonly place: string;
}

/** Every document that a user reads: the README and what stands in docs/. */
export function readDocuments(): readonly string[] {
  const guides = readdirSync(packageFile('docs')).filter((name) => name.endsWith('.md'));
  return ['README.md', ...guides.sort().map((name) => `docs/${name}`)];
}

/** The commands of a document in their order. */
export function readCommands(document: string): readonly DocumentedCommand[] {
  const lines = readFileSync(packageFile(...document.split('/')), 'utf8').split('\n');
  const found: DocumentedCommand[] = [];
  let fence: string | undefined;
  lines.forEach((line, at) => {
    const opening = /^\s*```(\w*)/.exec(line);
    if (opening !== null) {
      fence = fence === undefined ? (opening[1] ?? '') : undefined;
      return;
    }
    const commands = fence === undefined ? inSentence(line) : inBlock(fence, line);
    found.push(...commands.map((command) => ({ command, place: `${document}:${at + 1}` })));
  });
  return found;
}

const shells = ['sh', 'bash', 'shell', 'zsh'];

/** In blocks for a shell every line is a command; elsewhere what follows a prompt, or begins as commands do. */
function inBlock(language: string, line: string): string[] {
  const afterPrompt = /^[$#] (.*)$/.exec(line)?.[1];
  const isCommand = shells.includes(language) || afterPrompt !== undefined || programs.test(line);
  const command = withoutComment(afterPrompt ?? line);
  return isCommand && command !== '' ? [command] : [];
}

const programs = /^(?:sudo )?(?:typebadge|npx|npm|node|curl|git) /;

function inSentence(line: string): string[] {
  const spans = [...line.matchAll(/(?<!`)(`{1,2})(?!`)(.+?)\1(?!`)/g)].map(([, , code = '']) => code.trim());
  return spans.filter((code) => programs.test(code)).map(withoutComment);
}

function withoutComment(text: string): string {
  return text
    .replace(/(?:^|\s)#\s.*$/, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
