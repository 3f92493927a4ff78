/** Flags and meaning of options that several commands take; light, since the help of `announce` loads them. */
export const brandOption = [
  '--brand <name>',
  'name of script, stylesheet and logo (default: typebadge)',
] as const;
export const logoOption = ['--logo <file>', 'logo of your own, SVG or PNG of at most 32 KiB'] as const;
export const publicUrlOption = [
  '--public-url <url>',
  'public URL, perhaps with a path, for feeds and tags',
] as const;
