// Makes english.txt again, to the byte, from the two lists named in LICENSE:
//
//   npm pack @scure/bip39@2.4.0 && tar xzf scure-bip39-2.4.0.tgz package/wordlists/english.js
//   apt-get download scowl=2020.12.07-2 && dpkg-deb -x scowl_2020.12.07-2_all.deb scowl
//   npx tsx content/words/make-english.ts package/wordlists/english.js scowl/usr/share/dict/scowl/english-words.10
//
// The first list is 2,048 well-known words of 3 to 8 letters, picked to be told apart; the second gives it the short
// words that every text is made of ("and", "the", "were"). What a beginner should not have to type is left out below.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';

const expected = {
  bip39: 'd87a52ebb094d166717691e624aea3a1bcd45dd04e6c7748e8edb7ae10f3c458',
  scowl10: '108251985a4ae80bd64861b5ffa8e96cbbf4c1b19a1c216f58ae923284c1c776',
};

const violent = `abuse armed army assault attack battle betray bleak blood bomb bullet bunker cannon crash cruel
  curse dagger dead deadly death decease demise despair destroy die died dies dying evil execute fatal fight fights
  fought grave grief gun guns harm hate hurt inflict injury inmate kill killed kills knife misery murder nuclear pistol
  prison rebel rifle riot rude sad sadness shoot shot siege skull slam slave soldier stab suffer sword terror tomb
  torture tragic victim violent war warfare warrior weapon whip wound wreck`;
const delicate = `alcohol asthma casino cigar crazy cums damn disease drug drugs drunk dumb dwarf fat fatigue female
  gasp gamble goddess gospel hell hung idiot ill illegal infant insane lazy mad maid naked organ poverty sex shame sick
  sin slim stupid suicide symptom tattoo tobacco toilet ugly vice virus weasel weird`;
const notWords = `alpha april char chars cs datum december deem deems ditto doe dutch er err etc et february
  flied hes info inc latin leach lorry october odour olympic payed per phi pi putt putts satoshi us vans via`;
const leftOut = new Set([violent, delicate, notWords].flatMap((list) => list.split(/\s+/)));

const [bip39Path, scowlPath] = process.argv.slice(2);
if (bip39Path === undefined || scowlPath === undefined) {
  throw new Error(
    'Give the paths of wordlists/english.js and english-words.10, as told at the top of this file.',
  );
}
const familiar = (readChecked(bip39Path, expected.bip39).match(/`([^`]+)`/)?.[1] ?? '').split('\n');
const short = readChecked(scowlPath, expected.scowl10)
  .split('\n')
  .filter((word) => word.length <= 5);
const words = [...new Set([...familiar, ...short])]
  .filter((word) => /^[a-z]{2,8}$/.test(word) && !leftOut.has(word))
  .sort();
writeFileSync(new URL('english.txt', import.meta.url), `${words.join('\n')}\n`);
console.log(`${words.length} words`);

function readChecked(path: string, sha256: string): string {
  const bytes = readFileSync(path);
  const found = createHash('sha256').update(bytes).digest('hex');
  if (found !== sha256)
    throw new Error(`${path} is another version: its SHA-256 is ${found}, not ${sha256}.`);
  return bytes.toString('latin1');
}
