import { ReaderRule } from './reader-rule';

export class DuplicateObject extends ReaderRule {
  public readonly id = 'KARP-002';
  public readonly name = 'duplicate-object';
  public readonly severity = 'warning';
  public readonly summary = 'Two objects of the input have one kind, namespace and name: only the later one counts.';
}
