import type { Command } from 'commander';
import type { DeskOptions } from '../../desk/open-desk.ts';
import { createSubcommand } from '../../program/subcommand.ts';
import { brandOption, logoOption, publicUrlOption } from '../../serving/shared-options.ts';
import type { ExportOptions } from './export.ts';

/** The commands on the content folder as a whole. */
export function createFolderCommands(): Command[] {
  return [validateCommand(), exportCommand()];
}

function validateCommand(): Command {
  return createSubcommand<DeskOptions>({
    name: 'validate',
    summary: 'check the content folder',
    description:
      'Checks the whole content folder and names each problem with file and line. Exit code 1 where there is one.',
    examples: ['announce validate', 'announce validate --content ./content --json'],
    run: async (_, options, io) => (await import('./validate.ts')).validateContent(options, io),
  });
}

function exportCommand(): Command {
  return createSubcommand<ExportOptions>({
    name: 'export',
    argument: ['<folder>', 'target folder; created if it does not exist'],
    summary: 'write everything public as files, for a static host',
    description:
      'Writes everything that the server would answer now as files: assets, JSON, pages, feeds, each also compressed, and a _headers file.',
    options: [
      brandOption,
      logoOption,
      publicUrlOption,
      ['--any-origin', 'let pages of every origin read the files; a static host cannot tell them apart'],
      ['--force', 'write into a folder that holds other files; they are left alone'],
    ],
    examples: [
      'announce export ./public --public-url https://badge.example.org',
      'announce export ./public --brand acme --any-origin',
    ],
    run: async ([folder = ''], options, io) => (await import('./export.ts')).exportTree(folder, options, io),
  });
}
