/** Replaces a range of a text. If the range is empty, the new text is inserted. */
export interface OffsetEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The text with all edits. Edits at one position stay in the order of the list. */
export function withEdits(text: string, edits: readonly OffsetEdit[]): string {
  let result = '';
  let done = 0;
  for (const { start, end, text: newText } of inTextOrder(edits)) {
    result += text.slice(done, start) + newText;
    done = end;
  }
  return result + text.slice(done);
}

export function inTextOrder<Edit extends OffsetEdit>(edits: readonly Edit[]): Edit[] {
  return [...edits].sort((left, right) => left.start - right.start || left.end - right.end);
}

/** Whether two edits change the same characters, or insert at the same position. */
export function hasOverlap(edits: readonly OffsetEdit[]): boolean {
  return inTextOrder(edits).some(({ start }, i, sorted) => i > 0 && start < sorted[i - 1].end);
}
