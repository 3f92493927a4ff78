import { parseEditorName } from '../../../announcements/changes/change-log.ts';
import { instantText } from '../../../announcements/times/instant.ts';
import { parseMoment } from '../../../announcements/times/moment.ts';
import { safeText, tableRows } from '../../../kit/terminal-text.ts';
import {
  type Editor,
  editorsText,
  hasExpired,
  hashToken,
  isSameName,
  maxEditors,
  newEditorToken,
  parseEditors,
} from '../../../server/desk/editors-document.ts';
import { ContentError } from '../../../server/stores/content/content.ts';
import type { OpeningOptions } from '../../desk/local-desk.ts';
import { chosenServer } from '../../desk/open-desk.ts';
import { isOnThisComputer, parseServerUrl } from '../../desk/server-address.ts';
import { formatClock, formatMinute, zoneOf } from '../../display/announcement-text.ts';
import { type CommandIo, RefusedError, UsageError } from '../../program/command-io.ts';
import { paragraphs } from '../../program/report.ts';
import {
  type DeskCommand,
  type DeskOptions,
  groupOf,
  type Subcommand,
  type Texts,
  zoneOption,
} from '../../program/subcommand.ts';

const overview = `
An editor with a token can publish from another computer, with the same commands. Run these on the server's \
computer; give the token to the editor, who enters it after "typebadge login". Tokens travel over https \
only: see docs/deploying.md for the proxy. A running server applies a change at once.
Exit codes: 0 done, 1 refused or failed, 2 wrong usage.

Examples:
  $ typebadge editors add anna --expires 90d
  $ typebadge editors list`;

const subcommands: readonly Subcommand[] = [
  {
    name: 'add',
    argument: ['<name>', 'name of the editor, recorded in the log'],
    summary: 'make a token for an editor',
    more: 'It is shown once, alone on a line. Only a hash of it is kept.',
    options: [
      ['--expires <moment>', 'when the token ends: 90d, 2026-12-31 (default: when you remove the editor)'],
      zoneOption,
    ],
    examples: ['editors add anna', 'editors add "Newsroom Berlin" --expires 90d'],
    load: async () => addEditorToken,
  },
  {
    name: 'list',
    summary: 'list who may publish from other computers, and until when',
    options: [zoneOption],
    examples: ['editors list', 'editors list --json'],
    load: async () => listEditors,
  },
  {
    name: 'remove',
    argument: ['<name>', 'as the list shows it'],
    summary: 'revoke the token of an editor, at once',
    examples: ['editors remove anna'],
    load: async () => removeEditorToken,
  },
];

export const createEditorsCommand = groupOf('editors', overview, subcommands, true);

/** Creates a token, which is in the report and nowhere else. */
const addEditorToken: DeskCommand<Texts<'expires'>> = async ([text = ''], options, io) => {
  const parsed = parseEditorName(text);
  if ('problem' in parsed) throw new UsageError(`the name of an editor ${parsed.problem}`);
  const { name } = parsed;
  const zone = zoneOf(options, io);
  const expires = options.expires === undefined ? undefined : parseEnd(options.expires, zone, io.now());
  const token = newEditorToken();
  const end = expires === undefined ? {} : { expires };
  const editor = { name, added: instantText(io.now()), ...end, tokenHash: hashToken(token) };
  const { place, update } = await openEditors(options, io, { makesFolder: true });
  await update((editors) => {
    const same = editors.find((other) => isSameName(other.name, name));
    if (same !== undefined)
      throw new RefusedError(
        `there is an editor ${same.name} already; remove that one first (typebadge editors remove), or choose another name`,
      );
    if (editors.length >= maxEditors)
      throw new RefusedError(`there are already ${maxEditors} editors, the maximum`);
    return [...editors, editor];
  });
  const address = (io.env.TYPEBADGE_PUBLIC_URL || 'https://YOUR-SERVER').replace(/\/+$/, '');
  const until = expires === undefined ? '' : ` until ${formatClock(expires, zone)} (${zone})`;
  return {
    value: { editor: name, token, expires: expires ?? null, content: place },
    text: (paint) =>
      paragraphs(
        `${paint.good('✔')} ${safeText(name)} may publish from other computers${until}.
The token works on every server that serves ${safeText(place)}.
This is the token. It is shown only now:`,
        token,
        [
          paint.dim(`In a browser: ${address}/desk`),
          paint.dim(`In a terminal of the other computer: typebadge login ${address}`),
        ],
      ),
  };
};

const listEditors: DeskCommand = async (_, options, io) => {
  const zone = zoneOf(options, io);
  const { place, read } = await openEditors(options, io, { isReadOnly: true });
  const [editors, now] = [await read(), io.now()];
  return {
    value: {
      editors: editors.map((editor) => {
        const { name, added, expires = null } = editor;
        return { name, added, expires, expired: hasExpired(editor, now) };
      }),
      content: place,
    },
    text: (paint) =>
      editors.length === 0
        ? `No editor has a token in ${safeText(place)} yet. Make one: typebadge editors add NAME`
        : paragraphs(
            tableRows(editors.map((editor) => editorCells(editor, zone, now))),
            paint.dim(`These may edit ${safeText(place)}. Times are in ${zone}.`),
          ),
  };
};

const removeEditorToken: DeskCommand = async ([name = ''], options, io) => {
  const { place, update } = await openEditors(options, io);
  const isMeant = (editor: Editor) => isSameName(editor.name, name);
  const before = await update((editors) => {
    if (editors.some(isMeant)) return editors.filter((editor) => !isMeant(editor));
    throw new RefusedError(`there is no editor ${name}; typebadge editors list shows them`);
  });
  const removed = before.find(isMeant)?.name ?? name;
  const shown = safeText(removed);
  return {
    value: { removed, content: place },
    text: (paint) =>
      `${paint.good('✔')} The token of ${shown} is revoked. What ${shown} published stays: typebadge announce log`,
  };
};

/** The editors of this computer. Refused if other commands work elsewhere: nobody would serve this folder. */
async function openEditors(options: DeskOptions, io: CommandIo, opening: OpeningOptions = {}) {
  const chosen = await chosenServer(options, io.env);
  const server = chosen && parseServerUrl(chosen.server);
  if (chosen?.reason === 'TYPEBADGE_SERVER' || (server !== undefined && !isOnThisComputer(server)))
    throw new UsageError(
      `your commands work on ${safeText(chosen?.server ?? '')} (${chosen?.reason}), and only its own computer knows its editors: run typebadge editors there, or name a folder of this computer with --content`,
    );
  const { content } = await (await import('../../desk/local-desk.ts')).openContent(options, io, opening);
  const parse = (text: string | undefined) => {
    const result = parseEditors(text);
    if ('editors' in result) return result.editors;
    const file = content.nameOf('editors.json');
    throw new ContentError(`${file}: ${result.problem}`, file);
  };
  return {
    place: content.name,
    read: async () => parse((await content.read('editors.json'))?.text),
    /** Resolves to the editors before the change. */
    update: (change: (editors: readonly Editor[]) => readonly Editor[]) =>
      content.update('editors.json', (text) => {
        const before = parse(text);
        return { text: editorsText(change(before)), result: before };
      }),
  };
}

function parseEnd(text: string, zone: string, now: number): string {
  const end = parseMoment(text, { zone, now, dateMeans: 'end' });
  if ('problem' in end) throw new UsageError(`--expires: ${end.problem}`);
  if (end.instant <= now)
    throw new UsageError(`--expires: ${text} is already in the past; write a later time, such as 90d`);
  return instantText(end.instant);
}

function editorCells(editor: Editor, zone: string, now: number): string[] {
  const until = editor.expires === undefined ? 'no end' : `until ${formatMinute(editor.expires, zone)}`;
  const mark = hasExpired(editor, now) ? ' (expired)' : '';
  return [safeText(editor.name), `since ${formatMinute(editor.added, zone)}, ${until}${mark}`];
}
