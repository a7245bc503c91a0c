import { Markers } from './markers';
import { ChartFile } from '../../manifest';

/** A line of a template that may write a field, with the marker that is added to it as a comment. */
export interface MarkedLine {
  readonly file: ChartFile;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
  /** What is equal in the template and in the manifests. */
  readonly start: string;
  readonly marker: string;
}

/** More lines than these are not marked. */
const MOST_LINES = 1000;
const KEY = /^(\s*(?:- +)*)((["']?)[A-Za-z_][\w./-]*\3:)(?=\s|$)/;
const ITEM = /^(\s*(?:- +)+)([^\s{#&*!|>[].*?)\s*$/;

/** The key with which a line of YAML begins, or an item of a list as a whole. */
export function startOfLine(text: string): string | undefined {
  return (KEY.exec(text) ?? ITEM.exec(text))?.[2];
}

/** The lines of templates that may write a line with one of the starts. Each gets a marker of its own. */
export function markedLines(
  files: readonly ChartFile[],
  starts: ReadonlySet<string>,
  markers: Pick<Markers, 'nextText'>,
): MarkedLine[] {
  const lines: MarkedLine[] = [];
  for (const file of files.filter(isTemplate))
    for (const [index, text] of file.text.split('\n').entries()) {
      const start = startOfLine(text);
      if (start === undefined || !starts.has(start) || lines.length >= MOST_LINES) continue;
      lines.push({ file, line: index + 1, column: text.indexOf(start) + 1, start, marker: markers.nextText() });
    }
  return lines;
}

/** The texts of the templates with the markers at the ends of the lines. Comments do not change what helm makes. */
export function withMarkers(lines: readonly MarkedLine[]): ReadonlyMap<string, string> {
  const byFile = new Map<ChartFile, MarkedLine[]>();
  for (const line of lines) byFile.set(line.file, [...(byFile.get(line.file) ?? []), line]);
  return new Map(
    [...byFile].map(([file, marked]) => {
      const texts = file.text.split('\n');
      for (const { line, marker } of marked) texts[line - 1] = `${texts[line - 1].trimEnd()} #${marker}`;
      return [file.inside, texts.join('\n')];
    }),
  );
}

function isTemplate({ inside }: ChartFile): boolean {
  return /(?:^|\/)templates\//.test(inside);
}
