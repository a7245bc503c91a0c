import { DrainDraft, REMAINING_NODE } from './scenario';
import { Json } from '../../test/support/schedule-scenario/draft';

const GRACES = [0, 1, 5, 30, 60, 600, 1_200];
const CRITICAL = ['system-cluster-critical', 'system-node-critical'];
const TOLERATIONS = [
  [{ operator: 'Exists' }],
  [{ key: 'karpenter.sh/disrupted', operator: 'Exists' }],
  [{ key: 'karpenter.sh/disrupted', operator: 'Exists', effect: 'NoExecute' }],
  [{ key: 'karpenter.sh/disrupted', operator: 'Equal', value: 'x', effect: 'NoSchedule' }],
];
const PROTECTIONS = ['true', 'false', '5m', '3h', '90s', 'soon'];
const AGES = [30, 200, 800, 7_200];
/** Seconds from now until the grace period of an already terminating pod ends. */
const TERMINATION_ENDS = [-300, -30, 3, 40, 700];
const KINDS = [
  'ReplicaSet',
  'ReplicaSet',
  'ReplicaSet',
  'StatefulSet',
  'StatefulSet',
  'DaemonSet',
  'DaemonSet',
  'Job',
  'Pod',
  'Node',
];

/** Adds the pods of random workloads to the deleted nodes and to the remaining one. */
export function addRandomPods(draft: DrainDraft): void {
  const { dice } = draft;
  const workloads = dice.between(1, 6);
  for (let nth = 0; nth < workloads; nth += 1) {
    const kind = dice.pick(KINDS);
    const name = `${kind.toLowerCase()}-${nth}`;
    const terms = termsOf(draft);
    const isAlone = kind === 'DaemonSet' || kind === 'Pod' || kind === 'Node';
    const replicas = isAlone ? 1 : dice.pick([1, 2, 3, 5]);
    for (let ordinal = 0; ordinal < replicas; ordinal += 1) {
      draft.pods.push(
        pod(draft, kind, name, ordinal, isAlone || dice.chance(0.7) ? dice.pick(draft.nodes) : REMAINING_NODE, terms),
      );
    }
  }
}

interface Terms {
  readonly spec: Json;
  readonly annotations?: Json;
}

function termsOf({ dice, features }: DrainDraft): Terms {
  const draw = <Value>(name: string, share: number, from: readonly Value[]): Value | undefined => {
    if (!dice.chance(share)) return undefined;
    const value = dice.pick(from);
    features.add(`${name} ${JSON.stringify(value)}`);
    return value;
  };
  const grace = draw('grace', 0.6, GRACES);
  const priority = draw('priority', 0.25, CRITICAL);
  const tolerations = draw('tolerations', 0.2, TOLERATIONS);
  const protection = draw('do-not-disrupt', 0.2, PROTECTIONS);
  return {
    spec: {
      containers: [{ name: 'main', image: 'main', resources: { requests: { cpu: '100m', memory: '64Mi' } } }],
      ...(grace === undefined ? {} : { terminationGracePeriodSeconds: grace }),
      ...(priority === undefined ? {} : { priorityClassName: priority }),
      ...(tolerations === undefined ? {} : { tolerations }),
    },
    ...(protection === undefined ? {} : { annotations: { 'karpenter.sh/do-not-disrupt': protection } }),
  };
}

function pod(
  { dice, now, features }: DrainDraft,
  kind: string,
  workload: string,
  ordinal: number,
  node: string,
  { spec, annotations }: Terms,
): Json {
  const name =
    kind === 'ReplicaSet' ? `${workload}-abc12-${ordinal}` : kind === 'Pod' ? workload : `${workload}-${ordinal}`;
  const started = new Date(now - dice.pick(AGES) * 1_000).toISOString().replace('.000Z', 'Z');
  const isOver = node !== REMAINING_NODE && kind !== 'Node' && dice.chance(0.06);
  const isTerminating = node !== REMAINING_NODE && !isOver && dice.chance(0.08);
  const terminationEnds = isTerminating
    ? Math.min(dice.pick(TERMINATION_ENDS), spec.terminationGracePeriodSeconds ?? 30)
    : undefined;
  if (isOver) features.add('finished');
  if (terminationEnds !== undefined) features.add(`terminating ${terminationEnds}`);
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: 'default',
      uid: `pod-${name}`,
      creationTimestamp: started,
      ...(terminationEnds === undefined
        ? {}
        : { deletionTimestamp: new Date(now + terminationEnds * 1_000).toISOString().replace('.000Z', 'Z') }),
      labels: { app: workload, tier: kind, ...(kind === 'ReplicaSet' ? { 'pod-template-hash': 'abc12' } : {}) },
      ...(annotations ? { annotations } : {}),
      ...(kind === 'Pod' ? {} : { ownerReferences: [owner(kind, workload, node)] }),
    },
    spec: { ...spec, nodeName: node },
    status: isOver
      ? { phase: dice.pick(['Succeeded', 'Failed']), startTime: started }
      : {
          phase: 'Running',
          startTime: started,
          conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: started }],
        },
  };
}

function owner(kind: string, workload: string, node: string): Json {
  const controller = { uid: `of-${workload}`, controller: true, kind };
  if (kind === 'Node') return { ...controller, apiVersion: 'v1', name: node };
  return {
    ...controller,
    apiVersion: kind === 'Job' ? 'batch/v1' : 'apps/v1',
    name: kind === 'ReplicaSet' ? `${workload}-abc12` : workload,
  };
}

const ALLOWANCES = [
  { maxUnavailable: 1 },
  { maxUnavailable: 1 },
  { maxUnavailable: '50%' },
  { maxUnavailable: 0 },
  { minAvailable: 1 },
  { minAvailable: 2 },
  { minAvailable: '100%' },
];

/** PodDisruptionBudgets of scalable workloads; rarely two for one workload. */
export function randomPdbs({ dice, pods, features }: DrainDraft): Json[] {
  const scaled = pods.filter(({ metadata }) => ['ReplicaSet', 'StatefulSet'].includes(metadata.labels.tier));
  const workloads = [...new Set(scaled.map(({ metadata }) => metadata.labels.app as string))];
  return workloads.flatMap((app) => {
    const count = dice.pick([0, 0, 1, 1, 1, 1, 1, 1, 2]);
    return Array.from({ length: count }, (_, nth): Json => {
      const allowance = dice.pick(ALLOWANCES);
      features.add(`${count > 1 ? 'two budgets' : 'budget'} ${JSON.stringify(allowance)}`);
      return {
        apiVersion: 'policy/v1',
        kind: 'PodDisruptionBudget',
        metadata: { name: `${app}-${nth}`, namespace: 'default' },
        spec: { ...allowance, selector: { matchLabels: { app } } },
      };
    });
  });
}
