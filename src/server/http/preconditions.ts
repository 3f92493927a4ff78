const entityTag = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g;

/**
 * Whether `If-None-Match` names this strong entity tag, or any (`*`). The comparison is weak (RFC 9110, section 13.1.2):
 * a cache that weakened the tag on its way still gets its 304. A malformed header names nothing.
 */
export function isNoneMatchHit(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header === etag) return true;
  const trimmed = header.trim();
  if (trimmed === '*') return true;
  const tags = trimmed.match(entityTag);
  if (tags === null) return false;
  // What remains beside tags, commas and white space is no list of entity tags.
  if (/[^\s,]/.test(trimmed.replace(entityTag, ''))) return false;
  return tags.some((tag) => (tag.startsWith('W/') ? tag.slice(2) : tag) === etag);
}
