import { readFileSync } from 'node:fs';
import { parseWebhookSecret } from '../../server/webhooks/signature.ts';
import { UsageError } from '../program/command-errors.ts';

const variable = 'TYPEBADGE_WEBHOOK_SECRET';

/** What webhooks are signed with; needed where there are any. It comes from the environment or a file alone, so that `ps` never shows it. */
export function readWebhookSecret(isNeeded: boolean, env: NodeJS.ProcessEnv): Buffer | undefined {
  if (!isNeeded) return undefined;
  const text = env[variable] || readSecretFile(env[`${variable}_FILE`]);
  if (text === undefined) {
    throw new UsageError(
      `--webhook needs a secret to sign with, which its receivers know: set ${variable} or ${variable}_FILE. Make one with: echo "whsec_$(openssl rand -base64 32)"`,
    );
  }
  const parsed = parseWebhookSecret(text);
  if ('problem' in parsed) throw new UsageError(`the secret in ${variable} is not valid: ${parsed.problem}`);
  return parsed.secret;
}

function readSecretFile(file: string | undefined): string | undefined {
  if (file === undefined || file === '') return undefined;
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UsageError(`the file of ${variable}_FILE cannot be read (${code ?? message}).`);
  }
}
