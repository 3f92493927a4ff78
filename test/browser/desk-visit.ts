import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { newEditors } from '../support/editors.ts';
import { startTestServer, type TestServer, type TestServerOptions } from '../support/test-server.ts';
import { type Visit, visit } from './embedding.ts';

/** A server with two editors, for one test. */
export interface Desk {
  readonly server: TestServer;
  readonly tokens: Readonly<Record<'ada' | 'bob', string>>;
  /** The public history, as readers get it. */
  history(): Promise<{ id: string; message: string }[]>;
  /** What the badge shows now. */
  active(): Promise<Record<string, unknown>[]>;
}

export async function startDesk({ files, ...options }: TestServerOptions = {}): Promise<Desk> {
  const { tokens, text } = newEditors('ada', 'bob');
  const server = await startTestServer({ ...options, files: { 'editors.json': text, ...files } });
  onTestFinished(() => server.close());
  const read = async (path: string) =>
    ((await (await fetch(server.url + path)).json()) as { announcements: never[] }).announcements;
  return {
    server,
    tokens,
    history: () => read('/content/history.json'),
    active: () => read('/content/active.json'),
  };
}

/** Opens the desk and signs in. */
export async function signIn(
  browser: Browser,
  { server, tokens }: Desk,
  {
    name = 'ada' as 'ada' | 'bob',
    url = server.url,
    ...options
  }: BrowserContextOptions & {
    name?: 'ada' | 'bob';
    url?: string;
  } = {},
): Promise<Visit> {
  const visited = await visit(browser, `${url}/desk`, { timezoneId: 'Europe/Berlin', ...options });
  const { page } = visited;
  await page.getByLabel('Token').fill(tokens[name]);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Announcements' }).waitFor();
  return visited;
}

/** The list under a heading: `Active`, `Scheduled` or `Past`. */
export function listOf(page: Page, state: string) {
  return page.getByRole('region', { name: state, exact: true }).getByRole('listitem');
}

/** Opens the form for a new announcement and types a message. */
export async function startWriting(page: Page, message: string): Promise<void> {
  await page.getByRole('link', { name: 'New announcement' }).click();
  await messageOf(page).fill(message);
}

/** The field for the message itself, not for a translation. */
export function messageOf(page: Page) {
  return page.locator('#message');
}

/** Opens the form for an announcement with these words. */
export async function startEditing(page: Page, message: string): Promise<void> {
  await page.getByRole('link', { name: `Edit: ${message}` }).click();
  await page.getByRole('heading', { name: /^Edit/ }).waitFor();
}

/** Waits for what the page says was done. */
export async function untilSaid(page: Page, text: string | RegExp): Promise<void> {
  await page.getByRole('status').getByText(text).waitFor();
}

/** The badge in the preview. */
export function previewOf(page: Page) {
  return page.frameLocator('iframe').locator('type-badge');
}

/** Waits until the badge in the preview says something. */
export async function untilPreview(page: Page, text: string): Promise<void> {
  await expect
    .poll(() => previewOf(page).locator('[part=words]').innerText(), { timeout: 15_000 })
    .toContain(text);
}
