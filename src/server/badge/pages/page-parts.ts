import { readFile } from 'node:fs/promises';
import { packageFile } from '../../../kit/package-files.ts';

/** The built styles and scripts that our pages contain inline. */
export interface PageParts {
  readonly demoStyle: string;
  readonly demoScript: string;
  readonly previewStyle: string;
  readonly historyStyle: string;
  readonly historyScript: string;
}

export async function readPageParts(): Promise<PageParts> {
  const [demoStyle, demoScript, previewStyle, historyStyle, historyScript] = await Promise.all(
    ['demo.css', 'demo.js', 'preview.css', 'history.css', 'history.js'].map((name) =>
      readFile(packageFile('dist', 'pages', name), 'utf8'),
    ),
  );
  return { demoStyle, demoScript, previewStyle, historyStyle, historyScript } as PageParts;
}
