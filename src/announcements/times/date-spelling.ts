import { toLocalDate } from './zone.ts';

export interface DateContext {
  /** The editor's time zone. */
  readonly zone: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
/** Days from today. Past days are understood as well: otherwise nobody could be told that they are over. */
const namedDays: Readonly<Record<string, number>> = { yesterday: -1, today: 0, tomorrow: 1 };
/** Times that people probably mean; used for suggestions only. */
const partsOfDay: Readonly<Record<string, string>> = {
  morning: '09:00',
  noon: '12:00',
  afternoon: '15:00',
  evening: '18:00',
  night: '23:59',
};

const yearFirst = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?=$|[Tt ])/;
const dayFirst = /^(\d{1,2})\. ?(\d{1,2})\. ?(\d{4})(?=$|[Tt ])/;
const word = /^(yesterday|today|tomorrow)(?=$| )/i;
const weekday = /^(?:on )?(next )?([a-z]+)(?=$| )/i;
const timeAlone = /^(?=\d{1,2}:\d{2})/;
const at = /(?<=^|\S )at (?=\d)/i;
const halfDayTime = /(?<=^| )(\d{1,2})(:\d{2})? ?([ap])\.?m\.?$/i;
const partOfDay = / (?:in the )?([a-z]+)$/i;

/**
 * Rewrites an unambiguous date as ISO 8601: `31.12.2026`, `2026/12/31`, `tomorrow`, `friday 6pm` (unless today is Friday), or
 * a time of today.
 */
export function toIsoSpelling(text: string, { zone, now }: DateContext): string {
  const today = toLocalDate(now, zone);
  return text
    .replace(at, '')
    .replace(halfDayTime, toFullDayTime)
    .replace(weekday, (written, next, name) => {
      const days = daysUntil(name, today.dayOfWeek);
      return next || !days ? written : today.add({ days }).toString();
    })
    .replace(word, (day) => today.add({ days: namedDays[day.toLowerCase()] ?? 0 }).toString())
    .replace(yearFirst, (_, year, month, day) => toDateText(year, month, day))
    .replace(dayFirst, (_, day, month, year) => toDateText(year, month, day))
    .replace(timeAlone, `${today} `);
}

/** Days until the next day of that name: 0 if it is today; undefined if no day has that name. */
function daysUntil(name: string, today: number): number | undefined {
  const lower = name.toLowerCase();
  const index = weekdays.findIndex((day) => day === lower || day.slice(0, 3) === lower);
  return index === -1 ? undefined : (index + 1 - today + 7) % 7;
}

function toFullDayTime(written: string, hour: string, minutes = ':00', half: string): string {
  if (Number(hour) < 1 || Number(hour) > 12) return written;
  return `${(Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0)}${minutes}`;
}

/** For a text that is ambiguous or too informal: what it may mean, in spellings that work. */
export function spellingsOf(text: string, context: DateContext): string[] {
  const [written = '', part = ''] = partOfDay.exec(text) ?? [];
  const hour = partsOfDay[part.toLowerCase()];
  const timed = hour === undefined ? text : `${text.slice(0, -written.length)} ${hour}`;
  const spellings = [...weekdaySpellings(timed, context), ...numericSpellings(timed)];
  return spellings.length === 0 && timed !== text ? [timed] : spellings;
}

/** "friday" on a Friday, and "next friday" on any day, mean different days to different people. */
function weekdaySpellings(text: string, { zone, now }: DateContext): string[] {
  const [all = '', next, name = ''] = weekday.exec(text) ?? [];
  const today = toLocalDate(now, zone);
  const days = daysUntil(name, today.dayOfWeek);
  if (days === undefined || (days > 0 && next === undefined)) return [];
  const rest = text.slice(all.length).replace(/^ at /i, ' ');
  return [days, days + 7].map((count) => `${today.add({ days: count })}${rest}`);
}

/** Dates that are written differently in different countries, or too short. */
function numericSpellings(text: string): string[] {
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
