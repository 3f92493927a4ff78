import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type BidiConnection, connectBidi } from './bidi-connection.ts';
import { type EngineKind, fromExpression, type Tab, toExpression } from './engine.ts';
import { findMissing, newProfileFolder, startEngineProcess } from './engine-process.ts';
import { toClickActions, toKeyActions } from './input-actions.ts';

const PROGRAM = 'firefox-esr';

/** The element that shows the tab, in the browser's own window. */
const TAB = 'gBrowser.selectedBrowser';

/** Beside those that Firefox sets by itself under automation. */
const preferences = {
  'ui.prefersReducedMotion': 1,
  'ui.systemUsesDarkTheme': 1,
  'browser.startup.page': 0,
  'browser.shell.checkDefaultBrowser': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  // Tests talk to this machine only.
  'services.settings.server': 'data:,none',
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'app.normandy.enabled': false,
  'extensions.systemAddon.update.enabled': false,
};

/** Firefox speaks WebDriver BiDi itself; what that cannot do yet (media) is done in the browser's own window. */
export const firefoxEngine: EngineKind = {
  name: 'Firefox',
  missing: findMissing(PROGRAM),
  lacks: {},
  async start() {
    const profile = await newProfileFolder();
    const lines = Object.entries(preferences).map(
      ([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});\n`,
    );
    await writeFile(join(profile.path, 'user.js'), lines.join(''));
    const args = ['--headless', '--no-remote', '--profile', profile.path];
    const remote = ['--remote-debugging-port', '0', '--remote-allow-system-access'];
    const firefox = await startEngineProcess(PROGRAM, [...args, ...remote], /BiDi listening on (ws:\S+)/, {
      ...process.env,
      HOME: profile.path,
    });
    const bidi = await connectBidi(`${firefox.said}/session`);
    await bidi.send('session.new', { capabilities: {} });
    const window = await findContext(bidi, { 'moz:scope': 'chrome' });
    // At its start the address bar has the focus, and buttons of a page without it take no keys.
    await evaluate(bidi, window, `${TAB}.focus()`);
    return {
      tab: toTab(bidi, await findContext(bidi), window),
      async close() {
        await bidi.send('browser.close');
        await firefox.stop();
        bidi.close();
        await profile.remove();
      },
    };
  },
};

/** The first tab; or, in the scope of the browser's own pages, the window around it. */
async function findContext(bidi: BidiConnection, scope: object = {}): Promise<string> {
  const tree = await bidi.send<{ contexts: { context: string }[] }>('browsingContext.getTree', scope);
  return tree.contexts[0]?.context ?? '';
}

interface Evaluation {
  readonly result?: { readonly value?: unknown };
  readonly exceptionDetails?: { readonly text: string };
}

async function evaluate(bidi: BidiConnection, context: string, expression: string): Promise<unknown> {
  const params = { expression, target: { context }, awaitPromise: true };
  const { result, exceptionDetails } = await bidi.send<Evaluation>('script.evaluate', params);
  if (exceptionDetails !== undefined) throw new Error(exceptionDetails.text);
  return result?.value;
}

function toTab(bidi: BidiConnection, context: string, window: string): Tab {
  const act = (actions: readonly object[]) => bidi.send<void>('input.performActions', { context, actions });
  return {
    go: (url) => bidi.send('browsingContext.navigate', { context, url, wait: 'complete' }),
    run: async (task, ...values) => fromExpression(await evaluate(bidi, context, toExpression(task, values))),
    clickAt: (x, y) => act(toClickActions(x, y)),
    press: (key) => act(toKeyActions(key)),
    async showAs({ colorScheme, forcedColors, print }) {
      const overrides = {
        prefersColorSchemeOverride: colorScheme,
        forcedColorsOverride: forcedColors ? 'active' : 'none',
        mediumOverride: print ? 'print' : '',
      };
      const changes = JSON.stringify(overrides);
      await evaluate(bidi, window, `void Object.assign(${TAB}.browsingContext, ${changes})`);
    },
  };
}
