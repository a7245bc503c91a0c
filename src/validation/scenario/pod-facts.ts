import { asRecord } from '../../contract';
import { ClusterPod, PodOwner } from '../../disruption';
import { RunningPod } from '../../scheduling';
import { podAge } from '../cluster/cluster-pod';
import { textsOf } from '../cluster/state-node';
import { ManifestObject, WorkloadManifest } from '../manifest/model';
import { PlainRecord, recordsOf, textOf } from '../manifest/records';

/** The priority classes that Kubernetes comes with, and what they are worth. */
const BUILT_IN: ReadonlyMap<string, number> = new Map([['system-cluster-critical', 2_000_000_000], ['system-node-critical', 2_000_001_000]]);

type Facts = Pick<ClusterPod, 'owner' | 'madeAtOnce' | 'annotations' | 'priority' | 'critical' | 'terminationGraceSeconds'>;

/** What decides about a pod of a workload when its node goes. */
export function factsOfWorkload({ object, kind, name, podPath }: Pick<WorkloadManifest, 'object' | 'kind' | 'name' | 'podPath'>, priorities: ReadonlyMap<string, number>): Facts {
  const template = podPath.slice(0, -1).reduce<PlainRecord | undefined>((at, key) => asRecord(at?.[key]), object.raw);
  return {
    ...factsOf(asRecord(template?.metadata) ?? {}, asRecord(template?.spec) ?? {}, priorities),
    owner: kind === 'Pod' ? undefined : ownerOf(kind, name),
    ...(isParallel(object) ? { madeAtOnce: true } : {}),
  };
}

/** What the cluster tells of a pod that comes to another node than it is on, or that waits for one. */
export function factsOfComingPod({ raw }: ManifestObject, priorities: ReadonlyMap<string, number>): Facts {
  const metadata = asRecord(raw.metadata) ?? {};
  return { ...factsOf(metadata, asRecord(raw.spec) ?? {}, priorities), owner: makerOf(metadata) };
}

/** What the cluster tells of a pod that runs. */
export function factsOfPod(pod: RunningPod, { raw }: ManifestObject, priorities: ReadonlyMap<string, number>): ClusterPod {
  const metadata = asRecord(raw.metadata) ?? {};
  const status = asRecord(raw.status) ?? {};
  const startedAt = Date.parse(textOf(status.startTime));
  const killedAt = Date.parse(textOf(metadata.deletionTimestamp));
  return {
    ...pod,
    ...factsOf(metadata, asRecord(raw.spec) ?? {}, priorities),
    owner: makerOf(metadata),
    age: podAge(metadata),
    ready: !recordsOf(status.conditions).some((condition) => condition.type === 'Ready' && condition.status === 'False'),
    ...(status.phase === 'Pending' ? { starting: true } : {}),
    ...(Number.isNaN(startedAt) ? {} : { startedAt }),
    ...(Number.isNaN(killedAt) ? {} : { killedAt }),
  };
}

/** Whether a StatefulSet makes all of its pods at once. */
export function isParallel({ kind, raw }: ManifestObject): boolean {
  return kind === 'StatefulSet' && asRecord(raw.spec)?.podManagementPolicy === 'Parallel';
}

/** By name: what the PriorityClasses of the input are worth. */
export function priorityClasses(objects: readonly ManifestObject[]): Map<string, number> {
  const own = objects.filter(({ kind, apiVersion }) => kind === 'PriorityClass' && apiVersion.startsWith('scheduling.k8s.io/'));
  return new Map([...BUILT_IN, ...own.flatMap(({ name, raw }) => typeof raw.value === 'number' ? [[name, raw.value] as const] : [])]);
}

function factsOf(metadata: PlainRecord, spec: PlainRecord, priorities: ReadonlyMap<string, number>): Facts {
  const { priority, priorityClassName, terminationGracePeriodSeconds: grace } = spec;
  const named = typeof priorityClassName === 'string' ? priorityClassName : '';
  return {
    annotations: textsOf(metadata.annotations),
    priority: typeof priority === 'number' ? priority : priorities.get(named) ?? 0,
    critical: BUILT_IN.has(named),
    ...(typeof grace === 'number' ? { terminationGraceSeconds: grace } : {}),
  };
}

/** A Deployment in place of its ReplicaSet. */
export function makerOf(metadata: PlainRecord): PodOwner | undefined {
  const [first] = recordsOf(metadata.ownerReferences);
  if (!first) return undefined;
  const [kind, name] = [textOf(first.kind), textOf(first.name)];
  if (kind === '' || name === '') return undefined;
  const suffix = `-${textsOf(metadata.labels)['pod-template-hash']}`;
  return kind === 'ReplicaSet' && name.endsWith(suffix) ? { kind: 'Deployment', name: name.slice(0, -suffix.length) } : ownerOf(kind, name);
}

/** What a CronJob makes Jobs make. */
function ownerOf(kind: string, name: string): PodOwner {
  return { kind: kind === 'CronJob' ? 'Job' : kind, name };
}
