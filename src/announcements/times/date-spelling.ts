import { toLocalDate } from './zone.ts';

export interface DateContext {
  /** The editor's time zone. */
  readonly zone: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

const yearFirst = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?=$|[Tt ])/;
const dayFirst = /^(\d{1,2})\. ?(\d{1,2})\. ?(\d{4})(?=$|[Tt ])/;
const word = /^(today|tomorrow)(?=$| )/i;
const timeAlone = /^(?=\d{1,2}:\d{2})/;

/** Dates that can mean one thing only, as ISO 8601 writes them: `31.12.2026`, `2026/12/31`, `tomorrow`, or a time of today. */
export function toIsoSpelling(text: string, { zone, now }: DateContext): string {
  const today = toLocalDate(now, zone);
  return text
    .replace(word, (day) => (day.toLowerCase() === 'today' ? today : today.add({ days: 1 })).toString())
    .replace(yearFirst, (_, year, month, day) => toDateText(year, month, day))
    .replace(dayFirst, (_, day, month, year) => toDateText(year, month, day))
    .replace(timeAlone, `${today} `);
}

/** For dates that are written differently in different countries, or too short: what each may mean, in a spelling that works. */
export function spellingsOf(text: string): string[] {
  const [all = '', first = '', second = '', year = ''] =
    /^(\d{1,2})[/-](\d{1,2})[/-](\d{4})(?=$|[Tt ])/.exec(text) ??
    /^(\d{1,2})\. ?(\d{1,2})\. ?(\d{2})(?=$|[Tt ])/.exec(text) ??
    [];
  if (all === '') return compactSpelling(text);
  const rest = text.slice(all.length);
  const isDotted = all.includes('.');
  const orders = isDotted
    ? [[second, first]]
    : [
        [first, second],
        [second, first],
      ];
  const spellings = orders
    .filter(([month, day]) => isDay(Number(month), Number(day)))
    .map(([month = '', day = '']) => toDateText(isDotted ? `20${year}` : year, month, day) + rest);
  return [...new Set(spellings)];
}

function compactSpelling(text: string): string[] {
  const [, year = '', month = '', day = '', rest = ''] = /^(\d{4})(\d{2})(\d{2})($|[Tt ].*)/.exec(text) ?? [];
  return isDay(Number(month), Number(day)) ? [`${year}-${month}-${day}${rest}`] : [];
}

function isDay(month: number, day: number): boolean {
  return month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

function toDateText(year: string, month: string, day: string): string {
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}
