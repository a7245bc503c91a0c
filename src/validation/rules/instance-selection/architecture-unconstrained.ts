import { defineRule, NOT_APPLICABLE, SubjectFinding } from '../define-rule';
import { areImagesForArm64, imagesSelectedForArm64 } from './multi-arch-images';
import { appendItem, FieldFix, unsafeFix } from '../../../contract';
import { countText, Label, shortListText, workloadNames } from '../../../model';
import { valueAt } from '../../manifest/edit/edited-value';
import { ManifestObject, WorkloadManifest } from '../../manifest/model';
import { recordsOf, stringsOf } from '../../manifest/records';
import { imagesOf, launchesWindows, selectsNoKindOfNode } from '../common/ordinary-pods';
import { placementsOf } from '../common/placements';
import { targetsNonKarpenterNodes } from '../common/pod-constraints';
import { Pool, PoolLaunch } from '../common/pool';
import { RuleContext } from '../rule';
import { pools } from '../subjects';

const ARM64 = 'arm64';

/** @see https://karpenter.sh/docs/concepts/nodepools/ */
export const architectureUnconstrained = defineRule({
  id: 'KARP-203',
  name: 'architecture-unconstrained',
  severity: 'warning',
  summary:
    'Pods that select no architecture are planned on arm64 nodes, and nothing in the input shows that their images run there.',
  subjects: pools(),
  judge(pool, context) {
    const { spec, launch } = pool;
    // Pods on a tainted NodePool tolerate its taint on purpose.
    if (
      !spec ||
      !launch ||
      launchesWindows(context, pool) ||
      spec.taints.some(({ effect }) => effect !== 'PreferNoSchedule')
    )
      return NOT_APPLICABLE;
    const arm64 = arm64Types(launch);
    if (arm64.size === 0) return NOT_APPLICABLE;
    const selected = imagesSelectedForArm64(context.model.workloads);
    const workloads = context.model.workloads.filter(
      (workload) => !areImagesForArm64(workload, selected) && isPlannedOnArm64(context, workload, pool, arm64),
    );
    return workloads.length === 0 ? undefined : finding(pool, launch.indices.length, arm64.size, workloads);
  },
});

/** Whether the cheapest node for some of the pods, which has no reason but its price, is arm64. */
function isPlannedOnArm64(
  context: RuleContext,
  workload: WorkloadManifest,
  { name }: Pool,
  arm64: ReadonlySet<string>,
): boolean {
  if (workload.kind === 'DaemonSet' || targetsNonKarpenterNodes(workload) || !selectsNoKindOfNode(workload, [Label.OS]))
    return false;
  return placementsOf(context, workload).some(
    ({ claim, nodePool }) =>
      nodePool === name && claim?.launch !== undefined && arm64.has(claim.launch.cheapest.instanceType),
  );
}

function finding(
  { object }: Pool,
  instanceTypes: number,
  arm64Count: number,
  workloads: readonly WorkloadManifest[],
): SubjectFinding {
  const names = workloadNames(workloads);
  const isOnlyArm64 = arm64Count === instanceTypes;
  const offer = isOnlyArm64
    ? 'launches only arm64 nodes'
    : `allows ${countText(arm64Count, 'arm64 instance type')} of ${instanceTypes}`;
  return {
    path: ['spec', 'template', 'spec', 'requirements'],
    message:
      `${offer}, and ${shortListText(names, 3)} would run on them without selecting an architecture: ` +
      'containers of images that are amd64 only end with "exec format error"',
    remedy:
      `${isOnlyArm64 ? 'add a taint that only pods for arm64 tolerate' : `require ${Label.ARCH} In [amd64]`}, ` +
      `or, if the images are built for both, write it in the pods: node affinity ${Label.ARCH} In [amd64, arm64]`,
    evidence: {
      workloads: names,
      images: [...new Set(workloads.flatMap(imagesOf))].sort(),
      arm64Types: arm64Count,
      instanceTypes,
    },
    fix: isOnlyArm64 ? undefined : amd64Fix(object),
    // An author who writes both names knows that there are two.
    ...(namesBothArchitectures(object) ? { severity: 'info' as const } : {}),
  };
}

function namesBothArchitectures({ raw }: ManifestObject): boolean {
  const path = ['spec', 'template', 'spec', 'requirements'];
  return recordsOf(valueAt(raw, path)).some(
    ({ key, operator, values }) => key === Label.ARCH && operator === 'In' && stringsOf(values).length > 1,
  );
}

/** A NodePool with a requirement on the architecture allows arm64 on purpose. */
function amd64Fix({ raw }: ManifestObject): FieldFix | undefined {
  const path = ['spec', 'template', 'spec', 'requirements'];
  return recordsOf(valueAt(raw, path)).some(({ key }) => key === Label.ARCH)
    ? undefined
    : unsafeFix(appendItem(path, { key: Label.ARCH, operator: 'In', values: ['amd64'] }));
}

/** Names of the arm64 instance types that the NodePool allows. */
function arm64Types({ table, indices }: PoolLaunch): ReadonlySet<string> {
  const { values, codes } = table.labels.find(({ key }) => key === Label.ARCH)!;
  return new Set(indices.filter((index) => values[codes[index]] === ARM64).map((index) => table.names[index]));
}
