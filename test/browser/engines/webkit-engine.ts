import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../../support/redis/redis-process.ts';
import { type EngineKind, fromExpression, type Tab, toExpression } from './engine.ts';
import { findMissing, newProfileFolder, startEngineProcess } from './engine-process.ts';
import { toClickActions, toKeyActions } from './input-actions.ts';
import { type DriverSession, newDriverSession } from './webdriver-session.ts';

const DRIVER = 'WebKitWebDriver';
const DISPLAY_SERVER = 'Xvfb';

/** WebKitGTK in a display server of its own, as it has no mode without one. */
export const webkitEngine: EngineKind = {
  name: 'WebKitGTK',
  missing: findMissing(DRIVER, DISPLAY_SERVER),
  lacks: {
    'change of colour scheme': 'the scheme is that of the GTK theme it starts with, here the dark one',
    'forced colours': 'it has none',
    print: 'its driver neither prints nor shows a page as printed',
  },
  async start() {
    const profile = await newProfileFolder();
    await mkdir(join(profile.path, 'gtk-3.0'));
    await writeFile(join(profile.path, 'gtk-3.0/settings.ini'), '[Settings]\ngtk-enable-animations=0\n');
    const screen = ['-displayfd', '1', '-screen', '0', '1280x1024x24', '-nolisten', 'tcp'];
    const display = await startEngineProcess(DISPLAY_SERVER, screen, /^(\d+)\n/, process.env);
    const port = await freePort();
    const folders = { HOME: profile.path, XDG_CONFIG_HOME: profile.path, XDG_CACHE_HOME: profile.path };
    const look = { DISPLAY: `:${display.said}`, GTK_THEME: 'Adwaita:dark' };
    const driver = await startEngineProcess(DRIVER, [`--port=${port}`], undefined, {
      ...process.env,
      ...folders,
      ...look,
    });
    const session = await newDriverSession(`http://127.0.0.1:${port}`);
    return {
      tab: toTab(session),
      async close() {
        await session.end();
        await driver.stop();
        await display.stop();
        await profile.remove();
      },
    };
  },
};

function toTab({ send }: DriverSession): Tab {
  const act = async (actions: readonly object[]) => void (await send('POST', '/actions', { actions }));
  return {
    go: async (url) => void (await send('POST', '/url', { url })),
    run: async (task, ...values) => {
      const script = `return ${toExpression(task, values)}`;
      return fromExpression(await send('POST', '/execute/sync', { script, args: [] }));
    },
    clickAt: (x, y) => act(toClickActions(x, y)),
    press: (key) => act(toKeyActions(key)),
    showAs: () => Promise.reject(new Error('WebKitGTK cannot show a page in another way')),
  };
}
