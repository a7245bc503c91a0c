import { ago, DisruptionDraft, DisruptionFeature, ownPodsOf, podsOf, someOf } from './draft';
import { addPod, addWaitingPod } from './place-pods';
import { Json } from '../schedule-scenario/draft';
import { csiNode, mountClaims } from '../schedule-scenario/storage-features';
import { requests } from '../schedule-scenario/workloads';

const PROTECTION = 'karpenter.sh/do-not-disrupt';

export const protectedPods: DisruptionFeature = {
  name: 'protectedPods',
  apply(draft) {
    for (const pod of someOf(draft, podsOf(draft), [0.1, 0.3])) {
      annotate(pod, PROTECTION, draft.dice.pick(['true', 'true', '1h', '5m', '24h', '0s', '-1m', 'false', 'yes']));
      if (draft.dice.chance(0.1)) delete pod.status.startTime;
    }
  },
};

export const podDisruptionBudgets: DisruptionFeature = {
  name: 'podDisruptionBudgets',
  apply(draft) {
    const { dice } = draft;
    if (dice.chance(0.4)) unready(draft);
    for (let count = dice.between(1, 4); count > 0; count -= 1) {
      draft.others.push({
        apiVersion: 'policy/v1',
        kind: 'PodDisruptionBudget',
        metadata: { name: `budget-${count}`, namespace: dice.pick(['default', 'default', 'default', 'prod']) },
        spec: {
          ...selectorOf(draft),
          ...dice.pick<Json>([
            { maxUnavailable: 0 },
            { maxUnavailable: '0%' },
            { maxUnavailable: 1 },
            { maxUnavailable: 1 },
            { maxUnavailable: '25%' },
            { maxUnavailable: '50%' },
            { minAvailable: '100%' },
            { minAvailable: '50%' },
            { minAvailable: 1 },
            { minAvailable: 2 },
            { minAvailable: 0 },
            { minAvailable: '0%' },
          ]),
          ...dice.pick([
            {},
            {},
            { unhealthyPodEvictionPolicy: 'AlwaysAllow' },
            { unhealthyPodEvictionPolicy: 'IfHealthyBudget' },
          ]),
        },
      });
    }
  },
};

function selectorOf(draft: DisruptionDraft): Json {
  const { dice } = draft;
  const pods = podsOf(draft);
  const labels = pods.length > 0 ? (dice.pick(pods).metadata.labels ?? {}) : {};
  return dice.pick<Json>([
    { selector: { matchLabels: { app: labels.app ?? 'web' } } },
    { selector: { matchLabels: { app: labels.app ?? 'web' } } },
    { selector: { matchLabels: { tier: labels.tier ?? 'front' } } },
    { selector: { matchExpressions: [{ key: 'app', operator: 'In', values: [labels.app ?? 'web', 'api'] }] } },
    { selector: {} },
  ]);
}

function unready(draft: DisruptionDraft): void {
  for (const pod of someOf(draft, podsOf(draft), [0.1, 0.5])) pod.status.conditions[0].status = 'False';
}

const unreadyPods: DisruptionFeature = { name: 'unreadyPods', apply: unready };

const costlyPods: DisruptionFeature = {
  name: 'costlyPods',
  apply(draft) {
    const { dice } = draft;
    for (const pod of someOf(draft, podsOf(draft))) {
      dice.pick([
        () =>
          annotate(
            pod,
            'controller.kubernetes.io/pod-deletion-cost',
            dice.pick(['100', '-2147483647', '2147483647', '-134217728', 'many', '99999999999']),
          ),
        () =>
          annotate(
            pod,
            'karpenter.sh/disruption-cost',
            dice.pick(['1000', '-2147483647', '134217728', '-134217729', ' 5', '+7']),
          ),
        () => {
          pod.spec.priority = dice.pick([-33_554_432, -10, 0, 1_000, 33_554_432, 1_000_000_000, -2_147_483_648]);
        },
      ])();
    }
  },
};

const worthlessPods: DisruptionFeature = {
  name: 'worthlessPods',
  apply(draft) {
    for (const { pods } of someOf(draft, draft.machines)) for (const pod of pods) pod.spec.priority = -100_000_000;
  },
};

export const leavingPods: DisruptionFeature = {
  name: 'leavingPods',
  apply(draft) {
    const { dice } = draft;
    for (const pod of someOf(draft, podsOf(draft), [0.1, 0.3])) {
      if (dice.chance(0.5)) pod.metadata.deletionTimestamp = ago(draft, -10_000);
      else pod.status.phase = dice.pick(['Succeeded', 'Failed']);
    }
  },
};

const staticPods: DisruptionFeature = {
  name: 'staticPods',
  apply(draft) {
    for (const machine of someOf(draft, draft.machines)) {
      const owner = {
        apiVersion: 'v1',
        kind: 'Node',
        name: machine.name,
        uid: `node-${machine.name}`,
        controller: true,
      };
      const spec = {
        containers: [
          { name: 'main', image: 'registry.example/proxy:1', resources: { requests: { cpu: '50m', memory: '64Mi' } } },
        ],
        tolerations: [{ operator: 'Exists' }],
      };
      addPod(draft, machine, {
        name: `proxy-${machine.name}`,
        namespace: 'kube-system',
        labels: { app: 'proxy' },
        owner,
        spec,
      });
    }
  },
};

/** Volumes in the zone of their node; some nodes can attach only a few. */
const mountedVolumes: DisruptionFeature = {
  name: 'mountedVolumes',
  apply(draft) {
    const { dice, cluster } = draft;
    const own = ownPodsOf(draft).filter(({ spec }) => spec.volumes === undefined);
    // A claim that several pods share counts once on each node; the comparison leaves such claims out.
    const isShared = ownPodsOf(draft).length > own.length;
    const mounting = new Set(dice.some(own, Math.round(own.length * dice.pick([0.2, 0.5, 1]))));
    for (const { name, node, pods } of draft.machines) {
      for (const pod of pods)
        if (mounting.has(pod)) mountClaims(draft, pod, node.metadata.labels['topology.kubernetes.io/zone']);
      const attached = pods.reduce((sum, { spec }) => sum + (spec.volumes?.length ?? 0), 0);
      if (dice.chance(0.5))
        cluster.push(csiNode(name, isShared || dice.chance(0.3) ? undefined : attached + dice.pick([0, 1, 3, 10])));
    }
  },
};

/** Pods that stay on their node until it is terminated. */
const stayingPods: DisruptionFeature = {
  name: 'stayingPods',
  apply(draft) {
    for (const { spec } of someOf(draft, ownPodsOf(draft), [0.1, 0.3])) {
      spec.tolerations = [
        ...(spec.tolerations ?? []),
        draft.dice.pick<Json>([{ operator: 'Exists' }, { key: 'karpenter.sh/disrupted', operator: 'Exists' }]),
      ];
    }
  },
};

const waitingPods: DisruptionFeature = {
  name: 'waitingPods',
  apply(draft) {
    const { dice } = draft;
    for (let count = dice.between(1, 5); count > 0; count -= 1) {
      const impossible: Json = dice.chance(0.2) ? { nodeSelector: { 'no-such': 'label' } } : {};
      const size = { resources: { requests: requests(dice) } };
      addWaitingPod(
        draft,
        { containers: [{ name: 'main', image: 'registry.example/app:1', ...size }], ...impossible },
        { app: dice.pick(['web', 'api', 'late']) },
      );
    }
  },
};

/** Many small pods of one workload, as after a night with little load. */
const scaledDown: DisruptionFeature = {
  name: 'scaledDown',
  apply(draft) {
    for (const machine of someOf(draft, draft.machines, [0.5, 1])) {
      machine.pods.splice(
        0,
        machine.pods.length,
        ...machine.pods.filter(
          ({ metadata }) =>
            metadata.ownerReferences?.some(({ kind }: Json) => kind === 'DaemonSet') || draft.dice.chance(0.3),
        ),
      );
    }
  },
};

function annotate({ metadata }: Json, key: string, value: string): void {
  metadata.annotations = { ...metadata.annotations, [key]: value };
}

/** Features of running pods. */
export const RUN_FEATURES: readonly DisruptionFeature[] = [
  scaledDown,
  staticPods,
  protectedPods,
  podDisruptionBudgets,
  unreadyPods,
  costlyPods,
  worthlessPods,
  leavingPods,
  mountedVolumes,
  stayingPods,
  waitingPods,
];
