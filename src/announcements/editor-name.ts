const longestEditorName = 100;

/** Checks the name that is recorded in the log as the author of a change. */
export function parseEditorName(text: string): { name: string } | { problem: string } {
  const name = text.trim();
  const isName =
    name !== '' &&
    name.length <= longestEditorName &&
    !/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069\p{Surrogate}]/u.test(name);
  return isName ? { name } : { problem: `must be 1 to ${longestEditorName} characters on one line` };
}
