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
  const [written] = entry.children;
  if (nearest === undefined || written === undefined) continue;
  nearest.querySelector('bdi')?.remove();
  // It has a link only if that is another one.
  if (nearest.children.length === 1) nearest.append(...[...written.children].slice(1));
  nearest.replaceWith(written);
  entry.prepend(nearest);
  for (const block of [nearest, written]) {
    block.classList.toggle('translation');
    block.firstElementChild?.classList.toggle('message');
  }
}

const names = new Intl.DisplayNames(language, { type: 'language' });
for (const tag of document.querySelectorAll('bdi')) {
  tag.lang = language;
  tag.textContent = names.of(tag.textContent) ?? tag.textContent;
}
