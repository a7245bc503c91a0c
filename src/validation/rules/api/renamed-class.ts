import { asRecord } from '../../../contract';
import { Label } from '../../../model';
import { ManifestObject, NodePoolManifest, RenamedObject, WorkloadManifest } from '../../manifest/model';
import { RuleContext, RuleFinding } from '../rule';

const REFERENCE =
  'nameReference: [{kind: EC2NodeClass, fieldSpecs: [{kind: NodePool, path: spec/template/spec/nodeClassRef/name}]}]';

/** The finding on a reference that a kustomization leaves as it is while it renames the class. */
export function renamedClass(
  { model }: RuleContext,
  { object, nodeClassRef }: NodePoolManifest,
): Omit<RuleFinding, 'path'> | undefined {
  const all = model.renamedObjects ?? [];
  const own = all.find(({ kind, to }) => kind === 'NodePool' && to === object.name);
  // A NodePool outside of the kustomization is out of reach of its references.
  const renamed = all.find(
    ({ kind, from, file }) => kind === 'EC2NodeClass' && from === nodeClassRef?.name && file.path === own?.file.path,
  );
  if (!renamed) return undefined;
  const { file, field, from, to } = renamed;
  const selected = selectedByOldName(model.workloads, all);
  const selector = selected
    ? `; in node selectors with ${Label.NODE_POOL}: ${selected.from}, write ${selected.to} by a patch`
    : '';
  return {
    object: { ...object, locate: () => placeOf(renamed) },
    message:
      `refers to EC2NodeClass ${from}, which ${field} in ${file.path} renames to ${to}: kustomize does not change the reference, ` +
      `so the NodePool stays NotReady and launches no nodes`,
    remedy: `add a file to configurations in ${file.path}, with ${REFERENCE}${selector}; or remove ${field}`,
    evidence: { nodeClass: from, renamedTo: to, kustomization: file.path, nodePool: object.name },
  };
}

/** One line renames the classes of all NodePools. */
function placeOf({ file: { path: file, text }, field }: RenamedObject): ReturnType<ManifestObject['locate']> {
  const lines = text.split(/\r?\n/);
  const index = lines.findIndex((line) => new RegExp(`^["']?${field}["']?\\s*:`).test(line));
  return { file, line: Math.max(index, 0) + 1, column: 1, path: field };
}

/** kustomize has no reference from a workload to a NodePool, because the NodePool is in no namespace. */
function selectedByOldName(
  workloads: readonly WorkloadManifest[],
  renamed: readonly RenamedObject[],
): RenamedObject | undefined {
  const selected = new Set(
    workloads.map(({ object, podPath }) => {
      const pod = podPath.reduce<unknown>((inner, step) => asRecord(inner)?.[step], object.raw);
      return asRecord(asRecord(pod)?.nodeSelector)?.[Label.NODE_POOL];
    }),
  );
  return renamed.find(({ kind, from }) => kind === 'NodePool' && selected.has(from));
}
