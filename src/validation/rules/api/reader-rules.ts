import { readerRule } from '../common/reader-rule';

export const rejectedByKarpenter = readerRule({
  id: 'KARP-100',
  name: 'rejected-by-karpenter',
  severity: 'error',
  summary: 'The API server or Karpenter rejects a field, because of its name, type, value or a rule of the CRD.',
});

export const duplicateYamlKey = readerRule({
  id: 'KARP-109',
  name: 'duplicate-yaml-key',
  severity: 'error',
  summary: 'A YAML mapping repeats a key: parsers keep one of the values and drop the other silently.',
});
