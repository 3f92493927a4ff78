/** The history page's own script: days as the reader's clock has them, with the time to hover over. */
const { lang } = document.documentElement;
for (const time of document.querySelectorAll('time')) {
  const instant = new Date(time.dateTime);
  if (Number.isNaN(instant.getTime())) continue;
  time.textContent = instant.toLocaleDateString(lang, { day: 'numeric', month: 'short', year: 'numeric' });
  time.title = instant.toLocaleString(lang, { dateStyle: 'long', timeStyle: 'long' });
}
