import { podSpecOf } from './pod-constraints';
import { asRecord } from '../../../contract';
import { countText, memoizeByIdentity } from '../../../model';
import { isCount } from '../../manifest/field-reader';
import { ManifestModel, ManifestObject, WorkloadManifest } from '../../manifest/model';
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
  /** How many of the pods with a node can start. @param placed pods with a node of each member */
  startedPods(placed: readonly number[]): number;
}

const POD_GROUP_LABEL = 'scheduling.x-k8s.io/pod-group';
const VOLCANO_ANNOTATION = 'scheduling.k8s.io/group-name';

/** The gangs of the input, as far as their pods are known. */
export const gangsOf = memoizeByIdentity((model: ManifestModel): readonly Gang[] => [
  ...controllersOf(model),
  ...podGroupsOf(model),
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
    if (object.kind === 'LeaderWorkerSet') return { ...base, ...groupsOfSize(members) };
    const minAvailable = spec?.minAvailable ?? asRecord(asRecord(spec?.runPolicy)?.schedulingPolicy)?.minAvailable;
    return { ...base, ...atLeast(isCount(minAvailable) ? minAvailable : sum(members.map(({ replicas }) => replicas))) };
  });
}

/** Each leader needs its workers, so that every group starts by itself. */
function groupsOfSize([leaders, workers]: readonly WorkloadManifest[]): Pick<Gang, 'rule' | 'startedPods'> {
  const size = workers === undefined || leaders.replicas === 0 ? 1 : 1 + workers.replicas / leaders.replicas;
  return {
    rule: `each group needs ${countText(size, 'pod')}`,
    startedPods: ([ofLeaders, ofWorkers = 0]) =>
      size === 1 ? ofLeaders : size * Math.min(ofLeaders, Math.floor(ofWorkers / (size - 1))),
  };
}

/** The PodGroups of coscheduling and of Volcano, and gangs of the Workload API. */
function podGroupsOf({ objects, workloads }: ManifestModel): Gang[] {
  return objects.flatMap((object): Gang[] => {
    const { apiVersion, kind, namespace = 'default', name, raw } = object;
    const spec = asRecord(raw.spec);
    const near = workloads.filter((workload) => workload.namespace === namespace && workload.shape !== undefined);
    const gangOf = (minimum: unknown, isMember: (workload: WorkloadManifest) => boolean): Gang[] => {
      const members = near.filter(isMember);
      if (!isCount(minimum) || minimum < 2 || members.length === 0) return [];
      return [{ object, name: nameOf(object), members, ...atLeast(minimum) }];
    };
    if (kind === 'PodGroup' && /^scheduling\.(x-k8s\.io|volcano\.sh)\//.test(apiVersion))
      return gangOf(
        spec?.minMember,
        (workload) =>
          workload.podLabels[POD_GROUP_LABEL] === name || annotationsOf(workload)[VOLCANO_ANNOTATION] === name,
      );
    if (kind !== 'Workload' || !apiVersion.startsWith('scheduling.k8s.io/')) return [];
    return recordsOf(spec?.podGroups).flatMap((group) =>
      gangOf(asRecord(asRecord(group.policy)?.gang)?.minCount, (workload) => {
        const reference = asRecord(podSpecOf(workload)?.workloadRef);
        return reference?.name === name && reference.podGroup === group.name;
      }),
    );
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
