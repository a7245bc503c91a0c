import { Dice } from './dice';
import { Draft, Feature, Json, podOf, poolTemplate, somePools } from './draft';
import { nodeClass } from './pools';
import { requests } from './workloads';

const AWS = 'karpenter.k8s.aws/';

const weights: Feature = {
  name: 'weights',
  apply(draft) {
    for (const pool of somePools(draft)) pool.spec.weight = draft.dice.pick([1, 5, 10, 10, 50, 100]);
  },
};

const limits: Feature = {
  name: 'limits',
  apply(draft) {
    const { dice } = draft;
    for (const pool of somePools(draft)) {
      pool.spec.limits = dice.pick<Json>([
        { cpu: dice.pick(['8', '32', '100', '500']) },
        { memory: dice.pick(['16Gi', '128Gi', '1000Gi']) },
        { cpu: '64', memory: '256Gi' },
        { nodes: dice.pick(['0', '1', '3']) },
        { cpu: '1000', 'nvidia.com/gpu': '0' },
        { cpu: '0' },
      ]);
    }
  },
};

const minValues: Feature = {
  name: 'minValues',
  apply(draft) {
    const { dice, settings } = draft;
    if (dice.chance(0.4)) settings.minValuesPolicy = 'BestEffort';
    for (const pool of somePools(draft)) {
      const requirements: Json[] = poolTemplate(pool).spec.requirements;
      const key = dice.pick([
        `${AWS}instance-family`,
        'node.kubernetes.io/instance-type',
        `${AWS}instance-cpu`,
        'topology.kubernetes.io/zone',
        'kubernetes.io/arch',
      ]);
      const minimum = dice.pick([1, 2, 2, 3, 5, 10, 40]);
      const existing = requirements.find((requirement) => requirement.key === key);
      if (!existing) requirements.push({ key, operator: 'Exists', minValues: minimum });
      else if (existing.operator === 'Exists') existing.minValues = minimum;
      else if (existing.operator === 'In') existing.minValues = Math.min(minimum, existing.values.length);
    }
  },
};

const zonesOfPools: Feature = {
  name: 'zonesOfPools',
  apply(draft) {
    const { dice, settings } = draft;
    for (const pool of somePools(draft)) {
      poolTemplate(pool).spec.requirements.push({
        key: 'topology.kubernetes.io/zone',
        operator: 'In',
        values: dice.some(settings.zones, dice.between(1, 2)),
      });
    }
  },
};

const nodeClasses: Feature = {
  name: 'nodeClasses',
  apply(draft) {
    const { dice } = draft;
    const other = nodeClass('other', dice.pick(['al2', 'bottlerocket', 'al2023', 'windows2022']));
    const family: string = other.spec.amiSelectorTerms[0].alias;
    other.spec.kubelet = dice.pick<Json>([
      { maxPods: dice.pick([8, 20, 58, 110, 234]) },
      { kubeReserved: { cpu: '200m', memory: '500Mi' }, systemReserved: { cpu: '100m', memory: '200Mi' } },
      { evictionHard: { 'memory.available': '5%', 'nodefs.available': '10%' } },
      family.startsWith('bottlerocket') ? { maxPods: 30 } : { podsPerCore: 4 },
    ]);
    if (dice.chance(0.4)) {
      other.spec.blockDeviceMappings = [
        {
          deviceName: family.startsWith('bottlerocket') ? '/dev/xvdb' : '/dev/xvda',
          ebs: { volumeSize: dice.pick(['30Gi', '100Gi']), volumeType: 'gp3' },
        },
      ];
    }
    if (dice.chance(0.3)) other.spec.instanceStorePolicy = 'RAID0';
    draft.nodeClasses.push(other);
    for (const pool of somePools(draft)) poolTemplate(pool).spec.nodeClassRef.name = 'other';
  },
};

const daemonSets: Feature = {
  name: 'daemonSets',
  apply(draft) {
    const { dice } = draft;
    const count = dice.between(1, 3);
    for (let index = 0; index < count; index += 1) draft.daemonSets.push(daemonSet(draft, index));
  },
};

function daemonSet(draft: Draft, index: number): Json {
  const { dice } = draft;
  const name = ['logs', 'metrics', 'gpu-plugin', 'agent'][index];
  const template: Json = {
    metadata: { labels: { app: name } },
    spec: {
      containers: [{ name: 'main', image: 'registry.example/agent:1', resources: { requests: requests(dice) } }],
    },
  };
  const result = {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name, namespace: 'kube-system' },
    spec: { selector: { matchLabels: { app: name } }, template },
  };
  const { spec } = podOf(result);
  if (dice.chance(0.3)) {
    spec.nodeSelector = dice.pick<Json>([
      { 'kubernetes.io/arch': 'amd64' },
      { [`${AWS}instance-gpu-manufacturer`]: 'nvidia' },
      { 'karpenter.sh/capacity-type': 'spot' },
      { team: 'blue' },
    ]);
  }
  if (dice.chance(0.3)) {
    const expressions = dice.some<Json>(
      [
        { key: `${AWS}instance-cpu`, operator: 'Gt', values: ['7'] },
        { key: `${AWS}instance-size`, operator: 'NotIn', values: ['medium', 'large'] },
        { key: 'kubernetes.io/os', operator: 'In', values: ['linux'] },
        { key: `${AWS}instance-local-nvme`, operator: 'Exists' },
      ],
      dice.between(1, 2),
    );
    spec.affinity = {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: expressions }] },
      },
    };
  }
  if (dice.chance(0.6)) spec.tolerations = [{ operator: 'Exists' }];
  return result;
}

/**
 * Several ORed terms of node affinity: Karpenter uses the first that fits a pool, and only the first term for a node.
 */
const daemonSetTerms: Feature = {
  name: 'daemonSetTerms',
  apply(draft) {
    const { dice } = draft;
    draft.daemonSets.push(daemonSet(draft, 3));
    for (const each of draft.daemonSets) {
      const terms = Array.from({ length: dice.between(2, 3) }, () => ({ matchExpressions: [daemonExpression(dice)] }));
      podOf(each).spec.affinity = {
        nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } },
      };
    }
  },
};

function daemonExpression(dice: Dice): Json {
  return dice.pick<Json>([
    { key: 'kubernetes.io/arch', operator: 'In', values: [dice.pick(['amd64', 'arm64'])] },
    { key: 'karpenter.sh/capacity-type', operator: 'In', values: [dice.pick(['spot', 'on-demand'])] },
    { key: `${AWS}instance-cpu`, operator: dice.pick(['Gt', 'Lt']), values: [dice.pick(['3', '7', '15'])] },
    { key: `${AWS}instance-category`, operator: dice.pick(['In', 'NotIn']), values: [dice.pick(['c', 'm', 'r'])] },
    { key: 'team', operator: dice.pick(['Exists', 'DoesNotExist']) },
    { key: `${AWS}instance-gpu-count`, operator: dice.pick(['Exists', 'DoesNotExist']) },
  ]);
}

export const POOL_FEATURES: readonly Feature[] = [
  weights,
  limits,
  minValues,
  zonesOfPools,
  nodeClasses,
  daemonSets,
  daemonSetTerms,
];
