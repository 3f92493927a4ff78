import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { presetOf } from '../../src/announcements/fields.ts';
import { plainNames } from '../../src/announcements/plain-values.ts';
import { newEditors } from '../support/editors.ts';
import { startTestServer } from '../support/test-server.ts';
import { newCommandLine } from './command-line.ts';

const entry = {
  id: 'a',
  message: 'We moved',
  link: 'https://example.org/',
  published: '2026-01-01T00:00:00Z',
  expires: '2999-01-01T00:00:00Z',
  severity: 'warning',
  translations: { de: { message: 'Umgezogen' } },
  audience: { paths: ['/docs/*'] },
};

const line = newCommandLine({ 'history.json': { announcements: [entry] } });

/** An editor is a shell script, which gets the path as its last argument. */
async function edit(script: string, ...more: string[]) {
  await line.write('editor.sh', `#!/bin/sh\n${script}\n`);
  return editWith({ EDITOR: `sh ${join(line.dir, 'editor.sh')}` }, ...more);
}

function editWith(variables: Record<string, string>, ...more: string[]) {
  const env = { EDITOR: '', VISUAL: '', TMPDIR: line.dir, ...variables };
  return line.run(['announce', 'edit', 'a', '--editor', ...more], { env });
}

const readAll = () => line.read('history.json');
const stored = async () => (await readAll()).announcements[0];

/** Where the sentence says that the text is. */
async function readKept(sentence: string): Promise<string> {
  const [path = ''] = /\S+typebadge-edit-\w+\/a\.json/.exec(sentence) ?? [];
  return readFile(path, 'utf8');
}

describe('announce edit --editor', () => {
  test('opens the announcement as a file, and applies what was edited as one change that undo reverts', async () => {
    const seen = join(line.dir, 'seen.json');
    const { code, stdout } = await edit(
      `cp "$1" ${seen}; sed -i -e 's/"We moved"/"We have moved: to Bonn # 5"/' -e 's/"warning"/"critical"/' -e 's/"dismissible": true/"dismissible": false/' -e 's/"de": {/"pt-br": {/' -e 's/Umgezogen/Mudamos/' -e 's/"sites": \\[\\]/"sites": ["https:\\/\\/example.org", "https:\\/\\/*.example.org"]/' "$1"`,
    );
    expect([code, stdout]).toEqual([0, expect.stringContaining('✔ Changed a: it is active, ')]);
    const { translations: _, ...rest } = entry;
    expect(await stored()).toEqual({
      ...rest,
      message: 'We have moved: to Bonn # 5',
      severity: 'critical',
      dismissible: false,
      translations: { 'pt-BR': { message: 'Mudamos' } },
      audience: { paths: ['/docs/*'], sites: ['https://example.org', 'https://*.example.org'] },
    });
    const text = await readFile(seen, 'utf8');
    const { id: _id, published: _published, ...shown } = entry;
    expect(JSON.parse(text.replace(/^#.*$/gm, ''))).toEqual({
      ...Object.fromEntries(plainNames.map((name) => [name, presetOf(name)])),
      ...shown,
      ...{ expires: '2999-01-01 00:00', alongside: false, dismissible: true, linkLabel: null },
      markdown: undefined,
      audience: { sites: [], paths: ['/docs/*'] },
    });
    await line.run('announce undo');
    expect(await stored()).toEqual(entry);
  });

  test('a file that was unchanged, only saved or only reformatted changes nothing and leaves nothing behind', async () => {
    for (const script of ['true', 'touch "$1"', `sed -i -e 's/$/  \\r/' -e 's/^#.*//' "$1"`]) {
      const { code, stdout } = await edit(script);
      expect([script, code, stdout]).toEqual([
        script,
        0,
        expect.stringContaining('Nothing to change: a already is'),
      ]);
      expect(await readAll()).toEqual({ announcements: [entry] });
    }
    expect((await line.run('announce validate')).code).toBe(0);
  });

  test('an error is named with its line, nothing changes, and the text is kept where the sentence says', async () => {
    const { code, stderr } = await edit(
      `sed -i -e 's/2999.*"/"/' -e 's/"warning"/"loud"/' -e 's/.docs.\\*/docs/' -e 's/"message": "Umg/"massage": "Umg/' -e 's/"alongside": false/"alongside": "no"/' "$1"`,
    );
    expect(code).toBe(2);
    expect(await readAll()).toEqual({ announcements: [entry] });
    const kept = (await readKept(stderr)).split('\n');
    const at = kept.findIndex((text) => text.includes('"alongside"')) + 1;
    expect(stderr).toContain(`line ${at}: alongside: must be true or false`);
    const again = await edit(
      `sed -i -e 's/2999[^"]*"/"/' -e 's/"warning"/"loud"/' -e 's/.docs.\\*/docs/' -e 's/"message": "Umg/"massage": "Umg/' "$1"`,
    );
    for (const [start, problem] of [
      ['"expires":', 'expires: "" is not a recognised time'],
      ['"severity":', 'severity: "loud" is not a severity'],
      ['"paths":', 'audience.paths: "docs" is not a path'],
      ['"de":', 'translations.de: the translation for de has no part "massage"'],
    ] as const) {
      const at = kept.findIndex((text) => text.trim().startsWith(start)) + 1;
      expect(again.stderr).toContain(`line ${at}: ${problem}`);
    }
    const unknown = await edit(`sed -i 's/"severity"/"urgency"/' "$1"`);
    expect(unknown.stderr).toContain('urgency: there is no such field; there are message, markdown, link');
    expect((await edit(`sed -i 's/"severity"/severity/' "$1"`)).stderr).toMatch(
      /line \d+: this is not valid JSON/,
    );
  });

  test.each([
    ['an editor that fails leaves everything as it is', 'exit 3', 1, 'failed (3)', false],
    ['an editor that fails after writing keeps the text', 'echo "{}" > "$1"; exit 3', 1, 'failed (3)', true],
    ['a file that is gone', 'rm "$1"', 1, 'the editor removed the file', false],
    ['a pipe in its place', 'rm "$1"; mkfifo "$1"', 1, 'cannot be read: it is a pipe or a device', false],
    ['a file that is not text', `printf '\\377' > "$1"`, 1, 'is not UTF-8 text', true],
  ])('%s', async (_, script, status, problem, isKept) => {
    const { code, stderr } = await edit(script);
    expect([code, stderr]).toEqual([status, expect.stringContaining(problem)]);
    expect(await readAll()).toEqual({ announcements: [entry] });
    const [path = join(line.dir, 'none')] = /\S+typebadge-edit-\w+\/a\.json/.exec(stderr) ?? [];
    expect(existsSync(path)).toBe(isKept);
  });

  test.each([
    [{}, [], 'set VISUAL or EDITOR'],
    [{ EDITOR: 'no-such-editor' }, [], 'cannot be started'],
    [{ EDITOR: 'true' }, ['--message', 'x'], '--editor is for people'],
    [{ EDITOR: 'true' }, ['--json'], '--editor is for people'],
  ])('%j with %j is wrong usage', async (variables, more, problem) => {
    const { code, stdout, stderr } = await editWith(variables, ...more);
    expect([code, stdout + stderr]).toEqual([2, expect.stringContaining(problem)]);
  });

  test('VISUAL takes precedence over EDITOR, and both may have options', async () => {
    const { stdout } = await editWith({ VISUAL: "sed -i -e 's/We moved/by VISUAL/'", EDITOR: 'false' });
    expect(stdout).toContain('by VISUAL');
    expect((await stored()).message).toBe('by VISUAL');
  });

  test('a change that another editor made in the meantime is not overwritten, and the text is kept', async () => {
    const other = JSON.stringify({ announcements: [{ ...entry, message: 'By Ben' }] });
    const { code, stderr } = await edit(
      `sed -i 's/We moved/By Ada/' "$1"; echo '${other}' > ${join(line.dir, 'history.json')}`,
    );
    expect([code, stderr]).toEqual([1, expect.stringContaining('was changed meanwhile')]);
    expect((await stored()).message).toBe('By Ben');
    expect(await readKept(stderr)).toContain('"message": "By Ada"');
  });

  test('works on a server as on a folder, and keeps the text if the server refuses it', async () => {
    const { tokens, text } = newEditors('anna');
    const server = await startTestServer({
      files: { 'history.json': { announcements: [entry] }, 'editors.json': text },
    });
    const remote = { TYPEBADGE_CONTENT: '', TYPEBADGE_SERVER: server.url, TYPEBADGE_TOKEN: tokens.anna };
    const { code, stdout } = await editWith({
      ...remote,
      EDITOR: "sed -i -e 's/We moved/By Anna/' -e '/docs/d'",
    });
    expect([code, stdout]).toEqual([0, expect.stringContaining('By Anna')]);
    const file = JSON.parse(await readFile(join(server.contentDir, 'history.json'), 'utf8'));
    expect(file.announcements[0]).toMatchObject({ message: 'By Anna', severity: 'warning' });
    expect(file.announcements[0]).not.toHaveProperty('audience');
    const log = await readFile(join(server.contentDir, 'changes.jsonl'), 'utf8');
    expect(JSON.parse(log).by).toBe('anna');
    const others = join(line.dir, 'others.json');
    await writeFile(others, newEditors('ben').text);
    const late = await editWith({
      ...remote,
      EDITOR: `cp ${others} ${join(server.contentDir, 'editors.json')}; sed -i -e s/Anna/Zoe/`,
    });
    expect([late.code, late.stderr]).toEqual([1, expect.stringContaining('does not accept your token')]);
    expect(await readKept(late.stderr)).toContain('"message": "By Zoe"');
    await server.close();
  });
});
