import { asRecord } from '../../contract';
import { ClusterPod, PodOwner } from '../../disruption';
import { DaemonSetSpec, RunningPod } from '../../scheduling';
import { podAge } from '../cluster/cluster-pod';
import { ManifestModel, ManifestObject, WorkloadManifest } from '../manifest/model';
import { stringMapOf, PlainRecord, recordsOf, scalarText } from '../manifest/records';

/** The priority classes that every Kubernetes cluster has, and their values. */
const BUILT_IN: ReadonlyMap<string, number> = new Map([
  ['system-cluster-critical', 2_000_000_000],
  ['system-node-critical', 2_000_001_000],
]);

/** The fields of a pod that decide how it is disrupted. */
type PodFacts = Pick<
  ClusterPod,
  'owner' | 'parallel' | 'annotations' | 'priority' | 'critical' | 'terminationGraceSeconds'
>;

/** The disruption facts of a workload's pods, from its pod template. */
export function workloadPodFacts(
  { object, kind, name, podPath }: Pick<WorkloadManifest, 'object' | 'kind' | 'name' | 'podPath'>,
  priorities: ReadonlyMap<string, number>,
): PodFacts {
  const template = podPath
    .slice(0, -1)
    .reduce<PlainRecord | undefined>((record, key) => asRecord(record?.[key]), object.raw);
  return {
    ...factsOf(asRecord(template?.metadata) ?? {}, asRecord(template?.spec) ?? {}, priorities),
    owner: kind === 'Pod' ? undefined : ownerOf(kind, name),
    ...(isParallel(object) ? { parallel: true } : {}),
  };
}

/** The disruption facts of a pod object that is pending, or that is rescheduled to another node. */
export function pendingPodFacts({ raw }: ManifestObject, priorities: ReadonlyMap<string, number>): PodFacts {
  const metadata = asRecord(raw.metadata) ?? {};
  return { ...factsOf(metadata, asRecord(raw.spec) ?? {}, priorities), owner: ownerOfPod(metadata) };
}

/** A running pod, with the facts of its object in the cluster files. */
export function runningClusterPod(
  pod: RunningPod,
  { raw }: ManifestObject,
  priorities: ReadonlyMap<string, number>,
): ClusterPod {
  const metadata = asRecord(raw.metadata) ?? {};
  const status = asRecord(raw.status) ?? {};
  const startedAt = Date.parse(scalarText(status.startTime));
  const killedAt = Date.parse(scalarText(metadata.deletionTimestamp));
  return {
    ...pod,
    ...factsOf(metadata, asRecord(raw.spec) ?? {}, priorities),
    owner: ownerOfPod(metadata),
    age: podAge(metadata),
    ready: !recordsOf(status.conditions).some(
      (condition) => condition.type === 'Ready' && condition.status === 'False',
    ),
    ...(status.phase === 'Pending' ? { starting: true } : {}),
    ...(Number.isNaN(startedAt) ? {} : { startedAt }),
    ...(Number.isNaN(killedAt) ? {} : { killDeadline: killedAt }),
  };
}

/** Whether a StatefulSet creates all missing pods at once (`podManagementPolicy: Parallel`). */
export function isParallel({ kind, raw }: ManifestObject): boolean {
  return kind === 'StatefulSet' && raw.spec?.podManagementPolicy === 'Parallel';
}

/** Values of the PriorityClasses in the input and of the built-in ones, by name. */
export function priorityClasses(objects: readonly ManifestObject[]): Map<string, number> {
  const own = objects.filter(
    ({ kind, apiVersion }) => kind === 'PriorityClass' && apiVersion.startsWith('scheduling.k8s.io/'),
  );
  return new Map([
    ...BUILT_IN,
    ...own.flatMap(({ name, raw }) => (typeof raw.value === 'number' ? [[name, raw.value] as const] : [])),
  ]);
}

function factsOf(metadata: PlainRecord, spec: PlainRecord, priorities: ReadonlyMap<string, number>): PodFacts {
  const { priority, priorityClassName, terminationGracePeriodSeconds: grace } = spec;
  const named = typeof priorityClassName === 'string' ? priorityClassName : '';
  return {
    annotations: stringMapOf(metadata.annotations),
    priority: typeof priority === 'number' ? priority : (priorities.get(named) ?? 0),
    critical: BUILT_IN.has(named),
    ...(typeof grace === 'number' ? { terminationGraceSeconds: grace } : {}),
  };
}

/** The workload that owns a pod; for a ReplicaSet, its Deployment. */
export function ownerOfPod(metadata: PlainRecord): PodOwner | undefined {
  const [first] = recordsOf(metadata.ownerReferences);
  if (!first) return undefined;
  const [kind, name] = [scalarText(first.kind), scalarText(first.name)];
  if (kind === '' || name === '') return undefined;
  const suffix = `-${stringMapOf(metadata.labels)['pod-template-hash']}`;
  return kind === 'ReplicaSet' && name.endsWith(suffix)
    ? { kind: 'Deployment', name: name.slice(0, -suffix.length) }
    : ownerOf(kind, name);
}

/** Pods of a CronJob belong to its Jobs. */
function ownerOf(kind: string, name: string): PodOwner {
  return { kind: kind === 'CronJob' ? 'Job' : kind, name };
}

const POD_PATH = ['spec', 'template', 'spec'];

type DaemonSetManifest = Pick<WorkloadManifest, 'object' | 'kind' | 'namespace' | 'name' | 'podPath'>;

/** One pod of each DaemonSet in the manifests and in the cluster files. */
export function daemonPodsOf(
  { workloads, cluster }: ManifestModel,
  daemonSets: readonly DaemonSetSpec[],
  priorities: ReadonlyMap<string, number>,
): ClusterPod[] {
  const inCluster = (cluster?.objects ?? []).filter(
    ({ kind, apiVersion }) => kind === 'DaemonSet' && apiVersion === 'apps/v1',
  );
  const manifests = [
    ...workloads.filter(({ kind }) => kind === 'DaemonSet'),
    ...inCluster.map((object) => ({
      object,
      kind: 'DaemonSet' as const,
      namespace: object.namespace ?? 'default',
      name: object.name,
      podPath: POD_PATH,
    })),
  ];
  return daemonSets.map(({ namespace, name, shape }) => {
    const daemonSet: DaemonSetManifest | undefined = manifests.find(
      (manifest) => manifest.namespace === namespace && manifest.name === name,
    );
    return { namespace, name, shape, daemon: true, ...(daemonSet ? workloadPodFacts(daemonSet, priorities) : {}) };
  });
}
