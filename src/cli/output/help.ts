import { Help, HelpConfiguration } from 'commander';

const INDENT = 2;
const BELOW = ' '.repeat(3 * INDENT);
/** If fewer columns are left beside the terms, descriptions go below them. */
const MIN_BESIDE = 40;
/** Narrower columns are not readable. */
const MIN_BELOW = 20;

/** Help that never breaks a word, for any width of the terminal and any length of the options. */
export const HELP_OF_ANY_WIDTH: HelpConfiguration = {
  minWidthToWrap: MIN_BELOW,
  formatItem(this: Help, term: string, termWidth: number, description: string, helper: Help): string {
    const width = helper.helpWidth ?? 80;
    if (description === '' || width - termWidth - 2 * INDENT >= MIN_BESIDE)
      return Help.prototype.formatItem.call(this, term, termWidth, description, helper);
    const lines = helper.boxWrap(description, width - BELOW.length).split('\n');
    return [' '.repeat(INDENT) + term, ...lines.map((line) => BELOW + line)].join('\n');
  },
};
