import { type Audience, parseAudience } from './audience.ts';
import { entriesOf, type FieldForm, type FormLines, newInput, problemOf } from './form-input.ts';

/** The audience on two lines: sites and paths. */
export const audienceForm: FieldForm<Audience> = {
  inputs: () => [
    newInput({
      name: 'site',
      label: 'Sites',
      hint: 'every site; or some, such as https://shop.example.org https://*.example.org',
      problemIn: (line) => problemIn({ sites: entriesOf(line) }),
    }),
    newInput({
      name: 'path',
      label: 'Pages',
      hint: 'every page there; or some, such as /docs/* /pricing',
      problemIn: (line) => problemIn({ paths: entriesOf(line) }),
    }),
  ],
  write: ({ sites = [], paths = [] } = {}) => ({ site: sites.join(' '), path: paths.join(' ') }),
  read: ({ site = '', path = '' }: FormLines) => {
    const [sites, paths] = [entriesOf(site), entriesOf(path)];
    if (sites.length + paths.length === 0) return null;
    return { ...(sites.length === 0 ? {} : { sites }), ...(paths.length === 0 ? {} : { paths }) };
  },
};

/** Without the name of the list, which the line's label has. */
function problemIn(audience: object): string | undefined {
  return problemOf(parseAudience(audience))?.replace(/^audience\.\w+:? /, '');
}
