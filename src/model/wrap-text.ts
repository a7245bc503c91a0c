/** Narrower text would be harder to read than broken lines. */
const MIN_COLUMNS = 40;
const HANGING_INDENT = 2;
/** Indentation and a mark, below whose end the next lines continue. */
const INDENT = /^ *(?:- |→ |-> |--> |(?:= )?(?:help|also): )?/;
const COLOR = /\u001b\[\d+m/g;

/** Wraps long lines between words, and indents the continuation. Words are never broken. */
export function wrapText(text: string, columns: number): string {
  return columns < MIN_COLUMNS
    ? text
    : text
        .split('\n')
        .map((line) => wrapLine(line, columns))
        .join('\n');
}

/** The number of printed characters. */
export function printedLength(text: string): number {
  return [...text.replace(COLOR, '')].length;
}

function wrapLine(line: string, columns: number): string {
  if (printedLength(line) <= columns) return line;
  const [indent] = /^ */.exec(line)!;
  const hanging = ' '.repeat(hangingIndent(line, indent));
  const lines: string[] = [];
  let current = indent;
  for (const word of line.slice(indent.length).split(' ')) {
    const isFirst = current.trim() === '';
    if (!isFirst && printedLength(current) + 1 + printedLength(word) > columns) {
      lines.push(current.trimEnd());
      current = hanging + word;
    } else {
      current += isFirst ? word : ` ${word}`;
    }
  }
  return [...lines, current].join('\n');
}

function hangingIndent(line: string, indent: string): number {
  const [marked] = INDENT.exec(line)!;
  return marked.length > indent.length ? marked.length : indent.length + HANGING_INDENT;
}
