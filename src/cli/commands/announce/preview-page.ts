import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { emptyHistory, type StoredAnnouncement } from '../../../announcements/announcement.ts';
import { toInstantText } from '../../../announcements/times/instant.ts';
import { newServeConfig } from '../../../server/settings/config.ts';
import { historyText } from '../../../server/stores/content/history-file.ts';
import type { DrawnAnnouncement } from '../../display/badge-drawing.ts';
import type { CommandIo } from '../../program/command-io.ts';

const day = 86_400_000;

/** Serves the demo page with that announcement, from a temporary folder, and shows it in the browser until Ctrl+C. */
export async function openPreviewPage(shown: DrawnAnnouncement | undefined, io: CommandIo): Promise<void> {
  if (io.err.isTTY !== true && io.out.isTTY !== true) {
    io.err.write('The page is served until Ctrl+C, so --open needs a terminal: run this in one.\n');
    return;
  }
  const dir = await mkdtemp(join(tmpdir(), 'typebadge-preview-'));
  const ended = interrupted();
  try {
    const announcements = shown === undefined ? [] : [newPreview(shown, io.now())];
    await writeFile(join(dir, 'history.json'), historyText({ ...emptyHistory, announcements }));
    // Loaded here, so that a bundle can take it from that of `serve`.
    const { startServer } = await import('../../../server/start.ts');
    const server = await startServer(newServeConfig({ port: 0, content: dir, data: dir, log: 'off' }));
    const page = `${server.url}/demo`;
    io.err.write(`See it at ${page} (Ctrl+C ends the preview)\n`);
    openBrowser(page, io.env);
    await ended;
    await server.close();
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

function interrupted(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
  });
}

/** For everyone: the demo page is none of the sites that it may be for. */
function newPreview(shown: DrawnAnnouncement, now: number): StoredAnnouncement {
  const { message, markdown, link, linkLabel, severity, dismissible } = shown;
  return {
    id: 'preview',
    message,
    ...(markdown == null ? {} : { markdown }),
    link,
    ...(linkLabel == null ? {} : { linkLabel }),
    ...(severity == null ? {} : { severity }),
    ...(dismissible === false ? { dismissible } : {}),
    published: toInstantText(now - day),
    expires: toInstantText(now + day),
  };
}

/** Best effort: where no browser can be started, the address printed above is enough. */
function openBrowser(page: string, env: NodeJS.ProcessEnv): void {
  const [command, ...args] = browserCommands[process.platform] ?? ['xdg-open'];
  const browser = spawn(command, [...args, page], { stdio: 'ignore', detached: true, env });
  browser.on('error', () => undefined);
  browser.unref();
}

const browserCommands: Partial<Record<NodeJS.Platform, [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};
