/** Where the assets are; the base URL ends in a slash. */
export interface Source {
  readonly base: string;
  readonly brand: string;
}

/** Named as the script's data attributes are: `hideEmpty` is `data-hide-empty`. */
export interface BadgeOptions {
  readonly position?: 'top-left' | 'top-right' | 'bottom-left' | 'bottom-right';
  readonly theme?: 'auto' | 'light' | 'dark';
  readonly collapsed?: boolean | string;
  readonly hideEmpty?: boolean | string;
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

/** An attribute without a value is on; `false` and `off` are off, as words and as values. */
export function isOn(option: boolean | string | undefined): boolean {
  return option != null && !/^(false|off)$/.test(`${option}`);
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
