import cluster from 'node:cluster';
import { findSimilar } from '../../../kit/similar-name.ts';
import { visibleText } from '../../../kit/visible-text.ts';
import { serveOptions } from '../../serving/serve-options.ts';
import { type Finding, note, problem } from './checks.ts';

/** Variables that are not options of `serve`. */
const otherVariables = [
  'TYPEBADGE_STORE_PASSWORD',
  'TYPEBADGE_STORE_PASSWORD_FILE',
  'TYPEBADGE_STORE_CA_FILE',
  'TYPEBADGE_STORE_CERT_FILE',
  'TYPEBADGE_STORE_KEY_FILE',
  'TYPEBADGE_WEBHOOK_SECRET',
  'TYPEBADGE_WEBHOOK_SECRET_FILE',
  'TYPEBADGE_SERVER',
  'TYPEBADGE_TOKEN',
  'TYPEBADGE_EDITOR',
  'TYPEBADGE_PROFILE',
  'TYPEBADGE_DEBUG',
];

/** Names each variable that looks like ours but is not read, with the one that was probably meant. */
export function checkVariables(env: NodeJS.ProcessEnv): Finding[] {
  const known = [...serveOptions().map(({ envVar = '' }) => envVar), ...otherVariables];
  const unknown = Object.keys(env).filter((name) => /^TYPE/i.test(name) && !known.includes(name));
  return unknown.sort().flatMap((name) => {
    const message = `${name} is not a variable that typebadge reads.`;
    const suggestion = findSimilar(name, known);
    if (suggestion !== undefined) return problem('settings', message, `Did you mean ${suggestion}?`);
    return name.startsWith('TYPEBADGE_') ? note('settings', message) : [];
  });
}

/** A line for each variable that is probably misspelt; none in a worker, whose parent has printed them. */
export function warningsOfVariables(env: NodeJS.ProcessEnv): string[] {
  if (!cluster.isPrimary) return [];
  return checkVariables(env).flatMap(({ message, fix }) =>
    fix === undefined ? [] : `Warning: ${visibleText(message)} ${fix}`,
  );
}
