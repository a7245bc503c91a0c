import { podSpecOf } from './pod-constraints';
import { asRecord } from '../../../contract';
import { countText, memoizeByIdentity } from '../../../model';
import { isCount } from '../../manifest/field-reader';
import { FieldPath, ManifestModel, ManifestObject, WorkloadManifest } from '../../manifest/model';
import { recordsOf } from '../../manifest/records';
import { isGang } from '../../manifest/workload/custom/custom-kinds';

/** Pods that are useful only if enough of them run. */
export interface Gang {
  readonly object: ManifestObject;
  /** `JobSet ml/train`. */
  readonly name: string;
  readonly members: readonly WorkloadManifest[];
  /** How many pods have to run, as a clause. */
  readonly rule: string;
  /** The field with the number of pods that the gang waits for. @default - all of its pods, or each group by itself */
  readonly minimum?: GangMinimum;
  /** How many of the pods with a node can start. @param placed pods with a node of each member */
  startedPods(placed: readonly number[]): number;
}

export interface GangMinimum {
  readonly count: number;
  readonly path: FieldPath;
  /** Whether all pods are in the input. */
  readonly isComplete: boolean;
}

const POD_GROUP_LABEL = 'scheduling.x-k8s.io/pod-group';
const VOLCANO_ANNOTATION = 'scheduling.k8s.io/group-name';
const KUEUE_LABEL = 'kueue.x-k8s.io/pod-group-name';
const KUEUE_COUNT = 'kueue.x-k8s.io/pod-group-total-count';

/** The gangs of the input, as far as their pods are known. */
export const gangsOf = memoizeByIdentity((model: ManifestModel): readonly Gang[] => [
  ...controllersOf(model),
  ...podGroupsOf(model),
  ...kueueGroupsOf(model),
]);

/** JobSets, LeaderWorkerSets, training jobs and Jobs of Volcano, whose pods are derived from their templates. */
function controllersOf({ workloads }: ManifestModel): Gang[] {
  const byOwner = new Map<ManifestObject, WorkloadManifest[]>();
  for (const workload of workloads) {
    const { madeBy } = workload.object;
    if (madeBy !== undefined && isGang(madeBy)) byOwner.set(madeBy, [...(byOwner.get(madeBy) ?? []), workload]);
  }
  return [...byOwner].map(([object, members]) => {
    const base = { object, name: nameOf(object), members };
    const spec = asRecord(object.raw.spec);
    if (object.kind === 'LeaderWorkerSet') return { ...base, ...groupsOfSize(spec) };
    const ofPolicy = asRecord(asRecord(spec?.runPolicy)?.schedulingPolicy)?.minAvailable;
    const minAvailable = spec?.minAvailable ?? ofPolicy;
    if (!isCount(minAvailable)) return { ...base, ...atLeast(sum(members.map(({ replicas }) => replicas))) };
    const path = [
      'spec',
      ...(spec?.minAvailable === undefined ? ['runPolicy', 'schedulingPolicy'] : []),
      'minAvailable',
    ];
    return { ...base, ...atLeast(minAvailable), minimum: { count: minAvailable, path, isComplete: true } };
  });
}

/** Each leader needs its workers, so that every group starts by itself. The members are leaders and their workers. */
function groupsOfSize(spec: unknown): Pick<Gang, 'rule' | 'startedPods'> {
  const written = asRecord(asRecord(spec)?.leaderWorkerTemplate)?.size;
  const size = isCount(written) ? written : 1;
  return {
    rule: `each group needs ${countText(size, 'pod')}`,
    startedPods: (placed) =>
      size === 1
        ? sum(placed)
        : sum(
            placed.map((pods, index) =>
              index % 2 === 0 ? size * Math.min(pods, Math.floor(placed[index + 1] / (size - 1))) : 0,
            ),
          ),
  };
}

/** The PodGroups of coscheduling and of Volcano, and gangs of the Workload API. */
function podGroupsOf({ objects, workloads }: ManifestModel): Gang[] {
  return objects.flatMap((object): Gang[] => {
    const { apiVersion, kind, namespace = 'default', name, raw } = object;
    const spec = asRecord(raw.spec);
    const gangOf = (count: unknown, path: FieldPath, isMember: (workload: WorkloadManifest) => boolean): Gang[] => {
      const all = workloads.filter((workload) => workload.namespace === namespace && isMember(workload));
      const members = all.filter(({ shape }) => shape !== undefined);
      if (!isCount(count) || count < 2 || members.length === 0) return [];
      const minimum = { count, path, isComplete: members.length === all.length };
      return [{ object, name: nameOf(object), members, minimum, ...atLeast(count) }];
    };
    if (kind === 'PodGroup' && /^scheduling\.(x-k8s\.io|volcano\.sh)\//.test(apiVersion))
      return gangOf(spec?.minMember, ['spec', 'minMember'], (workload) => podGroupOf(workload)?.name === name);
    if (kind !== 'Workload' || !apiVersion.startsWith('scheduling.k8s.io/')) return [];
    return recordsOf(spec?.podGroups).flatMap((group, index) =>
      gangOf(
        asRecord(asRecord(group.policy)?.gang)?.minCount,
        ['spec', 'podGroups', index, 'policy', 'gang', 'minCount'],
        (workload) => {
          const reference = asRecord(podSpecOf(workload)?.workloadRef);
          return reference?.name === name && reference.podGroup === group.name;
        },
      ),
    );
  });
}

/** The PodGroup that the pods name: by a label for coscheduling, by an annotation for Volcano. */
export function podGroupOf(workload: WorkloadManifest): { name: string; path: FieldPath } | undefined {
  const { podLabels, podPath } = workload;
  const metadata = [...podPath.slice(0, -1), 'metadata'];
  const annotation = annotationsOf(workload)[VOLCANO_ANNOTATION];
  const label = podLabels[POD_GROUP_LABEL];
  if (label !== undefined) return { name: label, path: [...metadata, 'labels', POD_GROUP_LABEL] };
  return typeof annotation === 'string'
    ? { name: annotation, path: [...metadata, 'annotations', VOLCANO_ANNOTATION] }
    : undefined;
}

/** Kueue admits a group of Pods when as many exist as their annotation says. Its nodes are launched only then. */
function kueueGroupsOf({ workloads }: ManifestModel): Gang[] {
  const groups = new Map<string, WorkloadManifest[]>();
  for (const workload of workloads) {
    const name = workload.kind === 'Pod' ? workload.podLabels[KUEUE_LABEL] : undefined;
    const key = `${workload.namespace}/${name}`;
    if (name !== undefined) groups.set(key, [...(groups.get(key) ?? []), workload]);
  }
  return [...groups].flatMap(([key, members]) => {
    const count = Number(annotationsOf(members[0])[KUEUE_COUNT]);
    const path = ['metadata', 'annotations', KUEUE_COUNT];
    const isComplete = members.every(({ shape }) => shape !== undefined);
    return isCount(count)
      ? [
          {
            object: members[0].object,
            name: `pod group ${key}`,
            members,
            rule: '',
            minimum: { count, path, isComplete },
            startedPods: sum,
          },
        ]
      : [];
  });
}

function annotationsOf({ object, podPath }: WorkloadManifest): Readonly<Record<string, unknown>> {
  const template = podPath.slice(0, -1).reduce((value: any, key) => value?.[key], object.raw);
  return asRecord(asRecord(template?.metadata)?.annotations) ?? {};
}

function atLeast(minimum: number): Pick<Gang, 'rule' | 'startedPods'> {
  return {
    rule: `none of them starts with fewer than ${minimum}`,
    startedPods: (placed) => (sum(placed) >= minimum ? sum(placed) : 0),
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function nameOf({ kind, namespace = 'default', name }: ManifestObject): string {
  return `${kind} ${namespace}/${name}`;
}
