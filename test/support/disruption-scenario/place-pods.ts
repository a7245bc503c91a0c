import { ago, DisruptionDraft, HOUR, Machine, MINUTE, SECOND } from './draft';
import { mebis, millis } from './machines';
import { Json, podOf } from '../schedule-scenario/draft';

/** Places the pods of the workloads on machines that have room; leaves out pods that fit nowhere. */
export function placePods(draft: DisruptionDraft): void {
  for (const machine of draft.machines) addDaemonPods(draft, machine);
  for (const workload of draft.workloads) {
    const replicas = workload.spec.replicas ?? workload.spec.parallelism ?? 1;
    for (let ordinal = 0; ordinal < replicas; ordinal += 1) {
      const machine = placeFor(draft, workload);
      if (machine) run(draft, machine, `${nameOf(workload)}-${ordinal}`, workload);
    }
  }
}

function nameOf({ kind, metadata }: Json): string {
  return kind === 'Deployment' ? `${metadata.name}-abc12` : metadata.name;
}

function placeFor({ dice, machines }: DisruptionDraft, workload: Json): Machine | undefined {
  const { spec } = podOf(workload);
  const { cpu, memory } = sizeOf(spec);
  const roomy = machines.filter(({ free }) => free.cpu >= cpu && free.memory >= memory && free.pods > 0);
  const suitable = roomy.filter(({ node }) => suits(spec, node));
  if (suitable.length > 0) return dice.pick(suitable);
  return roomy.length > 0 && dice.chance(0.3) ? dice.pick(roomy) : undefined;
}

function suits(spec: Json, { metadata: { labels }, spec: { taints } }: Json): boolean {
  const selected = Object.entries(spec.nodeSelector ?? {}).every(
    ([key, value]) => labels[key] === undefined || labels[key] === value,
  );
  const tolerated = (taints as Json[]).every(({ key }) =>
    (spec.tolerations ?? []).some((each: Json) => each.key === undefined || each.key === key),
  );
  return selected && tolerated;
}

function sizeOf({ containers }: Json): { cpu: number; memory: number } {
  const requests: Json[] = containers.map(({ resources }: Json) => ({ ...resources?.limits, ...resources?.requests }));
  return {
    cpu: requests.reduce((sum, { cpu }) => sum + millis(cpu), 0),
    memory: requests.reduce((sum, { memory }) => sum + mebis(memory), 0),
  };
}

function run(draft: DisruptionDraft, machine: Machine, name: string, workload: Json): void {
  const {
    kind,
    metadata: { name: workloadName, namespace = 'default' },
  } = workload;
  const { metadata, spec } = podOf(workload);
  const owner = {
    apiVersion: kind === 'Job' ? 'batch/v1' : 'apps/v1',
    kind: kind === 'Deployment' ? 'ReplicaSet' : kind,
    name: nameOf(workload),
    uid: `of-${workloadName}`,
    controller: true,
  };
  const labels = { ...metadata.labels, ...(kind === 'Deployment' ? { 'pod-template-hash': 'abc12' } : {}) };
  addPod(draft, machine, {
    name,
    namespace,
    labels,
    annotations: metadata.annotations,
    spec,
    ...(kind === 'Pod' ? {} : { owner }),
  });
}

export interface PodFields {
  readonly name: string;
  readonly spec: Json;
  readonly namespace?: string;
  readonly labels?: Json;
  readonly annotations?: Json;
  readonly owner?: Json;
}

/** A running, ready pod that is not older than its node. */
export function addPod(
  draft: DisruptionDraft,
  machine: Machine,
  { name, namespace = 'default', labels, annotations, owner, spec }: PodFields,
): Json {
  const { dice, now } = draft;
  const age = dice.between(SECOND, Math.min(now - Date.parse(machine.node.metadata.creationTimestamp), 50 * HOUR));
  // Pods of one workload are often created in the same second, and start some time later.
  const created = ago(draft, Math.ceil(age / (10 * MINUTE)) * 10 * MINUTE);
  const startedAt = ago(draft, Math.floor(age / SECOND) * SECOND);
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace,
      uid: `pod-${String(dice.between(0, 99_999)).padStart(5, '0')}-${name}`,
      creationTimestamp: created,
      labels,
      ...(annotations ? { annotations } : {}),
      ...(owner ? { ownerReferences: [owner] } : {}),
    },
    spec: { ...structuredClone(spec), nodeName: machine.name },
    status: {
      phase: 'Running',
      startTime: startedAt,
      conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: startedAt }],
    },
  };
  machine.pods.push(pod);
  const { cpu, memory } = sizeOf(spec);
  machine.free.cpu -= cpu;
  machine.free.memory -= memory;
  machine.free.pods -= 1;
  return pod;
}

/** The pods of the DaemonSets on the machine; sometimes one is still missing. */
function addDaemonPods(draft: DisruptionDraft, machine: Machine): void {
  const { dice, daemonSets } = draft;
  for (const {
    metadata: { name, namespace = 'default' },
    spec: { template },
  } of daemonSets) {
    if (!dice.chance(0.85)) continue;
    const owner = {
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      name,
      uid: `daemonset-${namespace}-${name}`,
      controller: true,
    };
    const tolerations = [
      ...(template.spec.tolerations ?? []),
      { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute' },
    ];
    addPod(draft, machine, {
      name: `${name}-${machine.name}`,
      namespace,
      labels: template.metadata.labels,
      owner,
      spec: { ...template.spec, tolerations },
    });
  }
}

/** A pending pod of random size. */
export function addWaitingPod(draft: DisruptionDraft, spec: Json, labels: Json): void {
  const { dice, cluster } = draft;
  cluster.push({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `waiting-${cluster.length}`,
      namespace: 'default',
      uid: `wait-${cluster.length}`,
      creationTimestamp: ago(draft, dice.between(1, 60) * MINUTE * dice.pick([1, 10])),
      labels,
    },
    spec,
    status: {
      phase: 'Pending',
      conditions: [
        { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', lastTransitionTime: ago(draft, MINUTE) },
      ],
    },
  });
}
