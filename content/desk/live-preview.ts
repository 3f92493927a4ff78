import { element, find } from './elements.ts';
import type { PreviewMessage } from './preview.ts';
import type { Parts } from './written.ts';

const frame = find('iframe', HTMLIFrameElement);
const language = find('#preview-language', HTMLSelectElement);
/** Screen readers read each new badge, so it waits for a pause in typing. In milliseconds. */
const pause = 250;

let shown: Parts = {};
let timer: ReturnType<typeof setTimeout> | undefined;

/** Shows an announcement in the preview, in the language that was chosen there. */
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
  const { audience: _, at: __, expires: ___, ...words } = shown;
  const times = { published: '2020-01-01T00:00:00Z', expires: '2999-01-01T00:00:00Z' };
  const translations = language.value === '' ? undefined : words.translations;
  const announcement = { link: '', ...words, ...times, translations, id: 'preview' };
  const message: PreviewMessage = {
    announcement: words.message ? announcement : undefined,
    lang: language.value || 'und',
  };
  frame.contentWindow?.postMessage(message, '*'); // to a document without an origin; it holds nothing secret
}

language.addEventListener('change', send);
addEventListener('message', ({ source }) => {
  if (source === frame.contentWindow) send();
});
