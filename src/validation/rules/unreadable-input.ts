import { ReaderRule } from './reader-rule';

export class UnreadableInput extends ReaderRule {
  public readonly id = 'KARP-001';
  public readonly name = 'unreadable-input';
  public readonly severity = 'error';
  public readonly summary = 'A file, or a document in it, cannot be read as Kubernetes objects, so nothing in it is judged.';
}
