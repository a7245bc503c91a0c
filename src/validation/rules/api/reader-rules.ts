import { ReaderRule } from '../common/reader-rule';

export class RejectedByKarpenter extends ReaderRule {
  public readonly id = 'KARP-100';
  public readonly name = 'rejected-by-karpenter';
  public readonly severity = 'error';
  public readonly summary =
    'The API server or Karpenter rejects a field, because of its name, type, value or a rule of the CRD.';
}

export class DuplicateYamlKey extends ReaderRule {
  public readonly id = 'KARP-109';
  public readonly name = 'duplicate-yaml-key';
  public readonly severity = 'error';
  public readonly summary = 'A YAML mapping repeats a key: parsers keep one of the values and drop the other silently.';
}
