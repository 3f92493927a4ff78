import { parseEditorName } from '../../../announcements/changes/change-log.ts';
import { instantText } from '../../../announcements/times/instant.ts';
import { parseMoment } from '../../../announcements/times/moment.ts';
import { safeText } from '../../../kit/terminal-text.ts';
import {
  addEditor,
  type Editor,
  editorsText,
  hasExpired,
  hashToken,
  newEditorToken,
  parseEditors,
  removeEditor,
} from '../../../server/desk/editors/editors-document.ts';
import type { Content } from '../../../server/stores/content/content.ts';
import { ContentError } from '../../../server/stores/content/content-error.ts';
import { typistFolders } from '../../../tui/record/folders.ts';
import type { ContentOptions, OpeningOptions } from '../../desk/desk-place.ts';
import { openContent } from '../../desk/local-desk.ts';
import { isOnThisComputer, parseServerUrl } from '../../desk/server-address.ts';
import { formatClock, formatMinute, withLocalClock, zoneOf } from '../../display/announcement-text.ts';
import { type CommandIo, RefusedError, UsageError } from '../../program/command-io.ts';
import { chosenServer } from '../../program/logins.ts';
import type { Report } from '../../program/report.ts';

export interface EditorsOptions extends ContentOptions {
  readonly zone?: string;
}

export interface AddEditorOptions extends EditorsOptions {
  readonly expires?: string;
}

type Change<T> = T | { readonly problem: string };

/** Makes a token. It is in the report, and nowhere else. */
export async function addEditorToken(
  text: string,
  options: AddEditorOptions,
  io: CommandIo,
): Promise<Report> {
  const parsed = parseEditorName(text);
  if ('problem' in parsed) throw new UsageError(`the name of an editor ${parsed.problem}`);
  const { name } = parsed;
  const zone = zoneOf(options, io);
  const expires = options.expires === undefined ? undefined : parseEnd(options.expires, zone, io.now());
  const token = newEditorToken();
  const editor: Editor = {
    name,
    added: instantText(io.now()),
    ...(expires === undefined ? {} : { expires: instantText(expires) }),
    tokenHash: hashToken(token),
  };
  const content = await openLocalContent(options, io, { makesFolder: true });
  await updateEditors(content, (editors) => addEditor(editors, editor));
  const until = editor.expires === undefined ? '' : ` until ${formatClock(editor.expires, zone)} (${zone})`;
  return {
    value: { editor: name, token, expires: editor.expires ?? null, content: content.name },
    text: (paint) =>
      [
        `${paint.good('✔')} ${safeText(name)} may publish from other computers${until}.`,
        `That is for ${safeText(content.name)}, on each server that shows it.`,
        'This is the token. It is shown only now:',
        '',
        token,
        '',
        paint.dim('In a browser: https://…/desk (the address of this server)'),
        paint.dim('In a terminal of the other computer: typebadge login https://…'),
      ].join('\n'),
  };
}

export async function listEditors(options: EditorsOptions, io: CommandIo): Promise<Report> {
  const zone = zoneOf(options, io);
  const content = await openLocalContent(options, io, { isReadOnly: true });
  const editors = readEditors((await content.read('editors.json'))?.text, content);
  const now = io.now();
  return {
    value: {
      editors: editors.map(({ name, added, expires = null }) => ({
        name,
        added,
        expires,
        expired: hasExpired(expires === null ? {} : { expires }, now),
      })),
      content: content.name,
    },
    text: (paint) =>
      editors.length === 0
        ? `No editor has a token in ${safeText(content.name)} yet. Make one: typebadge editors add NAME`
        : [
            ...editors.map((editor) => editorRow(editor, zone, now)),
            '',
            paint.dim(`These may edit ${safeText(content.name)}. Times are in ${zone}.`),
          ].join('\n'),
  };
}

export async function removeEditorToken(
  name: string,
  options: EditorsOptions,
  io: CommandIo,
): Promise<Report> {
  const content = await openLocalContent(options, io);
  const { removed } = await updateEditors(content, (editors) => removeEditor(editors, name));
  return {
    value: { removed: removed.name, content: content.name },
    text: (paint) =>
      `${paint.good('✔')} The token of ${safeText(removed.name)} is revoked. What ${safeText(removed.name)} published stays: typebadge announce log`,
  };
}

/** The content of this computer. Refused if other commands work elsewhere: nobody would serve this folder. */
async function openLocalContent(
  options: EditorsOptions,
  io: CommandIo,
  opening: OpeningOptions = {},
): Promise<Content> {
  const chosen = await chosenServer(options, io.env, typistFolders().config);
  const server = chosen && parseServerUrl(chosen.server);
  if (chosen?.reason === 'TYPEBADGE_SERVER' || (server !== undefined && !isOnThisComputer(server)))
    throw new UsageError(
      `your commands work on ${safeText(chosen?.server ?? '')} (${chosen?.reason}), and only its own computer knows its editors: run typebadge editors there, or name a folder of this computer with --content`,
    );
  return (await openContent(options, io, opening)).content;
}

function parseEnd(text: string, zone: string, now: number): number {
  const end = parseMoment(text, { zone, now, dateMeans: 'end' });
  if ('problem' in end) throw new UsageError(`--expires: ${end.problem}`);
  if (end.instant <= now) {
    const shown = withLocalClock(instantText(end.instant), zone);
    throw new UsageError(`--expires: ${shown} is already in the past; write a later time, such as 90d`);
  }
  return end.instant;
}

async function updateEditors<T extends { readonly editors: readonly Editor[] }>(
  content: Content,
  change: (editors: readonly Editor[]) => Change<T>,
): Promise<T> {
  const outcome = await content.update('editors.json', (text) => {
    const result = change(readEditors(text, content));
    return { text: 'problem' in result ? undefined : editorsText(result.editors), result };
  });
  if ('problem' in outcome) throw new RefusedError(outcome.problem);
  return outcome;
}

function readEditors(text: string | undefined, content: Content): readonly Editor[] {
  const result = parseEditors(text);
  if ('editors' in result) return result.editors;
  const file = content.nameOf('editors.json');
  throw new ContentError(`${file}: ${result.problem}`, file);
}

function editorRow(editor: Editor, zone: string, now: number): string {
  const until = editor.expires === undefined ? 'no end' : `until ${formatMinute(editor.expires, zone)}`;
  const mark = hasExpired(editor, now) ? ' (expired)' : '';
  return `${safeText(editor.name)}  since ${formatMinute(editor.added, zone)}, ${until}${mark}`;
}
