import { Dice } from './dice';
import { Draft, Feature, Json, podOf, someWorkloads } from './draft';
import { labelSomePools } from './placement-features';
import { DefaultSpreadConstraint } from '../../../src/contract';

const ZONE = 'topology.kubernetes.io/zone';
const HOSTNAME = 'kubernetes.io/hostname';
const KEYS = [ZONE, ZONE, ZONE, HOSTNAME, HOSTNAME, 'karpenter.sh/capacity-type', 'kubernetes.io/arch', 'team'];

function labelsOf(workload: Json): Json {
  return podOf(workload).metadata.labels;
}

/** A selector: usually of the workload itself, sometimes of further workloads, or of pods that do not exist. */
function selector({ dice, workloads }: Draft, workload: Json): Json {
  const own = labelsOf(workload);
  return dice.pick<Json>([
    { matchLabels: { app: own.app } },
    { matchLabels: { app: own.app } },
    { matchLabels: { app: own.app } },
    { matchLabels: { tier: own.tier } },
    { matchLabels: { app: labelsOf(dice.pick(workloads)).app } },
    { matchExpressions: [{ key: 'app', operator: 'In', values: [own.app, labelsOf(dice.pick(workloads)).app] }] },
    { matchExpressions: [{ key: 'tier', operator: 'Exists' }] },
    { matchExpressions: [{ key: 'version', operator: 'NotIn', values: ['v2'] }] },
  ]);
}

function spreadConstraint(draft: Draft, workload: Json, extras: Json = {}): Json {
  const { dice } = draft;
  const constraint = {
    maxSkew: dice.pick([1, 1, 1, 2, 3]),
    topologyKey: dice.pick(KEYS),
    whenUnsatisfiable: dice.pick(['DoNotSchedule', 'DoNotSchedule', 'ScheduleAnyway']),
    labelSelector: selector(draft, workload),
    ...extras,
  };
  return isRefused(constraint)
    ? { ...constraint, labelSelector: { matchLabels: { app: labelsOf(workload).app } } }
    : constraint;
}

/** Whether the API server rejects the pods, because a key is in both fields. */
function isRefused({ labelSelector, matchLabelKeys = [] }: Json): boolean {
  const expressions: readonly Json[] = labelSelector.matchExpressions ?? [];
  return expressions.some(({ key }) => matchLabelKeys.includes(key));
}

function addSpread(workload: Json, constraint: Json): void {
  const { spec } = podOf(workload);
  const written: Json[] = spec.topologySpreadConstraints ?? [];
  const identity = ({ topologyKey, whenUnsatisfiable }: Json) => `${topologyKey} ${whenUnsatisfiable}`;
  // The API server rejects two entries with the same key and effect.
  if (!written.some((other) => identity(other) === identity(constraint)))
    spec.topologySpreadConstraints = [...written, constraint];
}

function spreading(name: string, extras: (dice: Dice) => Json): Feature {
  return {
    name,
    apply(draft) {
      if (draft.dice.chance(0.3)) labelSomePools(draft);
      for (const workload of someWorkloads(draft)) {
        const count = draft.dice.between(1, 2);
        for (let index = 0; index < count; index += 1)
          addSpread(workload, spreadConstraint(draft, workload, extras(draft.dice)));
      }
    },
  };
}

const minDomains = spreading('minDomains', (dice) => ({
  minDomains: dice.between(1, 5),
  whenUnsatisfiable: 'DoNotSchedule',
  topologyKey: dice.pick([ZONE, ZONE, HOSTNAME, 'team']),
}));
const policies = spreading('spreadPolicies', (dice) => ({
  nodeAffinityPolicy: dice.pick(['Honor', 'Ignore']),
  nodeTaintsPolicy: dice.pick(['Honor', 'Ignore']),
}));
const matchLabelKeys = spreading('matchLabelKeys', (dice) => ({
  matchLabelKeys: dice.pick([['version'], ['version', 'absent']]),
}));

function affinityTerm(draft: Draft, workload: Json): Json {
  const { dice } = draft;
  const namespaces = dice.pick<Json>([{}, {}, {}, { namespaces: ['prod', 'default'] }, { namespaceSelector: {} }]);
  const topologyKey = dice.pick([ZONE, ZONE, HOSTNAME, HOSTNAME, 'karpenter.sh/capacity-type', 'team']);
  return { topologyKey, labelSelector: selector(draft, workload), ...namespaces };
}

function podAffinity(name: string, kind: 'podAffinity' | 'podAntiAffinity', required: boolean): Feature {
  return {
    name,
    apply(draft) {
      const { dice } = draft;
      for (const workload of someWorkloads(draft)) {
        const { spec } = podOf(workload);
        spec.affinity ??= {};
        spec.affinity[kind] ??= {};
        const count = dice.between(1, 2);
        if (required) {
          spec.affinity[kind].requiredDuringSchedulingIgnoredDuringExecution = Array.from({ length: count }, () =>
            affinityTerm(draft, workload),
          );
        } else {
          spec.affinity[kind].preferredDuringSchedulingIgnoredDuringExecution = dice
            .some([1, 20, 100], count)
            .map((weight) => ({ weight, podAffinityTerm: affinityTerm(draft, workload) }));
        }
      }
    },
  };
}

/**
 * Default spread constraints of the Kubernetes scheduler, for pods without their own that have a controller or a
 * Service.
 */
const defaultSpread: Feature = {
  name: 'defaultSpread',
  apply(draft) {
    const { dice, settings, workloads, others } = draft;
    if (dice.chance(0.3)) labelSomePools(draft);
    const whenUnsatisfiable = dice.pick<DefaultSpreadConstraint['whenUnsatisfiable']>([
      'DoNotSchedule',
      'ScheduleAnyway',
    ]);
    const defaultConstraints: DefaultSpreadConstraint[] = dice
      .some([ZONE, HOSTNAME, 'karpenter.sh/capacity-type', 'team'], dice.between(1, 2))
      .map((topologyKey) => ({
        maxSkew: dice.pick([1, 1, 2, 5]),
        topologyKey,
        whenUnsatisfiable,
        ...dice.pick<Json>([
          {},
          {},
          { nodeAffinityPolicy: 'Ignore' },
          { nodeTaintsPolicy: 'Honor' },
          whenUnsatisfiable === 'DoNotSchedule' ? { minDomains: 2 } : {},
        ]),
      }));
    settings.schedulerConfig = { defaultConstraints };
    for (const workload of dice.chance(0.6) ? someWorkloads(draft) : []) {
      const { app, tier, version } = labelsOf(workload);
      const { namespace = 'default', name } = workload.metadata;
      const ports = [{ port: 80 }];
      const selected = dice.pick<Json>([{ app }, { app }, { tier }, { app, version }, { app, tier: 'other' }, {}]);
      others.push({
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: dice.pick([name, `${name}-web`, `a-${name}`]), namespace },
        spec: { ports, selector: selected },
      });
    }
    for (const workload of workloads) if (dice.chance(0.6)) delete podOf(workload).spec.topologySpreadConstraints;
  },
};

export const TOPOLOGY_FEATURES: readonly Feature[] = [
  spreading('topologySpread', () => ({})),
  minDomains,
  policies,
  matchLabelKeys,
  podAffinity('requiredPodAffinity', 'podAffinity', true),
  podAffinity('preferredPodAffinity', 'podAffinity', false),
  podAffinity('requiredPodAntiAffinity', 'podAntiAffinity', true),
  podAffinity('preferredPodAntiAffinity', 'podAntiAffinity', false),
  defaultSpread,
];
