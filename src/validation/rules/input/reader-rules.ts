import { readerRule } from '../common/reader-rule';

export const unreadableInput = readerRule({
  id: 'KARP-001',
  name: 'unreadable-input',
  severity: 'error',
  summary: 'A file, or a document in it, is not readable as Kubernetes objects: nothing in it is checked.',
});

export const duplicateObject = readerRule({
  id: 'KARP-002',
  name: 'duplicate-object',
  severity: 'warning',
  summary: 'Two objects of the input have the same kind, namespace and name: only the later one counts.',
});

export const podsNotEvaluated = readerRule({
  id: 'KARP-004',
  name: 'pods-not-evaluated',
  severity: 'error',
  summary:
    'The input has pods, but none of them can be evaluated, because NodePools, EC2NodeClasses or values are missing.',
});

export const valuesFilledInLater = readerRule({
  id: 'KARP-009',
  name: 'values-filled-in-later',
  severity: 'info',
  summary: 'A file has placeholders, which another program fills in: what depends on their values is not judged.',
});

export const acknowledgementWithoutEffect = readerRule({
  id: 'KARP-008',
  name: 'acknowledgement-without-effect',
  severity: 'info',
  summary:
    'An acknowledgement has no reason, matches no finding, or has ended; or a finding of the baseline no longer exists.',
});
