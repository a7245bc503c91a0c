/**
 * Whether an output is what a page shows of it. A line `…` stands for any lines, and `…` in a line for any text of that
 * line. Spaces at the ends of lines do not count.
 */
export function matchesOutput(shown: string, printed: string): boolean {
  const lines = shown
    .trimEnd()
    .split('\n')
    .map((line) => (line.trim() === '…' ? '(?:.*\\n)*?' : `${line.trimEnd().split('…').map(escaped).join('.*')} *\\n`));
  return new RegExp(`^${lines.join('')}$`).test(`${printed.trimEnd()}\n`);
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
