import { ReaderRule } from './reader-rule';

export class DuplicateYamlKey extends ReaderRule {
  public readonly id = 'KARP-109';
  public readonly name = 'duplicate-yaml-key';
  public readonly severity = 'error';
  public readonly summary = 'A mapping repeats a key: YAML parsers keep one value and drop the other without a word.';
}
