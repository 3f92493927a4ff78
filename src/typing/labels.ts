/**
 * What a client may say about its rounds, once for a session or with an uploaded round: it is stored with each
 * of them and told again. Requests, stores, answers and exports follow this list.
 */
export const labels = [
  {
    /** In a stored round, and so in an export. */
    name: 'clientName',
    wireName: 'client',
    maxLength: 40,
    meaning: 'What it was typed with, if the client said so.',
  },
] as const;

type Label = (typeof labels)[number];

export type Labels = Readonly<Record<Label['name'], string | undefined>>;
type WireLabels = { readonly [Name in Label['wireName']]?: string };

/** A value for each label, by its name in the stores (`name`) or on the wire (`wireName`). */
export function labelRecord<Key extends 'name' | 'wireName', T>(key: Key, make: (label: Label) => T) {
  const entries = labels.map((label) => [label[key], make(label)]);
  return Object.fromEntries(entries) as Record<Label[Key], T>;
}

export function labelsFrom(request: WireLabels): Labels {
  return labelRecord('name', ({ wireName }) => request[wireName]);
}

/** Only those that were given. */
export function wireLabels(given: Labels): WireLabels {
  const known = labels.filter(({ name }) => given[name] !== undefined);
  return Object.fromEntries(known.map(({ name, wireName }) => [wireName, given[name]]));
}
