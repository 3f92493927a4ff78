/** A text as one word of a command line that can be pasted: in quotes where a shell would read more into it. */
export function toShellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
