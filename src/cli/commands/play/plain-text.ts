/** Typographic characters and the plain ones that every layout has. */
const plainForms: ReadonlyMap<string, string> = new Map(
  (
    [
      ['‘’‚‛′', "'"],
      ['“”„‟″«»', '"'],
      ['‹›', "'"],
      ['‐‑‒–—―−', '-'],
      ['…', '...'],
      ['\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000', ' '],
      ['\u00ad\u200b\u2060\ufeff', ''],
      ['ﬁ', 'fi'],
      ['ﬂ', 'fl'],
    ] as const
  ).flatMap(([characters, plain]) => [...characters].map((character) => [character, plain] as const)),
);
const typographic = new RegExp(`[${[...plainForms.keys()].join('')}]`, 'g');

/** Emoji with everything that belongs to them, invisible characters, and replacement characters. */
const untyped =
  /(?:\p{Emoji_Presentation}|\p{Extended_Pictographic}\ufe0f|[\d#*]\ufe0f?\u20e3)(?:[\u{1f3fb}-\u{1f3ff}\ufe0f]|\u200d\p{Extended_Pictographic})*|[\ufe0f\ufffc\ufffd\u2800\u115f\u1160\u3164\uffa0\p{Cf}\p{Cs}\p{Co}\p{Cn}]|(?![\t\n\r\f\v\u0085])\p{Cc}/gu;

/**
 * A text as keys type it: plain quotes, dashes and blanks instead of typographic ones that the layout lacks,
 * and without emoji and other characters that no key types, of which `leftOut` is the number.
 *
 * @param keys characters of the layout
 */
export function plainText(text: string, keys: ReadonlySet<string> = new Set()) {
  let leftOut = 0;
  const plain = text.replace(typographic, (sign) => (keys.has(sign) ? sign : (plainForms.get(sign) ?? sign)));
  const typed = plain.replace(untyped, () => {
    leftOut += 1;
    return '';
  });
  return { text: typed, leftOut };
}
