import { ReaderRule } from './reader-rule';

export class RejectedByKarpenter extends ReaderRule {
  public readonly id = 'KARP-100';
  public readonly name = 'rejected-by-karpenter';
  public readonly severity = 'error';
  public readonly summary = 'The API server or Karpenter refuses a field: an unknown name, a wrong type, a value out of range, a broken rule of the CRD, a bad quantity.';
}
