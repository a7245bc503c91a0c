/** What is wrong in a document, and where. */
export interface DocumentProblem {
  readonly kind: 'unreadable' | 'duplicate-key';
  readonly offset: number;
  readonly message: string;
  readonly remedy: string;
  /** The key, of a duplicate one. */
  readonly key?: string;
}
