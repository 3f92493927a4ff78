import type { HistoryFile } from '../../../../announcements/announcement.ts';
import { inSlices, type Steps } from '../../../../kit/slices.ts';

/** The text of `history.json`: indented, because people read and edit it. */
export function toHistoryText(history: HistoryFile): string {
  return `${toIndented(history)}\n`;
}

/** The same in slices: with each change of an announcement, a server may write megabytes. */
export function writeHistoryText(history: HistoryFile): Promise<string> {
  return inSlices(textSteps(history));
}

/** Entries serialised in one go. */
const portion = 100;

function* textSteps(history: HistoryFile): Steps<string> {
  const fields: string[] = [];
  for (const [name, value] of Object.entries(history)) {
    if (value === undefined) continue;
    const isLong = Array.isArray(value) && value.length > portion;
    fields.push(
      isLong ? yield* listSteps(name, value) : withoutEnds(toIndented({ [name]: value }), '{', '}'),
    );
  }
  return `{${fields.join(',')}\n}\n`;
}

function* listSteps(name: string, list: readonly unknown[]): Steps<string> {
  const key = `\n  ${JSON.stringify(name)}: `;
  const parts: string[] = [];
  for (let at = 0; at < list.length; at += portion) {
    const text = toIndented({ [name]: list.slice(at, at + portion) });
    parts.push(withoutEnds(text, `{${key}[`, '\n  ]\n}'));
    yield;
  }
  return `${key}[${parts.join(',')}\n  ]`;
}

function toIndented(value: object): string {
  return JSON.stringify(value, null, 2);
}

/** The lines in between, without a final line break. */
function withoutEnds(text: string, start: string, end: string): string {
  return text.slice(start.length, -end.length).trimEnd();
}
