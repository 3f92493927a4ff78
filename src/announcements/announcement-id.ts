const idPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

export function parseId(text: string): { id: string } | { problem: string } {
  if (idPattern.test(text)) return { id: text };
  return {
    problem: `"${text}" cannot be an id; an id is 1 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit`,
  };
}
