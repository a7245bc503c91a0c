import { Draft, Feature, Json, podOf, poolTemplate } from './draft';
import { addMachine, addReplicas, addStrangers, Machine, pod } from './machines';
import { csiNode, mountClaims, shareClaims, statefulVolumes } from './storage-features';
import { requests } from './workloads';

/** Mostly nodes of the pools; some belong to no NodePool, or to a deleted one. */
function machines(draft: Draft, most: number): Machine[] {
  const { dice, pools } = draft;
  return Array.from({ length: dice.between(1, most) }, () =>
    addMachine(draft, dice.chance(0.85) ? dice.pick(pools) : undefined),
  );
}

const existingNodes: Feature = {
  name: 'existingNodes',
  apply(draft) {
    for (const machine of machines(draft, 8)) addStrangers(draft, machine);
  },
};

/** Nodes that are not ready yet: Karpenter schedules on nodes that it has launched, even before they are ready. */
const nodesComingUp: Feature = {
  name: 'nodesComingUp',
  apply(draft) {
    const { dice, cluster } = draft;
    for (const { node, claim } of machines(draft, 4)) {
      if (!claim) continue;
      delete node.metadata.labels['karpenter.sh/initialized'];
      node.spec.taints = [
        ...node.spec.taints,
        ...(claim.spec.startupTaints ?? []),
        { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' },
      ];
      dice.pick([
        () => {},
        () => {
          node.status = { capacity: {}, allocatable: {} };
        },
        () => {
          node.status = {
            capacity: node.status.capacity,
            allocatable: { ...node.status.allocatable, cpu: '0', 'nvidia.com/gpu': '0' },
          };
        },
        () => {
          delete node.metadata.labels['karpenter.sh/registered'];
          node.spec.taints.push({ key: 'karpenter.sh/unregistered', effect: 'NoExecute' });
        },
        () => {
          cluster.splice(cluster.indexOf(node), 1);
        },
      ])();
    }
  },
};

/** Deleting nodes: their pods need other nodes, except pods that stay until termination. */
const leavingNodes: Feature = {
  name: 'leavingNodes',
  apply(draft) {
    const { dice, cluster } = draft;
    const [first, ...others] = machines(draft, 3);
    for (const machine of [first, ...others]) {
      addStrangers(draft, machine, () =>
        dice.chance(0.15) ? { metadata: { annotations: { 'karpenter.sh/do-not-disrupt': 'true' } } } : {},
      );
      const { node, claim } = machine;
      if (machine !== first && dice.chance(0.4)) continue;
      if (!claim) {
        node.metadata.deletionTimestamp = '2026-01-01T00:00:00Z';
      } else {
        dice.pick([
          () => {
            claim.metadata.deletionTimestamp = '2026-01-01T00:00:00Z';
          },
          () => {
            node.spec.taints = [...node.spec.taints, { key: 'karpenter.sh/disrupted', effect: 'NoSchedule' }];
          },
          () => {
            claim.status.conditions = [
              {
                type: 'InstanceTerminating',
                status: 'True',
                reason: 'InstanceTerminating',
                message: '',
                lastTransitionTime: '2026-01-01T00:00:00Z',
              },
            ];
          },
        ])();
      }
    }
    if (!dice.chance(0.3)) return;
    const spec = dice.pick<Json>([{ maxUnavailable: 0 }, { minAvailable: '100%' }, { maxUnavailable: 1 }]);
    cluster.push({
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'keep', namespace: 'default' },
      spec: { selector: { matchLabels: { app: dice.pick(['web', 'api', 'worker']) } }, ...spec },
    });
  },
};

/** Running pods of the workload, at most its replicas; the rest is pending. */
const runningReplicas: Feature = {
  name: 'runningReplicas',
  apply(draft) {
    const { dice, workloads } = draft;
    const nodes = machines(draft, 4);
    for (const workload of workloads) {
      const replicas = workload.spec.replicas ?? workload.spec.parallelism ?? 0;
      if (workload.kind === 'Pod' || replicas === 0 || !dice.chance(0.6)) continue;
      addReplicas(draft, workload, dice.pick(nodes), dice.between(1, Math.min(4, replicas)));
    }
  },
};

const waitingPods: Feature = {
  name: 'waitingPods',
  apply(draft) {
    const { dice, cluster, pools } = draft;
    for (let count = dice.between(1, 5); count > 0; count -= 1) {
      const labels = { app: dice.pick(['web', 'api', 'legacy']), tier: dice.pick(['front', 'back']) };
      const tolerations = dice.chance(0.3) ? { tolerations: poolTemplate(dice.pick(pools)).spec.taints ?? [] } : {};
      const status = {
        phase: 'Pending',
        conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }],
      };
      const spec = {
        containers: [{ name: 'main', image: 'registry.example/app:1', resources: { requests: requests(dice) } }],
        ...tolerations,
      };
      cluster.push(pod(draft, `waiting-${cluster.length}`, { labels, spec, status }));
    }
  },
};

/** CSINodes with volume limits, and attached volumes. */
const attachLimits: Feature = {
  name: 'attachLimits',
  apply(draft) {
    const { dice, cluster, workloads } = draft;
    const mounts = ({ spec }: Json) => spec.volumes !== undefined;
    if (!workloads.some((workload) => workload.spec.volumeClaimTemplates || mounts(podOf(workload))))
      statefulVolumes.apply(draft);
    for (const machine of machines(draft, 4)) addStrangers(draft, machine);
    const running = cluster.filter(
      (object) => object.kind === 'Pod' && object.spec.nodeName !== undefined && !mounts(object),
    );
    for (const each of dice.some(running, Math.round(running.length * dice.pick([0, 0.3, 1]))))
      mountClaims(draft, each);
    if (dice.chance(0.7)) shareClaims(draft);
    for (const {
      metadata: { name },
    } of cluster.filter(({ kind }) => kind === 'Node')) {
      if (!dice.chance(0.8)) continue;
      cluster.push(csiNode(name, dice.chance(0.2) ? undefined : dice.pick([0, 1, 1, 2, 2, 3, 5, 25])));
    }
  },
};

/** Applied last, because these features copy what the others have made. */
export const CLUSTER_FEATURES: readonly Feature[] = [
  existingNodes,
  nodesComingUp,
  leavingNodes,
  runningReplicas,
  waitingPods,
  attachLimits,
];
