import type { PublicAnnouncement } from '../../announcements/announcement.ts';

type Labels = Readonly<Record<string, string>>;

/** What readers of a language, by its BCP 47 tag, call each severity above information. */
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

/**
 * The announcement with the word for its severity in each translation, where this server knows it. The badge would be too
 * large with all languages in it, and a reader needs one.
 */
export function withSeverityLabels(announcement: PublicAnnouncement): PublicAnnouncement {
  const { severity, translations } = announcement;
  if (severity === undefined || translations === undefined) return announcement;
  const labelled = Object.entries(translations).map(([language, words]) => {
    const severityLabel = findLabels(language)?.[severity];
    return [language, severityLabel === undefined ? words : { ...words, severityLabel }];
  });
  return { ...announcement, translations: Object.fromEntries(labelled) };
}

/** Those of the language itself, else of the one it is a kind of: `de-AT` is `de`. */
function findLabels(language: string): Labels | undefined {
  if (Object.hasOwn(labelsOf, language)) return labelsOf[language];
  const end = language.lastIndexOf('-');
  return end < 0 ? undefined : findLabels(language.slice(0, end));
}
