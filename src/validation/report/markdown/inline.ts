/**
 * GitHub turns such text into a mention, a reference, a link to a commit or one to write an e-mail, except in code.
 * `al2023@latest` is none of these. An e-mail address begins where no character of one precedes, so that the search
 * takes linear time.
 */
const REFERENCES =
  /((?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+|(?<!\w)@\w[\w-]*(?:\/[\w-]+)?|#\d+|\bGH-\d+|\b[0-9a-f]{40}\b)/i;
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/**
 * Escapes text for one line of prose or a table cell: it becomes no markup, no link and no mention, and can be copied
 * unchanged.
 */
export function prose(text: string): string {
  return text
    .split(REFERENCES)
    .map((part, index) => (index % 2 === 0 ? escaped(part) : `<code>${escaped(part)}</code>`))
    .join('');
}

function escaped(text: string): string {
  return text
    .replace(/[\\`*_[\]{}|~$]/g, '\\$&')
    .replace(/:(?=\/\/)|(?<=www)\./gi, '\\$&')
    .replace(/[&<>]/g, (character) => ENTITIES[character])
    .replace(/\r?\n/g, '<br>');
}

/** A name or path as inline code, also in a table. */
export function code(text: string): string {
  const line = text.replace(/\s*\n\s*/g, ' ');
  if (line === '') return '';
  // A bar ends a table cell even between backticks.
  if (/[|\\]/.test(line)) return `<code>${escaped(line)}</code>`;
  const fence = fenceFor(line, 1);
  const padding = /^`|`$|^ .* $/.test(line) ? ' ' : '';
  return `${fence}${padding}${line}${padding}${fence}`;
}

/** Lines as a code block. */
export function block(lines: readonly string[]): string {
  const text = lines.join('\n');
  const fence = fenceFor(text, 3);
  return `${fence}text\n${text}\n${fence}`;
}

/** A run of backticks that is longer than any in the text. */
function fenceFor(text: string, minLength: number): string {
  const longest = [...text.matchAll(/`+/g)].reduce((most, [run]) => Math.max(most, run.length), minLength - 1);
  return '`'.repeat(longest + 1);
}

/** A section that can be collapsed. */
export function details(summary: string, body: string, isOpen = false): string {
  return `<details${isOpen ? ' open' : ''}>\n<summary>${prose(summary)}</summary>\n\n${body}\n\n</details>`;
}

/** @param rows cells in Markdown */
export function table(head: readonly string[], rows: ReadonlyArray<readonly string[]>): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
