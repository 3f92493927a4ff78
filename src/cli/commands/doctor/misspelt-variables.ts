import cluster from 'node:cluster';
import { toVisible } from '../../../kit/visible-text.ts';
import { serveOptions } from '../../serving/serve-options.ts';
import { checkVariables } from './known-variables.ts';

/** A line for each variable that was probably meant to be another; none in a worker, whose parent has said it. */
export function warningsOfVariables(env: NodeJS.ProcessEnv): string[] {
  if (!cluster.isPrimary) return [];
  const ofOptions = serveOptions().map(({ envVar = '' }) => envVar);
  return checkVariables(env, ofOptions).flatMap(({ message, fix }) =>
    fix === undefined ? [] : `Warning: ${toVisible(message)} ${fix}`,
  );
}
