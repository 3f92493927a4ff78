import type { PublicAnnouncement } from './announcement.ts';
import type { Translation } from './values/translations.ts';

type Labels = Readonly<Record<string, string>>;

/** The words for each severity except `info`, by BCP 47 tag. */
const labelsOf: Readonly<Record<string, Labels>> = {
  ar: { success: 'تم بنجاح', warning: 'تحذير', critical: 'عاجل' },
  cs: { success: 'Hotovo', warning: 'Varování', critical: 'Kritické' },
  da: { success: 'Udført', warning: 'Advarsel', critical: 'Kritisk' },
  de: { success: 'Erfolg', warning: 'Warnung', critical: 'Kritisch' },
  es: { success: 'Éxito', warning: 'Aviso', critical: 'Crítico' },
  fr: { success: 'Succès', warning: 'Attention', critical: 'Critique' },
  he: { success: 'הצלחה', warning: 'אזהרה', critical: 'קריטי' },
  it: { success: 'Fatto', warning: 'Avviso', critical: 'Critico' },
  ja: { success: '成功', warning: '警告', critical: '重大' },
  nl: { success: 'Gelukt', warning: 'Waarschuwing', critical: 'Kritiek' },
  pl: { success: 'Sukces', warning: 'Ostrzeżenie', critical: 'Krytyczne' },
  pt: { success: 'Sucesso', warning: 'Aviso', critical: 'Crítico' },
  sv: { success: 'Klart', warning: 'Varning', critical: 'Kritiskt' },
  uk: { success: 'Успіх', warning: 'Попередження', critical: 'Критично' },
  zh: { success: '成功', warning: '警告', critical: '严重' },
  'zh-Hant': { success: '成功', warning: '警告', critical: '嚴重' },
};

interface LabelledTranslation extends Translation {
  /** What the severity is called in this language. */
  readonly severityLabel?: string;
}

/**
 * Adds the word for its severity to each translation of an announcement, if it is known here. All languages would make the
 * badge too large, and a reader needs only one.
 */
export function withSeverityLabels(announcement: PublicAnnouncement): PublicAnnouncement {
  const { severity, translations } = announcement;
  if (severity === undefined || translations === undefined) return announcement;
  return { ...announcement, translations: labelTranslations(announcement) };
}

/** The translations of an announcement, each with the word for its severity, if it is known here. */
export function labelTranslations({
  severity = 'info',
  translations = {},
}: PublicAnnouncement): Readonly<Record<string, LabelledTranslation>> {
  const labelled = Object.entries(translations).map(([language, words]) => {
    const severityLabel = findLabels(language)?.[severity];
    return [language, severityLabel === undefined ? words : { ...words, severityLabel }];
  });
  return Object.fromEntries(labelled);
}

/** The labels of the language itself, else of its parent: those of `de` for `de-AT`. */
function findLabels(language: string): Labels | undefined {
  if (Object.hasOwn(labelsOf, language)) return labelsOf[language];
  const end = language.lastIndexOf('-');
  return end < 0 ? undefined : findLabels(language.slice(0, end));
}
