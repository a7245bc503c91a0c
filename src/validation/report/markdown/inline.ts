/** What GitHub makes a mention or a reference of, in prose; in code it makes nothing of it. `al2023@latest` is none. */
const REFERENCES = /((?<!\w)@\w[\w-]*(?:\/[\w-]+)?|#\d+|\bGH-\d+)/i;
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Text as prose on one line, also in a table: nothing in it is markup or a link, it calls nobody, and what is copied from it is what it says. */
export function prose(text: string): string {
  return text.split(REFERENCES).map((part, at) => at % 2 === 0 ? escaped(part) : `<code>${escaped(part)}</code>`).join('');
}

function escaped(text: string): string {
  return text
    .replace(/[\\`*_[\]{}|~$]/g, '\\$&')
    .replace(/:(?=\/\/)|(?<=www)\./gi, '\\$&')
    .replace(/[&<>]/g, (character) => ENTITIES[character])
    .replace(/\r?\n/g, '<br>');
}

/** A name or a path in its own words, also in a table. */
export function code(text: string): string {
  const line = text.replace(/\s*\n\s*/g, ' ');
  if (line === '') return '';
  // A table would end its cell there, backticks or not.
  if (/[|\\]/.test(line)) return `<code>${escaped(line)}</code>`;
  const fence = fenceFor(line, 1);
  const padding = /^`|`$|^ .* $/.test(line) ? ' ' : '';
  return `${fence}${padding}${line}${padding}${fence}`;
}

/** Lines as they are. */
export function block(lines: readonly string[]): string {
  const text = lines.join('\n');
  const fence = fenceFor(text, 3);
  return `${fence}text\n${text}\n${fence}`;
}

/** Longer than what is in there. */
function fenceFor(text: string, least: number): string {
  const longest = [...text.matchAll(/`+/g)].reduce((most, [run]) => Math.max(most, run.length), least - 1);
  return '`'.repeat(longest + 1);
}

/** Behind a click. */
export function details(summary: string, body: string): string {
  return `<details>\n<summary>${prose(summary)}</summary>\n\n${body}\n\n</details>`;
}

/** @param rows cells as they are to stand in the table */
export function table(head: readonly string[], rows: ReadonlyArray<readonly string[]>): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
