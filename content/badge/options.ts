/** Where the assets are; the base URL ends in a slash. */
export interface Source {
  readonly base: string;
  readonly brand: string;
}

/** Named as the script's data attributes are: `showEmpty` is `data-show-empty`. */
export interface BadgeOptions {
  /** A corner for a card; `top` or `bottom` for a bar across the page. */
  readonly position?: 'top-left' | 'top-right' | 'bottom-left' | 'bottom-right' | 'top' | 'bottom';
  readonly theme?: 'auto' | 'light' | 'dark';
  readonly collapsed?: boolean | string;
  /** Shows the logo while there is no announcement. */
  readonly showEmpty?: boolean | string;
  readonly baseUrl?: string;
  readonly analytics?: boolean | string;
  /** The reader's language. Default: that of the page. */
  readonly lang?: string;
  readonly label?: string;
  readonly labelNew?: string;
  readonly labelDismiss?: string;
  /** Of the button that unfolds a long message. */
  readonly labelMore?: string;
  /** The words before an announcement that is more than information. */
  readonly success?: string;
  readonly warning?: string;
  readonly critical?: string;
}

/** Announcement, new, dismiss, read on: by language, English first. */
const WORDS: Record<string, string> = {
  en: 'Announcement|new|Dismiss|Read on',
  de: 'Ankündigung|neu|Schließen|Weiterlesen',
  es: 'Anuncio|nuevo|Cerrar|Leer más',
  fr: 'Annonce|nouvelle|Fermer|Lire la suite',
};

/** For a page's owner, not for its readers. */
export function report(problem: unknown): void {
  console.debug('typebadge:', problem);
}

/** The options with their defaults, labels in the reader's language. Logs unknown ones to the console. */
export function completeOptions(given: BadgeOptions): Required<BadgeOptions> {
  const lang = given.lang || document.documentElement.lang;
  const [label = '', labelNew = '', labelDismiss = '', labelMore = ''] = (
    WORDS[lang.slice(0, 2).toLowerCase()] ?? (WORDS.en as string)
  ).split('|');
  const defaults: Required<BadgeOptions> = {
    position: 'bottom-right',
    theme: 'auto',
    collapsed: false,
    showEmpty: false,
    baseUrl: '',
    analytics: true,
    lang,
    label,
    labelNew,
    labelDismiss,
    labelMore,
    success: '',
    warning: '',
    critical: '',
  };
  for (const name in given) if (!(name in defaults)) console.info(`typebadge: unknown ${name}`);
  return { ...defaults, ...given };
}

/** An attribute without a value is on; `false` and `off` are off, as words and as values. */
export function isOn(option: boolean | string): boolean {
  return !/^(false|off)$/.test(option as string);
}

/**
 * The script element that brought this code. Checked to be one, because an `<img name="currentScript">` in
 * the page would answer instead; a module has none, and is found by its name.
 */
export function findOwnScript(): HTMLScriptElement | null {
  const { currentScript } = document;
  return currentScript instanceof HTMLScriptElement
    ? currentScript
    : document.querySelector('script[src*="-inject.min.js"]');
}
