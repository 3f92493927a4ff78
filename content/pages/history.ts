/** The script of the history page: shows texts and days in the reader's language and time zone. */
const { language } = navigator;

for (const time of document.querySelectorAll('time')) {
  const instant = new Date(time.dateTime);
  if (Number.isNaN(instant.getTime())) continue;
  const day = { day: 'numeric', month: 'short', year: 'numeric' } as const;
  time.lang = language;
  time.textContent = instant.toLocaleDateString(language, day);
  time.title = instant.toLocaleString(language, { dateStyle: 'long', timeStyle: 'long' });
}

// The reader's translation swaps places with the original words. The longest matching tag is the nearest.
for (const entry of document.querySelectorAll('li')) {
  const [nearest] = [...entry.querySelectorAll<HTMLElement>('.translation')]
    .filter(({ lang }) => `${language}-`.toLowerCase().startsWith(`${lang}-`.toLowerCase()))
    .sort((a, b) => b.lang.length - a.lang.length);
  const written = [...entry.querySelectorAll(':scope > :is(.message, .link)')] as HTMLElement[];
  const words = [...(nearest?.children ?? [])] as HTMLElement[];
  if (nearest === undefined) continue;
  for (const part of words) part.lang = nearest.lang;
  words[0]?.classList.add('message');
  written[0]?.classList.remove('message');
  nearest.lang = '';
  nearest.append(...written);
  entry.prepend(...words);
}
