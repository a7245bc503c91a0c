import { asRecord, crdKinds, findInvalidRule, KARPENTER_KINDS, KindSchema } from '../../../contract';
import { countText } from '../../../model';
import { SourceFile } from '../model';
import { findUnreadable, SourceText } from '../source/source-text';
import { readDocuments } from '../yaml/documents';

/**
 * The Karpenter kinds that the CustomResourceDefinitions in the files define. Other objects and kinds are ignored.
 *
 * @throws Error if a file cannot be read, if a validation rule or pattern is invalid, or if no Karpenter kind is
 * defined
 */
export function readCrds(files: readonly SourceFile[]): KindSchema[] {
  const kinds = files.flatMap(readFile).filter(isKarpenters);
  if (kinds.length > 0) return kinds;
  const names = KARPENTER_KINDS.map(({ kind }) => kind).join(', ');
  throw new Error(
    `no CustomResourceDefinition of ${names} in ${countText(files.length, 'file')}; pass the folder with the CRDs of a Karpenter chart`,
  );
}

function readFile(file: SourceFile): KindSchema[] {
  const source = new SourceText(file);
  const unreadable = findUnreadable(file);
  if (unreadable) throw new Error(`${file.path}: ${unreadable.message}; ${unreadable.remedy}`);
  const { documents, problems } = readDocuments(source);
  const [problem] = problems;
  if (problem)
    throw new Error(`${file.path}:${source.position(problem.offset).line}: ${problem.message}; ${problem.remedy}`);
  const kinds = documents.flatMap(({ value }) => itemsOf(value)).flatMap(crdKinds);
  const broken = kinds.map(({ schema }) => findInvalidRule(schema)).find((rule) => rule !== undefined);
  if (broken !== undefined)
    throw new Error(
      `${file.path}: invalid validation rule or pattern, got ${JSON.stringify(broken)}; write one that the API server accepts`,
    );
  return kinds;
}

/** `kubectl get` prints several objects as one list. */
function itemsOf(value: unknown): readonly unknown[] {
  const items = asRecord(value)?.items;
  return Array.isArray(items) ? items : [value];
}

function isKarpenters({ kind, apiVersion }: KindSchema): boolean {
  return KARPENTER_KINDS.some(
    (karpenterKind) => karpenterKind.kind === kind && apiVersion.startsWith(`${karpenterKind.group}/`),
  );
}
