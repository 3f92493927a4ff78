const longestTag = 35;

// RFC 5646: language, script, region, variants. Extensions and private use have no influence on the words to show.
const tag = /^[a-z]{2,3}(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?(?:-(?:[a-z\d]{5,8}|\d[a-z\d]{3}))*$/;

/** A BCP 47 language tag in its usual spelling, such as `de`, `pt-BR` or `zh-Hant`. */
export function parseLanguageTag(text: string): { readonly tag: string } | { readonly problem: string } {
  const lower = text.toLowerCase();
  if (text.length <= longestTag && tag.test(lower)) return { tag: toUsualSpelling(lower) };
  return {
    problem: `${JSON.stringify(text.slice(0, 40))} is not a language; write one like de, pt-BR or zh-Hant`,
  };
}

function toUsualSpelling(lower: string): string {
  const [language = '', ...rest] = lower.split('-');
  const parts = rest.map((part) => {
    if (/^[a-z]{4}$/.test(part)) return part.charAt(0).toUpperCase() + part.slice(1);
    return part.length === 2 ? part.toUpperCase() : part;
  });
  return [language, ...parts].join('-');
}
