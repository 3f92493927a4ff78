import { resolve } from 'node:path';
import { readLogo } from '../../../server/badge/pictures/logo.ts';
import type { ServeConfig } from '../../../server/settings/config.ts';
import type { CommandIo } from '../../program/command-io.ts';
import { readWebhookSecret } from '../../serving/webhook-secret.ts';
import { type Finding, ok, problem, reasonOf } from './finding.ts';

/** What settings name and a start reads: the logo, and the secret of the webhooks. */
export async function checkNamed({ logo, brand, webhook }: ServeConfig, io: CommandIo): Promise<Finding[]> {
  return [...(await checkLogo(logo, brand, io.cwd)), ...checkSecret(webhook.length > 0, io.env)];
}

async function checkLogo(logo: string | undefined, brand: string, cwd: string): Promise<Finding[]> {
  if (logo === undefined) return [];
  try {
    await readLogo({ file: resolve(cwd, logo), contentDir: undefined, brand });
    return [ok('settings', `The logo ${logo} can be used.`)];
  } catch (error) {
    const fix = 'Correct --logo: an SVG or PNG file of at most 32 KiB.';
    return [problem('settings', `${capitalize(reasonOf(error))}.`, fix)];
  }
}

function checkSecret(isNeeded: boolean, env: NodeJS.ProcessEnv): Finding[] {
  try {
    return readWebhookSecret(isNeeded, env) === undefined
      ? []
      : [ok('settings', 'Webhooks have a secret to sign with.')];
  } catch (error) {
    return [problem('settings', capitalize(reasonOf(error)))];
  }
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
