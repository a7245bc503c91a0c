import { stripVTControlCharacters } from 'util';

/** Narrower columns than this break more than they help. */
const LEAST_COLUMNS = 40;
const HANGING = 2;

/** Lines that are longer than a terminal is wide go on between words, further in than they begin. Nothing else is changed, and no word broken. */
export function wrap(text: string, columns: number): string {
  return columns < LEAST_COLUMNS ? text : text.split('\n').map((line) => wrapLine(line, columns)).join('\n');
}

function wrapLine(line: string, columns: number): string {
  if (widthOf(line) <= columns) return line;
  const [indent] = /^ */.exec(line)!;
  const lines: string[] = [];
  let current = indent;
  for (const word of line.slice(indent.length).split(' ')) {
    const isFirst = current.trim() === '';
    if (!isFirst && widthOf(current) + 1 + widthOf(word) > columns) {
      lines.push(current.trimEnd());
      current = ' '.repeat(indent.length + HANGING) + word;
    } else {
      current += isFirst ? word : ` ${word}`;
    }
  }
  return [...lines, current].join('\n');
}

function widthOf(text: string): number {
  return [...stripVTControlCharacters(text)].length;
}
