import { ReaderRule } from '../common/reader-rule';

export class UnreadableInput extends ReaderRule {
  public readonly id = 'KARP-001';
  public readonly name = 'unreadable-input';
  public readonly severity = 'error';
  public readonly summary =
    'A file, or a document in it, is not readable as Kubernetes objects: nothing in it is checked.';
}

export class DuplicateObject extends ReaderRule {
  public readonly id = 'KARP-002';
  public readonly name = 'duplicate-object';
  public readonly severity = 'warning';
  public readonly summary =
    'Two objects of the input have the same kind, namespace and name: only the later one counts.';
}

export class PodsNotEvaluated extends ReaderRule {
  public readonly id = 'KARP-004';
  public readonly name = 'pods-not-evaluated';
  public readonly severity = 'error';
  public readonly summary =
    'The input has pods, but none of them can be evaluated, because NodePools, EC2NodeClasses or values are missing.';
}

export class AcknowledgementWithoutEffect extends ReaderRule {
  public readonly id = 'KARP-008';
  public readonly name = 'acknowledgement-without-effect';
  public readonly severity = 'info';
  public readonly summary =
    'An acknowledgement has no reason, matches no finding, or has ended; or a finding of the baseline no longer exists.';
}
