import { OffsetEdit, withEdits } from '../manifest/edit/offset-edit';
import { SourceFile } from '../manifest/model';
import { SourceText } from '../manifest/source/source-text';
import { readDocuments } from '../manifest/yaml/documents';
import { Fix } from '../vocabulary/verdict';

const BYTE_ORDER_MARK = '\ufeff';

/**
 * The file with as many of the fixes as can be made together, and these fixes. Two fixes that change neighbouring text,
 * or that together give a field twice, cannot: the first one is made.
 */
export function withFixes(
  file: SourceFile,
  fixes: readonly Fix[],
): { readonly file: SourceFile; readonly applied: readonly Fix[] } {
  const source = new SourceText(file);
  const mark = file.text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
  const before = countProblems(file);
  const starts = lineStartsOf(source.text);
  const textWith = (edits: readonly OffsetEdit[]) => mark + withEdits(source.text, edits);
  const isReadable = (edits: readonly OffsetEdit[]) => countProblems({ ...file, text: textWith(edits) }) <= before;
  const candidates = distinct(fixes).map((fix) => ({ fix, edits: fix.edits.map((edit) => offsetsOf(edit, starts)) }));
  const separate = candidates.reduce<typeof candidates>(
    (taken, candidate) =>
      touches(
        taken.flatMap(({ edits }) => edits),
        candidate.edits,
      )
        ? taken
        : [...taken, candidate],
    [],
  );
  const chosen = isReadable(separate.flatMap(({ edits }) => edits))
    ? separate
    : separate.reduce<typeof separate>(
        (taken, candidate) =>
          isReadable([...taken, candidate].flatMap(({ edits }) => edits)) ? [...taken, candidate] : taken,
        [],
      );
  return {
    file: { ...file, text: textWith(chosen.flatMap(({ edits }) => edits)) },
    applied: chosen.map(({ fix }) => fix),
  };
}

/** The text of a file with the edits of one fix. A byte order mark is left out. */
export function textWithFix(file: Pick<SourceFile, 'path' | 'text'>, { edits }: Pick<Fix, 'edits'>): string {
  const { text } = new SourceText(file);
  const starts = lineStartsOf(text);
  return withEdits(
    text,
    edits.map((edit) => offsetsOf(edit, starts)),
  );
}

/** In the order of the text. Several roots may report the same fix. */
function distinct(fixes: readonly Fix[]): Fix[] {
  const [line, column] = [({ edits: [first] }: Fix) => first.line, ({ edits: [first] }: Fix) => first.column];
  return [...new Map(fixes.map((fix) => [JSON.stringify(fix.edits), fix])).values()].sort(
    (left, right) => line(left) - line(right) || column(left) - column(right),
  );
}

/** Whether an edit overlaps one of the others, or begins where one of them ends. */
function touches(others: readonly OffsetEdit[], edits: readonly OffsetEdit[]): boolean {
  return edits.some(({ start, end }) => others.some((other) => start <= other.end && other.start <= end));
}

function offsetsOf(
  { line, column, endLine, endColumn, text }: Fix['edits'][number],
  starts: readonly number[],
): OffsetEdit {
  return { start: starts[line - 1] + column - 1, end: starts[endLine - 1] + endColumn - 1, text };
}

function lineStartsOf(text: string): number[] {
  return [0, ...Array.from(text.matchAll(/\n/g), ({ index }) => index + 1)];
}

function countProblems(file: SourceFile): number {
  return readDocuments(new SourceText(file)).problems.length;
}
