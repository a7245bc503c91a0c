/** Manifests in here-documents of Terraform files and shell scripts. Nothing is run. */

/** How a language writes here-documents. */
interface Dialect {
  /** The end of the line that begins one; its group `marker` ends it. */
  readonly start: RegExp;
  /** Begins of here-documents whose objects are not deployed. */
  readonly skipped?: RegExp;
  /** The text that a line of the document stands for. */
  readonly lineOf: (line: string, start: RegExpExecArray) => string;
}

const TERRAFORM = /<<-?(?<marker>[A-Za-z_]\w*)[ \t]*\r?$/;

const SHELL: Dialect = {
  start: /(?<!<)<<(?<tabs>-?)[ \t]*(?<quote>\\|["']?)(?<marker>[A-Za-z_]\w*)["']?/,
  // What is deleted is not deployed.
  skipped: /\bkubectl\b[^|;&]*\bdelete\b/,
  lineOf: (line, { groups }) => {
    const { tabs, quote } = groups!;
    const text = tabs === '-' ? line.replace(/^\t+/, '') : line;
    return quote === '' ? unquoted(text) : text;
  },
};

/** Recipes begin with a tab, and make fills in `$(NAME)`. */
const MAKE: Dialect = {
  ...SHELL,
  lineOf: (line) => unquoted(line.replace(/^\t+/, '').replace(/\$\((\w+)\)/g, '${$1}')).replaceAll('$$', '$'),
};

/** Variables and commands of a script become placeholders of one notation, and escaped dollars become plain ones. */
function unquoted(line: string): string {
  return line.replace(
    /\\([\\$`])|\$\([^()]*\)|`[^`]*`|\$([A-Za-z_]\w*)/g,
    (text, escaped: string | undefined, name: string | undefined) =>
      escaped ?? (name === undefined ? `\${${text.startsWith('$(') ? 'COMMAND' : 'OUTPUT'}}` : `\${${name}}`),
  );
}

/**
 * The manifests in here-documents of Terraform, with all other lines blank, so that lines keep their numbers.
 *
 * @param lineOf gives a line with the values that are known
 */
export function hereDocumentsOfTerraform(text: string, lineOf: (line: string) => string): string {
  return hereDocuments(text, { start: TERRAFORM, lineOf });
}

/** The same of a shell script. */
export function hereDocumentsOfShell(text: string): string {
  return hereDocuments(text, SHELL);
}

/** The same of a makefile, whose variables of several lines may be manifests, too. */
export function hereDocumentsOfMake(text: string): string {
  const lines = text.replace(/^define[ \t]+\w+[ \t]*=?[ \t]*(\r?)$/gm, '<<endef$1');
  return hereDocuments(lines, MAKE);
}

/** The first line of a manifest; a script or a policy begins in another way. */
const MANIFEST_LINE = /^\s*(?:apiVersion|kind|metadata|spec)\s*:/;
const OTHER_LINE = /^\s*(?:#.*|---\s*|%\{.*)?$/;

/** The line that begins a here-document becomes the marker of a YAML document. */
function hereDocuments(text: string, { start: pattern, skipped, lineOf }: Dialect): string {
  const lines = text.split('\n');
  const kept = lines.map((line) => ' '.repeat(line.length));
  const ends = new MarkerLines(lines);
  for (let start = 0; start < lines.length; start++) {
    const match = /^\s*#/.test(lines[start]) ? null : pattern.exec(lines[start]);
    const end = match ? ends.after(start, match.groups!.marker) : undefined;
    // A shift of bits looks like the begin of a here-document, too.
    if (!match || end === undefined) continue;
    const body = lines.slice(start + 1, end).map((line) => lineOf(line, match));
    const isManifest = MANIFEST_LINE.test(body.find((line) => !OTHER_LINE.test(line)) ?? '');
    if (isManifest && !skipped?.test(lines[start])) {
      kept[start] = '---'.padEnd(lines[start].length);
      for (const [index, line] of body.entries())
        kept[start + 1 + index] = line.trim() === '---' ? '---'.padEnd(line.length) : line;
      // An indented document would otherwise go on with the next one.
      kept[end] = ' '.repeat(lines[end].length);
    }
    start = end;
  }
  return kept.join('\n');
}

/** The lines that are one word. Each is passed only once, so that a long text takes linear time. */
class MarkerLines {
  private readonly byWord = new Map<string, number[]>();

  public constructor(lines: readonly string[]) {
    for (let index = lines.length - 1; index >= 0; index--) {
      const word = lines[index].trim();
      if (!/^\w+$/.test(word)) continue;
      const known = this.byWord.get(word);
      if (known) known.push(index);
      else this.byWord.set(word, [index]);
    }
  }

  /** The first line with this word after a line; lines are asked for in their order. */
  public after(line: number, word: string): number | undefined {
    const rest = this.byWord.get(word) ?? [];
    while (rest.length > 0 && rest[rest.length - 1] <= line) rest.pop();
    return rest[rest.length - 1];
  }
}
