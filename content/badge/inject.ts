import { showBadge } from './badge.ts';
import { type BadgeOptions, completeOptions, findOwnScript, report, type Source } from './options.ts';

declare const VERSION: string;

declare global {
  interface Document {
    readonly prerendering?: boolean;
  }
  interface Window {
    TypeBadge?: {
      readonly version: string;
      init(options?: BadgeOptions): void;
      destroy(): void;
    };
  }
}

const script = findOwnScript();
let life: AbortController | undefined;

function destroy(): void {
  life?.abort();
}

/** Shows the badge, and removes an earlier one. These options win over the script's attributes. */
function init(options?: BadgeOptions): void {
  destroy();
  life = new AbortController();
  const { signal } = life;
  const start = () => {
    // Nobody sees a prerendered page yet, and perhaps nobody will.
    if (document.prerendering) return document.addEventListener('prerenderingchange', start, { signal });
    try {
      const chosen = { ...(script?.dataset as BadgeOptions), ...options };
      showBadge(findSource(chosen.baseUrl), completeOptions(chosen), signal);
    } catch (problem) {
      report(problem); // a browser too old, or a wrong address, breaks no page
    }
  };
  start();
}

function findSource(baseUrl: string | undefined): Source {
  const src = script?.src ?? '';
  const base = baseUrl ? new URL(baseUrl, document.baseURI) : new URL('..', src);
  return {
    base: base.href.replace(/\/*$/, '/'),
    brand: /([\w-]+)-inject\.min\.js/.exec(src)?.[1] ?? 'typebadge',
  };
}

// The tag pasted twice, or run again by a page swap, is still one badge.
if (!window.TypeBadge?.version) {
  window.TypeBadge = { version: VERSION, init, destroy };
  init();
}
