import { element, find } from './elements.ts';

const status = find('#status', HTMLElement);
const sections = document.querySelectorAll('main > section');
const words = element('p', { class: 'waiting' }, 'Waiting for the server…');
/** So that fast answers do not flicker. In milliseconds. */
const pause = 300;

let waiting = 0;

/** Shows that the page waits, until the answer is there. */
export async function whileWaiting<Result>(answer: Promise<Result>): Promise<Result> {
  waiting += 1;
  const timer = setTimeout(() => {
    status.append(words);
    setBusy(true);
  }, pause);
  try {
    return await answer;
  } finally {
    clearTimeout(timer);
    waiting -= 1;
    if (waiting === 0) {
      words.remove();
      setBusy(false);
    }
  }
}

/** Not the whole page: screen readers would keep quiet about the status, too. */
function setBusy(isBusy: boolean): void {
  for (const section of sections) section.setAttribute('aria-busy', String(isBusy));
}
