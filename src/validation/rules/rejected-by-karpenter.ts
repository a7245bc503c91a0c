import { ReaderRule } from './reader-rule';

export class RejectedByKarpenter extends ReaderRule {
  public readonly id = 'KARP-100';
  public readonly name = 'rejected-by-karpenter';
  public readonly severity = 'error';
  public readonly summary = 'A field has a value that the API server or Karpenter refuses: a bad quantity, a missing part, a value out of range.';
}
