import { Command } from 'commander';
import { newServeConfig, type ServeConfig } from '../../../server/settings/config.ts';
import type { Invocation } from '../../program/command-io.ts';
import { presentIn } from '../../program/report.ts';
import { serveOptions } from '../../serving/serve-options.ts';
import type { Setting } from './doctor-report.ts';

const notes = `
Takes the options and environment variables of "typebadge serve", shows each setting and where it comes from,
and tries what the server would need: folders, content, store, ports. Nothing is changed; passwords are not
shown. Exit codes: 0 nothing is wrong, 1 something is (the report says how to fix it), 2 wrong usage.

Examples:
  $ typebadge doctor
  $ typebadge doctor --port 9000 --store redis://127.0.0.1:6379
  $ typebadge doctor --json`;

export function createDoctorCommand(invocation: Invocation): Command {
  const command = new Command('doctor')
    .description('Checks a server’s settings and environment, and says how to fix what is wrong.')
    .addHelpText('after', notes);
  const options = serveOptions();
  // They cannot be restored from the parsed values.
  const texts = new Map<string, string>();
  for (const option of options) {
    const name = option.attributeName();
    const keep = (text = 'true') => texts.set(name, texts.has(name) ? `${texts.get(name)}, ${text}` : text);
    command.addOption(option).on(`option:${option.name()}`, keep).on(`optionEnv:${option.name()}`, keep);
  }
  command.option('--json', 'print the result as JSON, for programs');
  return command.action(async () => {
    const { json = false, ...given } = command.opts<Partial<ServeConfig> & { json?: boolean }>();
    const config = newServeConfig(given);
    const settings = options.map((option): Setting => {
      const name = option.attributeName();
      const source = sources[command.getOptionValueSource(name) ?? ''] ?? 'default';
      // The help of an option says its default; the data folder is that of this user.
      const [, usual] = /\(default: ([^;)]*)/.exec(option.description) ?? [];
      const value = source === 'default' ? usual : withoutSecrets(texts.get(name) ?? '');
      const shown = source === 'default' && name === 'data' ? config.data : value;
      return { name: option.name(), value: shown ?? null, source, variable: option.envVar ?? '' };
    });
    await presentIn(invocation, { json }, async (io) => {
      const { doctorReport } = await import('./doctor-report.ts');
      return doctorReport(settings, config, io);
    });
  });
}

const sources: Readonly<Record<string, Setting['source']>> = { cli: 'option', env: 'environment' };

/** Removes user names and passwords, and paths and queries of web addresses, which often hold a token. */
function withoutSecrets(text: string): string {
  return text.replaceAll(/:\/\/\S*@/g, '://…@').replaceAll(/(https?:\/\/[^/\s,?#]+)[/?#][^\s,]+/g, '$1/…');
}
