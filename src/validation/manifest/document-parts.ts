/** A part of a file that is read by itself. */
export interface DocumentPart {
  readonly text: string;
  /** Offset in the file. */
  readonly start: number;
}

/** `---` at the beginning of a line begins a document wherever it stands, be it in the middle of a text in quotes. */
const DOCUMENT_START = /\n(?=---(?:[ \t\r\n]|$))/g;
/** A directive stands before the `---` of the document that it is for. */
const DIRECTIVE = /(?:^|\n)%/;

/** The documents of a file, one by one, so that what is wrong in one of them is no matter of the others. */
export function* partsOf(text: string): Generator<DocumentPart> {
  let start = 0;
  if (!DIRECTIVE.test(text)) {
    for (const { index } of text.matchAll(DOCUMENT_START)) {
      yield { text: text.slice(start, index + 1), start };
      start = index + 1;
    }
  }
  yield { text: text.slice(start), start };
}
