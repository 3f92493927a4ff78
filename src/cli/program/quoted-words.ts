/** A text as one word of a command line that can be pasted, quoted if the shell needs it. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A value in a table for spreadsheets (RFC 4180). Two decimals are more than anybody can distinguish. */
export function csvField(value: string | number | boolean | null | undefined): string {
  if (typeof value === 'number') return String(Math.round(value * 100) / 100);
  if (typeof value !== 'string') return value === null || value === undefined ? '' : String(value);
  // A spreadsheet would run such a text as a formula (OWASP, CSV injection).
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
