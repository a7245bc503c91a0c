import { readDocuments } from './documents';
import { SourceFile } from './model';
import { findUnreadable, SourceText } from './source-text';
import { asRecord, crdKinds, findBrokenRule, KARPENTER_KINDS, KindSchema } from '../../contract';

/**
 * The kinds of Karpenter that CustomResourceDefinitions declare; other objects and other kinds are passed over.
 *
 * @throws Error if a file cannot be read, a rule or pattern of it is none, or no kind of Karpenter is declared
 */
export function readCrds(files: readonly SourceFile[]): KindSchema[] {
  const kinds = files.flatMap(readFile).filter(isKarpenters);
  if (kinds.length > 0) return kinds;
  const names = KARPENTER_KINDS.map(({ kind }) => kind).join(', ');
  throw new Error(`no CustomResourceDefinition of ${names} among ${files.length} files; name the folder that holds those of Karpenter, as its charts have them`);
}

function readFile(file: SourceFile): KindSchema[] {
  const source = new SourceText(file);
  const unreadable = findUnreadable(file);
  if (unreadable) throw new Error(`${file.path}: ${unreadable.message}; ${unreadable.remedy}`);
  const { documents, problems } = readDocuments(source);
  const [problem] = problems;
  if (problem) throw new Error(`${file.path}:${source.position(problem.offset).line}: ${problem.message}; ${problem.remedy}`);
  const kinds = documents.flatMap(({ value }) => itemsOf(value)).flatMap(crdKinds);
  const broken = kinds.map(({ schema }) => findBrokenRule(schema)).find((rule) => rule !== undefined);
  if (broken !== undefined) throw new Error(`${file.path}: a rule or pattern cannot be read, got ${JSON.stringify(broken)}; write what the API server takes`);
  return kinds;
}

/** `kubectl get` prints several objects as one list. */
function itemsOf(value: unknown): readonly unknown[] {
  const items = asRecord(value)?.items;
  return Array.isArray(items) ? items : [value];
}

function isKarpenters({ kind, apiVersion }: KindSchema): boolean {
  return KARPENTER_KINDS.some((known) => known.kind === kind && apiVersion.startsWith(`${known.group}/`));
}
