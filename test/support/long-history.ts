const languages = 'de fr es it pt nl sv da nb fi pl cs sk sl hr hu ro bg el ru'.split(' ');

/** A history of announcements and as many changes. The last one is the newest. In twenty languages, each has about 6 KB. */
export function newLongHistory(count: number, { isTranslated = true } = {}) {
  const translations = Object.fromEntries(
    languages.map((language) => [language, { message: 'x'.repeat(270) }]),
  );
  const announcements = Array.from({ length: count }, (_, at) => ({
    id: `n${at}`,
    message: `number ${at}`,
    link: '',
    published: '2026-01-01T00:00:00Z',
    expires: '2999-01-01T00:00:00Z',
    ...(isTranslated && { translations }),
  }));
  const changes = announcements.map((after) => ({
    at: after.published,
    by: 'ada',
    action: 'publish',
    id: after.id,
    before: null,
    after,
  }));
  return { version: 1, announcements, changes };
}
