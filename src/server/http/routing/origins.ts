import {
  isAllowedBy,
  isLoopbackOrigin,
  type OriginPattern,
  parseOrigin,
} from '../../../kit/origin-pattern.ts';

export interface OriginList {
  /** The entry that allows this value of an `Origin` header; undefined if none does. */
  match(origin: string): string | undefined;
}

export interface OriginListOptions {
  readonly patterns: readonly OriginPattern[];
  /** Whether loopback origins with any port count as listed. Default: false. */
  readonly loopback?: boolean;
}

const rememberedOrigins = 1_000;

/** Compares parsed parts, never text with a regular expression. A bounded number of verdicts is cached. */
export function createOriginList({ patterns, loopback = false }: OriginListOptions): OriginList {
  const verdicts = new Map<string, string | undefined>();

  const judge = (text: string): string | undefined => {
    // Browsers send hosts as in DNS (RFC 6454, section 6.2). Escapes and other alphabets are never legitimate, and would be
    // echoed in the answer.
    const origin = /^[!-$&-~]+$/.test(text) ? parseOrigin(text) : undefined;
    if (origin === undefined) return undefined;
    if (loopback && isLoopbackOrigin(origin)) return 'loopback';
    return patterns.find((pattern) => isAllowedBy(pattern, origin))?.entry;
  };

  return {
    match(origin) {
      const known = verdicts.get(origin);
      if (known !== undefined || verdicts.has(origin)) return known;
      const verdict = judge(origin);
      if (verdicts.size >= rememberedOrigins) verdicts.clear();
      if (origin.length <= 300) verdicts.set(origin, verdict);
      return verdict;
    },
  };
}
