const entityTag = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g;

/**
 * Whether `If-None-Match` names this strong entity tag, or any (`*`). The comparison is weak (RFC 9110, section 13.1.2):
 * a cache that has weakened the tag still gets its 304. A malformed header matches nothing.
 */
export function isNoneMatchHit(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return (
    header === etag || parseEntityTags(header).some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag)
  );
}

/** Whether `If-Match` names this strong entity tag, or any. The comparison is strong: a weakened tag matches nothing. */
export function isMatchHit(header: string, etag: string): boolean {
  return parseEntityTags(header).some((tag) => tag === '*' || tag === etag);
}

function parseEntityTags(header: string): readonly string[] {
  const trimmed = header.trim();
  if (trimmed === '*') return ['*'];
  // If anything but tags, commas and white space remains, this is not a list of entity tags.
  return /[^\s,]/.test(trimmed.replace(entityTag, '')) ? [] : (trimmed.match(entityTag) ?? []);
}
