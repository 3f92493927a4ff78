import { resolve } from 'node:path';
import { originsFileName, readText } from '../../server/badge/content-store.ts';
import { parseOriginsFile } from '../../server/badge/origins-file.ts';
import { readPublicTree } from '../../server/badge/public-tree.ts';
import { newServeConfig, parseBrand, parsePublicUrl } from '../../server/config.ts';
import type { OriginPattern } from '../../server/http/origins.ts';
import { createLog } from '../../server/log.ts';
import type { CommandIo } from '../command-io.ts';
import { RefusedError, type Report } from '../report.ts';
import { UsageError } from '../usage-error.ts';
import { type ContentOptions, openContent } from './content-access.ts';
import { type ExportedFile, toExportedFiles } from './exported-files.ts';
import { writeTree } from './tree-writer.ts';

export interface ExportOptions extends ContentOptions {
  readonly brand?: string;
  readonly publicUrl?: string;
  readonly anyOrigin?: boolean;
  readonly force?: boolean;
}

const defaultUrl = 'http://127.0.0.1:8787';

/** Writes everything that the server would answer now as files for a static host. */
export async function exportTree(folder: string, options: ExportOptions, io: CommandIo): Promise<Report> {
  const { dir } = await openContent(options, io);
  const publicUrl = checked(parsePublicUrl, options.publicUrl ?? io.env.TYPEBADGE_PUBLIC_URL);
  const brand = checked(parseBrand, options.brand ?? io.env.TYPEBADGE_BRAND);
  const config = newServeConfig({ ...(brand === undefined ? {} : { brand }) });
  const log = createLog({ format: 'pretty', write: (line) => io.err.write(line) });
  const tree = await readPublicTree({
    config,
    contentDir: dir,
    baseUrl: publicUrl ?? defaultUrl,
    log,
    now: io.now,
  });
  const origin = options.anyOrigin ? '*' : await readOnlyOrigin(dir);
  const files = toExportedFiles(tree, origin);
  const target = resolve(io.cwd, folder);
  const outcome = await writeTree(target, files, options.force === true);
  if ('problem' in outcome) throw new RefusedError(outcome.problem);
  return toReport(target, files, { publicUrl, origin });
}

function checked<T>(parse: (text: string) => T, text: string | undefined): T | undefined {
  if (text === undefined || text === '') return undefined;
  try {
    return parse(text);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** The one origin that may read the files, where there is exactly one: more than one a headers file cannot express. */
async function readOnlyOrigin(dir: string): Promise<string | undefined> {
  const result = parseOriginsFile((await readText(`${dir}/${originsFileName}`)) ?? '{"origins":[]}');
  const patterns: OriginPattern[] = 'patterns' in result ? result.patterns : [];
  const [only] = patterns;
  return patterns.length === 1 && only !== undefined && !only.subdomains ? only.entry : undefined;
}

function toReport(
  dir: string,
  files: readonly ExportedFile[],
  { publicUrl, origin }: { publicUrl: string | undefined; origin: string | undefined },
): Report {
  const bytes = files.reduce((sum, { body }) => sum + body.length, 0);
  const warnings = [
    ...(publicUrl === undefined
      ? [`feeds and demo page name ${defaultUrl}; say with --public-url where the files will be reached`]
      : []),
    ...(origin === undefined
      ? [
          'no other site may read these files: a headers file cannot tell several origins apart; --any-origin lets every site in',
        ]
      : []),
    ...(files.some(({ name }) => name === 'content/announcement.json')
      ? []
      : ['no announcement is in force now, so there is no content/announcement.json']),
  ];
  return {
    value: {
      folder: dir,
      files: files.map(({ name, body }) => ({ name, bytes: body.length })),
      allowOrigin: origin ?? null,
      warnings,
    },
    warnings,
    toText: (paint) =>
      [
        ...files.filter(({ name }) => !/\.(?:br|gz)$/.test(name)).map(({ name }) => `  ${name}`),
        `${paint.good('✔')} ${files.length} files (${Math.ceil(bytes / 1024)} KiB, compressed ones included) in ${dir}`,
      ].join('\n'),
  };
}
