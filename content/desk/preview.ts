// The document of the preview: shows the badge with what the desk sends. Sandboxed, it can read nothing.
import type {} from '../badge/inject.ts'; // what the script adds to window

/** Sent by the desk whenever something is typed. */
export interface PreviewMessage {
  /** As `active.json` has it, without an audience; undefined: nothing is announced. */
  readonly announcement: object | undefined;
  readonly lang: string;
}

let shown: PreviewMessage = { announcement: undefined, lang: 'en' };

const style = document.querySelector('template')?.content.textContent ?? '';

// Without an origin, no file of the server can be fetched: the page contains the stylesheet of the badge.
window.fetch = async (address) => {
  if (String(address).endsWith('.css'))
    return new Response(style, { headers: { 'Content-Type': 'text/css' } });
  return Response.json({ announcements: shown.announcement === undefined ? [] : [shown.announcement] });
};

addEventListener('message', ({ source, data }: MessageEvent<PreviewMessage>) => {
  if (source !== parent) return;
  shown = data;
  window.TypeBadge?.init({ analytics: 'off', lang: shown.lang });
});
// In the preview, links lead nowhere.
addEventListener('click', (event) => event.preventDefault());
addEventListener('load', () => parent.postMessage('preview is ready', '*'));
