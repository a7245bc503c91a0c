/** Something about a conversion that its user should know. */
export interface ConversionNote {
  /**
   * - `todo`: the result does not work, or not as before, until a person has done something;
   * - `kept`: something has no successor, and stands in the result as a comment;
   * - `changed`: something reads differently, and means the same.
   */
  readonly kind: 'todo' | 'kept' | 'changed';
  readonly location: { readonly file: string; readonly line: number; readonly column: number };
  /** Kind and name of the object, or nothing. */
  readonly subject: string;
  /** A sentence, without a full stop. */
  readonly message: string;
}

export interface ConversionOptions {
  /**
   * Name of the IAM role of nodes, for classes that name neither a role nor an instance profile because a setting of
   * the controller did.
   *
   * @default - a placeholder, and a note
   */
  readonly role?: string;
}

/** Takes notes about one object of one file. */
export type Report = (kind: ConversionNote['kind'], offset: number | undefined, message: string) => void;
