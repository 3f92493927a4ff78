const plain: Readonly<Record<string, string>> = {
  '‘': "'",
  '’': "'",
  '‚': "'",
  '‛': "'",
  ʼ: "'",
  ʻ: "'",
  '´': "'",
  '“': '"',
  '”': '"',
  '„': '"',
  '‟': '"',
  '«': '"',
  '»': '"',
  '‹': "'",
  '›': "'",
  '‐': '-',
  '‑': '-',
  '–': '-',
  '—': '-',
  '−': '-',
  '…': '...',
};

/** Text as every keyboard types it: plain quotation marks, hyphens and spaces, in NFC. */
export function plainText(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[\u00ad\u200b-\u200f\u2060\ufeff]/g, '')
    .replace(/[‘’‚‛ʼʻ´“”„‟«»‹›‐‑–—−…]/g, (sign) => plain[sign] as string)
    .replace(/\s+/g, ' ')
    .replace(/"\s+([^"]*?)\s+"/g, '"$1"')
    .replace(/ ([,.;:!?])/g, '$1')
    .trim();
}
