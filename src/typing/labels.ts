/**
 * What a client may say about its rounds, once for a session or with an uploaded round: it is stored with each
 * of them and returned. Requests, stores, answers and exports follow this list.
 */
export const labels = {
  client: { maxLength: 40, meaning: 'What it was typed with, if the client said so.' },
} as const;

type LabelName = keyof typeof labels;
export type Labels = Readonly<Record<LabelName, string | undefined>>;
type GivenLabels = { readonly [Name in LabelName]?: string };

const labelNames = Object.keys(labels) as LabelName[];

/** An entry for each label. */
export function labelEntries<T>(make: (label: (typeof labels)[LabelName], name: LabelName) => T) {
  const entries = labelNames.map((name) => [name, make(labels[name], name)]);
  return Object.fromEntries(entries) as Record<LabelName, T>;
}

export function labelsFrom(request: GivenLabels): Labels {
  return labelEntries((_, name) => request[name]);
}

export function givenLabels(round: Labels): GivenLabels {
  const given = labelNames.filter((name) => round[name] !== undefined);
  return Object.fromEntries(given.map((name) => [name, round[name]]));
}
