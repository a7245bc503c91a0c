import { Help, HelpConfiguration } from 'commander';

const INDENT = 2;
const BELOW = ' '.repeat(3 * INDENT);
/** Of columns beside the terms; where fewer are left, descriptions stand below them. */
const LEAST_BESIDE = 40;
/** Nobody reads narrower columns. */
const LEAST_BELOW = 20;

/** Help that breaks no word, however narrow the terminal and however long the options are. */
export const HELP_OF_ANY_WIDTH: HelpConfiguration = {
  minWidthToWrap: LEAST_BELOW,
  formatItem(this: Help, term: string, termWidth: number, description: string, helper: Help): string {
    const width = helper.helpWidth ?? 80;
    if (description === '' || width - termWidth - 2 * INDENT >= LEAST_BESIDE) return Help.prototype.formatItem.call(this, term, termWidth, description, helper);
    const lines = helper.boxWrap(description, width - BELOW.length).split('\n');
    return [' '.repeat(INDENT) + term, ...lines.map((line) => BELOW + line)].join('\n');
  },
};
