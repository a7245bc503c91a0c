import { ago, DisruptionDraft, DisruptionFeature, HOUR, MINUTE, SECOND, someOf } from './draft';
import { PARTITION } from './group-labels';
import { condition } from './machines';
import { Json } from '../schedule-scenario/draft';

const DISRUPTED = { key: 'karpenter.sh/disrupted', effect: 'NoSchedule' };
const NOT_READY = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };

export const protectedNodes: DisruptionFeature = {
  name: 'protectedNodes',
  apply(draft) {
    for (const { node } of someOf(draft, draft.machines, [0.1, 0.3])) {
      node.metadata.annotations = {
        ...node.metadata.annotations,
        'karpenter.sh/do-not-disrupt': draft.dice.pick(['true', 'true', 'false', '1h']),
      };
    }
  },
};

const driftedNodes: DisruptionFeature = {
  name: 'driftedNodes',
  apply(draft) {
    for (const { claim } of someOf(draft, draft.machines)) drift(claim, draft);
  },
};

export function drift({ status }: Json, draft: DisruptionDraft): void {
  const { dice } = draft;
  const reason = dice.pick(['NodePoolDrifted', 'AMIDrift', 'RequirementsDrifted', 'SubnetDrift']);
  const drifted = condition('Drifted', ago(draft, dice.between(1, 5_000) * SECOND), reason);
  status.conditions = [...status.conditions.filter(({ type }: Json) => type !== 'Drifted'), drifted];
}

const driftedStaticPools: DisruptionFeature = {
  name: 'driftedStaticPools',
  apply(draft) {
    const { dice, settings, machines } = draft;
    settings.featureGates.StaticCapacity = true;
    for (const pool of someOf(draft, draft.pools)) {
      const own = machines.filter((machine) => machine.pool === pool.metadata.name);
      pool.spec.replicas = Math.max(0, own.length + dice.pick([-1, 0, 0, 0, 1, 2]));
      delete pool.spec.weight;
      delete pool.spec.limits;
      if (dice.chance(0.4)) pool.spec.limits = { nodes: String(Math.max(1, own.length + dice.pick([0, 1, 2]))) };
      for (const { claim } of someOf(draft, own)) drift(claim, draft);
    }
  },
};

export const nominatedNodes: DisruptionFeature = {
  name: 'nominatedNodes',
  apply: (draft) => {
    draft.nominated.push(...someOf(draft, draft.machines, [0.1, 0.3]).map(({ name }) => name));
  },
};

const nodesComingUp: DisruptionFeature = {
  name: 'nodesComingUp',
  apply(draft) {
    const { dice } = draft;
    for (const machine of someOf(draft, draft.machines, [0.1, 0.3])) {
      const { node, claim } = machine;
      delete node.metadata.labels['karpenter.sh/initialized'];
      claim.status.conditions = claim.status.conditions.filter(({ type }: Json) => type !== 'Initialized');
      node.spec.taints = [...node.spec.taints, ...(claim.spec.startupTaints ?? []), ...dice.pick([[], [NOT_READY]])];
      if (dice.chance(0.3)) node.status.conditions[0].status = 'False';
      if (!dice.chance(0.4)) continue;
      delete node.metadata.labels['karpenter.sh/registered'];
      node.spec.taints.push({ key: 'karpenter.sh/unregistered', effect: 'NoExecute' });
      claim.status.conditions = claim.status.conditions.filter(({ type }: Json) => type !== 'Registered');
      // Karpenter asks EC2 for the partition when the node registers.
      if (claim.metadata.labels[PARTITION] !== undefined && dice.chance(0.5)) claim.metadata.labels[PARTITION] = '';
    }
  },
};

export const leavingNodes: DisruptionFeature = {
  name: 'leavingNodes',
  apply(draft) {
    for (const { node, claim } of someOf(draft, draft.machines, [0.1, 0.3])) {
      draft.dice.pick([
        () => {
          claim.metadata.deletionTimestamp = ago(draft, MINUTE);
        },
        () => {
          node.spec.taints = [...node.spec.taints, DISRUPTED];
        },
        () => {
          claim.metadata.deletionTimestamp = ago(draft, MINUTE);
          claim.status.conditions.push(condition('InstanceTerminating', ago(draft, MINUTE)));
        },
      ])();
    }
  },
};

export const unreadyNodes: DisruptionFeature = {
  name: 'unreadyNodes',
  apply(draft) {
    for (const { node } of someOf(draft, draft.machines, [0.1, 0.3]))
      node.status.conditions[0].status = draft.dice.pick(['False', 'Unknown']);
  },
};

/** Removes facts about a node that Karpenter needs. */
const nodesWithoutFacts: DisruptionFeature = {
  name: 'nodesWithoutFacts',
  apply(draft) {
    for (const { node, claim } of someOf(draft, draft.machines, [0.1, 0.3])) {
      const [key, value] = draft.dice.pick<readonly [string, string?]>([
        ['karpenter.sh/capacity-type'],
        ['topology.kubernetes.io/zone'],
        ['node.kubernetes.io/instance-type', 'x9.large'],
        ['karpenter.sh/nodepool', 'gone'],
      ]);
      for (const { labels } of [node.metadata, claim.metadata])
        if (value === undefined) delete labels[key];
        else labels[key] = value;
    }
  },
};

const recentlyUsedNodes: DisruptionFeature = {
  name: 'recentlyUsedNodes',
  apply(draft) {
    const { dice, pools } = draft;
    for (const pool of pools) if (dice.chance(0.7)) pool.spec.disruption.consolidateAfter = dice.pick(['5m', '1h']);
    const ages = [0, 10_000, 4 * MINUTE, 5 * MINUTE, 6 * MINUTE, HOUR];
    for (const { claim } of someOf(draft, draft.machines)) claim.status.lastPodEventTime = ago(draft, dice.pick(ages));
  },
};

/** A taint that Karpenter did not write. */
const foreignNodes: DisruptionFeature = {
  name: 'foreignNodes',
  apply(draft) {
    for (const machine of someOf(draft, draft.machines, [0.1, 0.2])) {
      const { labels } = machine.node.metadata;
      for (const key of Object.keys(labels)) if (key.startsWith('karpenter')) delete labels[key];
      (machine as { claim?: Json }).claim = undefined;
    }
  },
};

/**
 * Node conditions of the monitoring agent and the kubelet, some within Karpenter's toleration period and some beyond
 * it.
 */
const unhealthyNodes: DisruptionFeature = {
  name: 'unhealthyNodes',
  apply(draft) {
    const { dice, settings, machines } = draft;
    settings.featureGates.NodeRepair = true;
    for (const { node, claim } of someOf(draft, machines, [0.05, 0.1, 0.2, 0.3])) {
      for (let count = dice.pick([1, 1, 2]); count > 0; count -= 1) addFault(node, draft);
      if (dice.chance(0.15))
        node.metadata.annotations = {
          ...node.metadata.annotations,
          'karpenter.sh/do-not-repair': dice.pick(['true', 'true', 'false']),
        };
      if (dice.chance(0.2)) claim.spec.terminationGracePeriod = dice.pick(['1m', '7m', '1h']);
    }
  },
};

const AGES = [1, 9, 10, 11, 29, 30, 31, 35, 120, 12_000];

/** @param ages possible ages of the node in minutes; one of them is drawn */
export function addFault({ status }: Json, draft: DisruptionDraft, ages = AGES): void {
  const { dice } = draft;
  const lastTransitionTime = ago(draft, dice.pick(ages) * MINUTE);
  const [type, value, reason] = dice.pick<readonly [string, string, string?]>([
    ['Ready', 'False', 'KubeletNotReady'],
    ['Ready', 'Unknown', 'NodeStatusUnknown'],
    ['Ready', 'Unknown'],
    ['KernelReady', 'False', 'KernelBug'],
    ['StorageReady', 'False', 'XID79'],
    ['NetworkingReady', 'Unknown'],
    ['ContainerRuntimeReady', 'False'],
    ['DiskPressure', 'True'],
    ['AcceleratedHardwareReady', 'False', 'NvidiaXID48Error'],
    ['AcceleratedHardwareReady', 'False', 'NvidiaXID79Error'],
    ['AcceleratedHardwareReady', 'False', 'NvidiaXID13Error'],
    ['AcceleratedHardwareReady', 'Unknown', 'NvidiaXID79Error'],
  ]);
  status.conditions = [
    ...status.conditions.filter((each: Json) => each.type !== type),
    { type, status: value, reason, message: '', lastTransitionTime },
  ];
}

/** Features that are applied after the pods are on the nodes. */
export const NODE_FEATURES: readonly DisruptionFeature[] = [
  protectedNodes,
  driftedNodes,
  driftedStaticPools,
  nominatedNodes,
  nodesComingUp,
  leavingNodes,
  unreadyNodes,
  nodesWithoutFacts,
  recentlyUsedNodes,
  unhealthyNodes,
  foreignNodes,
];
