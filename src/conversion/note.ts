/** A message about the conversion for its user. */
export interface ConversionNote {
  /**
   * - `todo`: the result does not work, or works differently, until a person acts;
   * - `kept`: something has no successor, and is kept in the result as a comment;
   * - `changed`: something is written differently and means the same.
   */
  readonly kind: 'todo' | 'kept' | 'changed';
  readonly location: { readonly file: string; readonly line: number; readonly column: number };
  /** `Kind/name` of the object; empty if the note is about no object. */
  readonly subject: string;
  /** A sentence, without a full stop. */
  readonly message: string;
}

export interface ConversionOptions {
  /**
   * Name of the IAM role of nodes, for node classes that name neither a role nor an instance profile because they used
   * the controller setting `defaultInstanceProfile`.
   *
   * @default - a placeholder, with a `todo` note
   */
  readonly role?: string;
}

/** Records a note about one object. */
export type ReportObjectNote = (kind: ConversionNote['kind'], offset: number | undefined, message: string) => void;

/** Records a note about any object of one file. */
export type ReportNote = (
  kind: ConversionNote['kind'],
  offset: number | undefined,
  subject: string,
  message: string,
) => void;
