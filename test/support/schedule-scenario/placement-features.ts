import { Dice } from './dice';
import { Draft, Feature, Json, podOf, poolTemplate, somePools, someWorkloads } from './draft';
import { inOneOf } from './pools';

const AWS = 'karpenter.k8s.aws/';

/** Labels for node selectors, with values that usually exist. */
const SELECTED: ReadonlyArray<readonly [key: string, values: readonly string[]]> = [
  ['kubernetes.io/arch', ['amd64', 'arm64']],
  ['beta.kubernetes.io/arch', ['amd64', 'arm64']],
  ['kubernetes.io/os', ['linux', 'linux', 'windows']],
  ['karpenter.sh/capacity-type', ['spot', 'on-demand', 'on-demand', 'reserved']],
  [`${AWS}instance-category`, ['c', 'm', 'r', 't']],
  [`${AWS}instance-family`, ['m5', 'c5', 'r6g', 'm7i']],
  [`${AWS}instance-size`, ['large', 'xlarge', '2xlarge', '4xlarge']],
  [`${AWS}instance-cpu`, ['2', '4', '8', '16']],
  [`${AWS}instance-hypervisor`, ['nitro', 'xen']],
  [`${AWS}instance-cpu-manufacturer`, ['intel', 'amd', 'aws']],
  ['team', ['blue', 'red']],
  ['tier.example.com/class', ['gold', 'silver']],
];

/** A zone label with the zones of the scenario. */
function selectable({ dice, settings }: Draft): readonly [string, readonly string[]] {
  return dice.chance(0.25) ? ['topology.kubernetes.io/zone', settings.zones] : dice.pick(SELECTED);
}

/** Gives pools the custom labels that pods select. */
export function labelSomePools(draft: Draft): void {
  const { dice } = draft;
  for (const pool of somePools(draft)) {
    const template = poolTemplate(pool);
    if (dice.chance(0.5)) template.metadata.labels = { ...template.metadata.labels, team: dice.pick(['blue', 'red']) };
    else if (!template.metadata.labels?.team) template.spec.requirements.push(customRequirement(dice));
  }
}

function customRequirement(dice: Dice): Json {
  return dice.pick([
    inOneOf('team', 'blue', 'red'),
    inOneOf('team', 'blue'),
    { key: 'team', operator: 'Exists' },
    { key: 'team', operator: 'NotIn', values: ['red'] },
    inOneOf('tier.example.com/class', 'gold', 'silver'),
  ]);
}

function expression(draft: Draft): Json {
  const { dice } = draft;
  const kind = dice.between(0, 9);
  if (kind === 0)
    return {
      key: `${AWS}instance-cpu`,
      operator: dice.pick(['Gt', 'Lt']),
      values: [dice.pick(['3', '7', '15', '32'])],
    };
  if (kind === 1)
    return {
      key: `${AWS}instance-memory`,
      operator: dice.pick(['Gt', 'Lt']),
      values: [dice.pick(['7000', '15000', '32768'])],
    };
  if (kind === 2) return { key: `${AWS}instance-generation`, operator: 'Gt', values: [dice.pick(['3', '5', '6'])] };
  if (kind === 3)
    return {
      key: dice.pick([`${AWS}instance-gpu-name`, `${AWS}instance-local-nvme`, 'team']),
      operator: dice.pick(['Exists', 'DoesNotExist']),
    };
  const [key, values] = selectable(draft);
  const operator = dice.pick(['In', 'In', 'NotIn']);
  return { key, operator, values: dice.some([...new Set(values)], dice.between(1, 2)) };
}

function term(draft: Draft): Json {
  return { matchExpressions: Array.from({ length: draft.dice.between(1, 2) }, () => expression(draft)) };
}

function nodeAffinity(workload: Json): Json {
  const { spec } = podOf(workload);
  spec.affinity ??= {};
  spec.affinity.nodeAffinity ??= {};
  return spec.affinity.nodeAffinity;
}

const nodeSelector: Feature = {
  name: 'nodeSelector',
  apply(draft) {
    labelSomePools(draft);
    for (const workload of someWorkloads(draft)) {
      const pairs = Array.from({ length: draft.dice.between(1, 2) }, () => selectable(draft)).map(([key, values]) => [
        key,
        draft.dice.pick(values),
      ]);
      podOf(workload).spec.nodeSelector = Object.fromEntries(pairs);
    }
  },
};

const requiredNodeAffinity: Feature = {
  name: 'requiredNodeAffinity',
  apply(draft) {
    labelSomePools(draft);
    for (const workload of someWorkloads(draft)) {
      nodeAffinity(workload).requiredDuringSchedulingIgnoredDuringExecution = {
        nodeSelectorTerms: Array.from({ length: draft.dice.between(1, 3) }, () => term(draft)),
      };
    }
  },
};

const preferredNodeAffinity: Feature = {
  name: 'preferredNodeAffinity',
  apply(draft) {
    labelSomePools(draft);
    for (const workload of someWorkloads(draft)) {
      const weights = draft.dice.some([1, 10, 50, 100], draft.dice.between(1, 3));
      nodeAffinity(workload).preferredDuringSchedulingIgnoredDuringExecution = weights.map((weight) => ({
        weight,
        preference: term(draft),
      }));
    }
  },
};

const TAINTS: readonly Json[] = [
  { key: 'dedicated', value: 'batch', effect: 'NoSchedule' },
  { key: 'dedicated', value: 'web', effect: 'NoExecute' },
  { key: 'nvidia.com/gpu', effect: 'NoSchedule' },
  { key: 'spot', value: 'true', effect: 'PreferNoSchedule' },
];

const TOLERATIONS: readonly Json[] = [
  { key: 'dedicated', operator: 'Equal', value: 'batch', effect: 'NoSchedule' },
  { key: 'dedicated', operator: 'Exists' },
  { key: 'nvidia.com/gpu', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'spot', value: 'true' },
  { operator: 'Exists' },
];

const taints: Feature = {
  name: 'taints',
  apply(draft) {
    const { dice } = draft;
    for (const pool of somePools(draft)) {
      poolTemplate(pool).spec.taints = dice.some(TAINTS, dice.between(1, 2));
      if (dice.chance(0.2))
        poolTemplate(pool).spec.startupTaints = [{ key: 'example.com/agent', effect: 'NoSchedule' }];
    }
    for (const workload of someWorkloads(draft))
      podOf(workload).spec.tolerations = dice.some(TOLERATIONS, dice.between(1, 3));
  },
};

export const PLACEMENT_FEATURES: readonly Feature[] = [
  nodeSelector,
  requiredNodeAffinity,
  preferredNodeAffinity,
  taints,
];
