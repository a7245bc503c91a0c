import { asRecord } from '../../../../contract';
import { memoizeByIdentity, valueText } from '../../../../model';
import { SourceFile } from '../../model';
import { PlainRecord, recordsOf } from '../../records';
import { readDocuments } from '../../yaml/documents';
import { SourceText } from '../source-text';

/** A deeper nesting is no real module. */
const MAX_DEPTH = 60;
/** `terraform show -json` writes its version first. */
const BEGIN = /^\s*\{\s*"format_version"\s*:/;

/** Whether a file may be a plan or a state, by its first characters. */
export function mayBeTerraformJson({ text }: SourceFile): boolean {
  return BEGIN.test(text.slice(0, 200));
}

/** Whether a document is a plan or a state of Terraform or OpenTofu. */
export function isTerraformJson(document: PlainRecord): boolean {
  if (document.apiVersion !== undefined || document.kind !== undefined) return false;
  return typeof document.format_version === 'string' && rootModuleOf(document) !== undefined;
}

/** The resources that a plan leads to, or those of a state. */
function rootModuleOf(document: PlainRecord): PlainRecord | undefined {
  return [document.planned_values, document.values]
    .map((values) => asRecord(asRecord(values)?.root_module))
    .find((module) => module !== undefined);
}

/** The objects that `kubectl_manifest` and `kubernetes_manifest` apply, as far as they are known. */
export const plannedObjects = memoizeByIdentity((document: PlainRecord): readonly PlainRecord[] =>
  isTerraformJson(document) ? [...modulesIn(rootModuleOf(document))].flatMap(objectsOfModule) : [],
);

const KARPENTER_CHART = /(?:^|\/)karpenter$/;

/** The versions of Karpenter's chart that a plan or a state installs. */
export function plannedKarpenterVersions(document: PlainRecord): string[] {
  if (!isTerraformJson(document)) return [];
  return [...modulesIn(rootModuleOf(document))].flatMap(({ resources }) =>
    recordsOf(resources).flatMap(({ type, values }) => {
      const { chart, version } = asRecord(values) ?? {};
      const isKarpenter = type === 'helm_release' && typeof chart === 'string' && KARPENTER_CHART.test(chart);
      return isKarpenter && typeof version === 'string' ? [version.replace(/^v/, '')] : [];
    }),
  );
}

function* modulesIn(raw: unknown, depth = 0): Generator<PlainRecord> {
  const module = asRecord(raw);
  if (!module || depth > MAX_DEPTH) return;
  yield module;
  for (const child of recordsOf(module.child_modules)) yield* modulesIn(child, depth + 1);
}

function objectsOfModule({ resources }: PlainRecord): PlainRecord[] {
  return recordsOf(resources).flatMap(({ type, address, values }): PlainRecord[] => {
    const { yaml_body: yaml, manifest } = asRecord(values) ?? {};
    if (type === 'kubernetes_manifest') return [manifest].map(asRecord).filter((object) => object !== undefined);
    if (type !== 'kubectl_manifest' || typeof yaml !== 'string') return [];
    const { documents } = readDocuments(new SourceText({ path: valueText(address), text: yaml }));
    return documents.map(({ value }) => asRecord(value)).filter((object) => object !== undefined);
  });
}
