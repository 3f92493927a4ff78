/** From the least important, the default, to the most. */
export const severities = ['info', 'success', 'warning', 'critical'] as const;
export type Severity = (typeof severities)[number];

export function importanceOf(severity: Severity | undefined): number {
  return severity === 'critical' ? 2 : severity === 'warning' ? 1 : 0;
}

type Level = Exclude<Severity, 'info'>;

/** The words that readers see before an announcement, by BCP 47 tag. */
const labels: Readonly<Record<string, Readonly<Record<Level, string>>>> = {
  ar: { success: 'خبر سار', warning: 'تحذير', critical: 'عاجل' },
  cs: { success: 'Dobrá zpráva', warning: 'Varování', critical: 'Kritické' },
  da: { success: 'Godt nyt', warning: 'Advarsel', critical: 'Kritisk' },
  de: { success: 'Gute Nachricht', warning: 'Warnung', critical: 'Kritisch' },
  en: { success: 'Good news', warning: 'Warning', critical: 'Critical' },
  es: { success: 'Buenas noticias', warning: 'Aviso', critical: 'Crítico' },
  fr: { success: 'Bonne nouvelle', warning: 'Attention', critical: 'Critique' },
  he: { success: 'חדשות טובות', warning: 'אזהרה', critical: 'קריטי' },
  it: { success: 'Buone notizie', warning: 'Avviso', critical: 'Critico' },
  ja: { success: 'うれしいお知らせ', warning: '警告', critical: '重大' },
  nl: { success: 'Goed nieuws', warning: 'Waarschuwing', critical: 'Kritiek' },
  pl: { success: 'Dobra wiadomość', warning: 'Ostrzeżenie', critical: 'Krytyczne' },
  pt: { success: 'Boas notícias', warning: 'Aviso', critical: 'Crítico' },
  sv: { success: 'Goda nyheter', warning: 'Varning', critical: 'Kritiskt' },
  uk: { success: 'Гарна новина', warning: 'Попередження', critical: 'Критично' },
  zh: { success: '好消息', warning: '警告', critical: '严重' },
  'zh-Hant': { success: '好消息', warning: '警告', critical: '嚴重' },
};

/** The word for a severity in a language or its parent (`de` for `de-AT`); undefined for `info`. */
export function severityLabel(severity: Severity | undefined, language = 'en'): string | undefined {
  if (severity === undefined || severity === 'info') return undefined;
  if (Object.hasOwn(labels, language)) return labels[language]?.[severity];
  const end = language.lastIndexOf('-');
  return end < 0 ? undefined : severityLabel(severity, language.slice(0, end));
}
