import type { PublicAnnouncement } from '../../src/announcements/announcement.ts';
import { withDrawnParts } from '../../src/announcements/presentation.ts';
import { plainText } from '../../src/announcements/values/markdown.ts';
import { element, find } from './elements.ts';
import type { PreviewMessage } from './preview.ts';
import type { Parts } from './written.ts';

const frame = find('iframe', HTMLIFrameElement);
const language = find('#preview-language', HTMLSelectElement);
/** Screen readers read each new badge aloud, so it waits for a pause in typing. In milliseconds. */
const pause = 250;

let shown: Parts = {};
let timer: ReturnType<typeof setTimeout> | undefined;

/** Shows an announcement in the preview, in the language chosen there. */
export function showPreview(parts: Parts): void {
  shown = parts;
  const languages = ['', ...Object.keys(parts.translations ?? {}).filter((tag) => tag !== '')];
  const chosen = languages.includes(language.value) ? language.value : '';
  language.hidden = languages.length === 1;
  language.replaceChildren(
    ...languages.map((tag) => element('option', { value: tag }, tag || 'Without translation')),
  );
  language.value = chosen;
  clearTimeout(timer);
  timer = setTimeout(send, pause);
}

function send(): void {
  const { audience: _, at: __, expires: ___, translations = {}, ...words } = shown;
  const times = { published: '2020-01-01T00:00:00Z', expires: '2999-01-01T00:00:00Z' };
  const { message, ...rest } = spelled(words);
  const chosen = (translations as Readonly<Record<string, Parts>>)[language.value];
  const announcement: object = {
    ...{ link: '', ...rest, ...times, message, id: 'preview' },
    ...(chosen === undefined ? {} : { translations: { [language.value]: spelled(chosen) } }),
  };
  const sent: PreviewMessage = {
    announcement: message ? withDrawnParts(announcement as PublicAnnouncement) : undefined,
    lang: language.value || 'und',
  };
  frame.contentWindow?.postMessage(sent, '*'); // to a document without an origin; it holds nothing secret
}

/** With the plain text of a formatted message, as the server stores it. */
function spelled(words: Parts): Parts {
  return typeof words.markdown === 'string' ? { ...words, message: plainText(words.markdown) } : words;
}

language.addEventListener('change', send);
addEventListener('message', ({ source }) => {
  if (source === frame.contentWindow) send();
});
