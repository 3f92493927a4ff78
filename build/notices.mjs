// The licences of the libraries that a bundle is made of, as they ask to be passed on with it.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const licenceFile = /^(?:licen[cs]e|copying|notice)/i;

/** The notices for a bundle of these files. */
export async function toNotices(inputs) {
  const folders = [...new Set(inputs.flatMap(toPackageFolder))].sort();
  const notices = await Promise.all(folders.map(toNotice));
  const mit = await readFile('build/licences/MIT.txt', 'utf8');
  const head = `typebadge contains these ${folders.length} libraries, in whole or in part. The terms of the MIT License, which most of them have, are:\n\n${mit}`;
  return [head, ...notices.map((notice) => withoutTerms(notice, mit))].join(`\n${'-'.repeat(80)}\n\n`);
}

/** The terms are said once, above, as long as these are the same word for word. */
function withoutTerms(notice, mit) {
  const terms = mit.trim().split(/\s+/).map(escapeForPattern).join('\\s+');
  return notice.replace(new RegExp(terms), 'Permission is granted on the terms of the MIT License, above.');
}

function escapeForPattern(text) {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/** `node_modules/a/node_modules/@b/c/index.js` belongs to the package in `node_modules/a/node_modules/@b/c`. */
function toPackageFolder(input) {
  const folder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0];
  return folder === undefined ? [] : [folder];
}

async function toNotice(folder) {
  const { name, version, license, repository, author } = JSON.parse(
    await readFile(join(folder, 'package.json'), 'utf8'),
  );
  const files = (await readdir(folder)).filter((file) => licenceFile.test(file)).sort();
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  const body = texts.length > 0 ? texts.join('\n') : await readStandard(license, author);
  const source = typeof repository === 'string' ? repository : repository?.url;
  return `${name} ${version} (${license})\n${source ?? ''}\n\n${body}\n`;
}

/** Some packages name their licence, but leave out its text. Rejects where there is none to take in its place. */
async function readStandard(licence, author) {
  const holder = typeof author === 'string' ? author : author?.name;
  return `Copyright ${holder}\n\n${await readFile(`build/licences/${licence}.txt`, 'utf8')}`;
}
