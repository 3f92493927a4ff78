import type { FieldProblem } from './api.ts';
import { element, find } from './elements.ts';

export type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

const form = find('#write form', HTMLFormElement);
export const translationRows = find('#translations', HTMLElement);
/** The fields with a text of the announcement itself. */
export const textFields = [...form.elements].filter(
  (field): field is Field =>
    'value' in field && (field as Field).name !== '' && (field as Field).type !== 'checkbox',
);

/** The fields of a translation; the first is its language. */
export function fieldsOf(row: Element): Field[] {
  return [...row.querySelectorAll<Field>('input, textarea')];
}

/** Puts each problem beside its field and moves to the first. */
export function showProblems(found: readonly FieldProblem[]): void {
  for (const note of form.querySelectorAll('.problem')) note.remove();
  for (const field of form.querySelectorAll('[aria-invalid]')) {
    field.removeAttribute('aria-invalid');
    describe(field, '');
  }
  for (const [index, { field: place, problem, fix }] of found.entries()) {
    const field = fieldAt(place);
    if (field === undefined) continue;
    const id = `problem-${index}`;
    const text = fix === undefined ? problem : `${problem}; ${fix}`;
    field.after(element('p', { class: 'problem', id }, text.charAt(0).toUpperCase() + text.slice(1)));
    field.setAttribute('aria-invalid', 'true');
    describe(field, id);
  }
  const first = form.querySelector<HTMLElement>('[aria-invalid]');
  first?.closest('details')?.setAttribute('open', '');
  first?.focus();
}

// A problem that is being corrected is not shown any longer.
form.addEventListener('input', ({ target: field }) => {
  if (!(field instanceof Element) || !field.matches('[aria-invalid]')) return;
  field.removeAttribute('aria-invalid');
  describe(field, '');
  if (field.nextElementSibling?.matches('.problem')) field.nextElementSibling.remove();
});

/** Names the problem of a field to screen readers, beside its hint. */
function describe(field: Element, problem: string): void {
  const hints = (field.getAttribute('aria-describedby') ?? '').split(' ').filter((id) => /-hint$/.test(id));
  field.setAttribute('aria-describedby', [...hints, problem].join(' ').trim());
}

/** The field of a problem such as `message`, `translations.de.link` or `audience.sites`. */
function fieldAt(place: string): Field | undefined {
  // A formatted message is typed in the same field as a plain one.
  const [name = '', part = '', inner = 'lang'] = place.replace('markdown', 'message').split('.');
  if (name === 'audience') return textFields.find((field) => field.name === (part || 'sites'));
  if (name !== 'translations') return textFields.find((field) => field.name === name);
  const row =
    [...translationRows.children].find((each) => fieldsOf(each)[0]?.value.trim() === part) ??
    translationRows.firstElementChild;
  return row === null ? undefined : fieldsOf(row).find((field) => field.name === inner);
}
