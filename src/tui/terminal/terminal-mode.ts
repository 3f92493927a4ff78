/** Whether the client has the terminal, and what it has switched on. Immutable. */
export interface TerminalMode {
  readonly isEntered: boolean;
  /** Whether the terminal has answered that it can report releases of keys. */
  readonly canReport: boolean;
  /** Whether it does: the terminal counts how often that is asked for. */
  readonly isReporting: boolean;
}

/** The mode after something, and what is to be written for it; empty for nothing. */
export interface ModeStep {
  readonly mode: TerminalMode;
  readonly text: string;
}

const enterSequence = [
  '\x1b[?1049h', // alternate screen
  '\x1b[?25l', // no cursor
  '\x1b[?2004h', // bracketed paste
  '\x1b[?1004h', // focus reports
  '\x1b[H\x1b[2J',
  '\x1b[?u', // asks for kitty's keyboard protocol; terminals without it say nothing
].join('');

/** Kitty's protocol: every key with its press and release, its text, and its place on a US keyboard; and no longer. */
const reportSequence = '\x1b[>31u';
const endReportSequence = '\x1b[<u';

const leaveSequence = '\x1b[?2026l\x1b[0m\x1b[?1004l\x1b[?2004l\x1b[?25h\x1b[?1049l';

export const newMode: TerminalMode = { isEntered: false, canReport: false, isReporting: false };

export function enterTerminal(mode: TerminalMode): ModeStep {
  const reported = report({ ...mode, isEntered: true });
  return { ...reported, text: (mode.isEntered ? '' : enterSequence) + reported.text };
}

export function leaveTerminal(mode: TerminalMode): ModeStep {
  if (!mode.isEntered) return { mode, text: '' };
  const text = (mode.isReporting ? endReportSequence : '') + leaveSequence;
  return { mode: { ...mode, isEntered: false, isReporting: false }, text };
}

/** The terminal has answered that it can report releases of keys. */
export function allowReports(mode: TerminalMode): ModeStep {
  return report({ ...mode, canReport: true });
}

/** Once each time the terminal is taken over. */
function report(mode: TerminalMode): ModeStep {
  if (!mode.isEntered || !mode.canReport || mode.isReporting) return { mode, text: '' };
  return { mode: { ...mode, isReporting: true }, text: reportSequence };
}
