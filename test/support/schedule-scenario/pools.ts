import { Dice } from './dice';
import { Json } from './draft';

const AWS = 'karpenter.k8s.aws/';

export function inOneOf(key: string, ...values: string[]): Json {
  return { key, operator: 'In', values };
}

const CATEGORIES = inOneOf(`${AWS}instance-category`, 'c', 'm', 'r');
const LINUX = inOneOf('kubernetes.io/os', 'linux');

/** Realistic requirements, from none to a single instance type. */
const SHAPES: ReadonlyArray<(dice: Dice) => Json[]> = [
  () => [],
  () => [CATEGORIES, { key: `${AWS}instance-generation`, operator: 'Gt', values: ['2'] }],
  (dice) => [
    CATEGORIES,
    { key: `${AWS}instance-generation`, operator: 'Gt', values: [dice.pick(['4', '5', '6'])] },
    inOneOf('kubernetes.io/arch', 'amd64'),
    LINUX,
  ],
  (dice) => [
    inOneOf(
      `${AWS}instance-family`,
      ...dice.some(['c5', 'c6i', 'c7g', 'm5', 'm6i', 'm7g', 'm7i-flex', 'r5', 'r6g', 't3', 't4g'], dice.between(1, 5)),
    ),
  ],
  (dice) => [
    inOneOf(`${AWS}instance-family`, ...dice.some(['c5', 'm5', 'r5', 't3', 'm6i', 'm6a'], 3)),
    inOneOf(
      `${AWS}instance-size`,
      ...dice.some(['medium', 'large', 'xlarge', '2xlarge', '4xlarge'], dice.between(1, 4)),
    ),
  ],
  (dice) => [
    CATEGORIES,
    { key: `${AWS}instance-cpu`, operator: 'In', values: dice.some(['2', '4', '8', '16', '32'], dice.between(1, 3)) },
  ],
  (dice) => [
    { key: `${AWS}instance-cpu`, operator: 'Lt', values: [dice.pick(['5', '9', '33'])] },
    { key: `${AWS}instance-memory`, operator: 'Gt', values: ['4095'] },
  ],
  (dice) => [
    inOneOf('karpenter.sh/capacity-type', ...dice.some(['spot', 'on-demand'], dice.between(1, 2))),
    CATEGORIES,
  ],
  (dice) => [
    inOneOf('kubernetes.io/arch', dice.pick(['arm64', 'amd64'])),
    { key: `${AWS}instance-size`, operator: 'NotIn', values: ['nano', 'micro', 'metal'] },
  ],
  (dice) => [
    inOneOf(
      'node.kubernetes.io/instance-type',
      ...dice.some(
        ['m5.large', 'm5.xlarge', 'c5.large', 'c5.2xlarge', 'r5.xlarge', 't3.medium', 'm6g.large'],
        dice.between(1, 4),
      ),
    ),
  ],
  () => [{ key: `${AWS}instance-gpu-count`, operator: 'Exists' }],
  () => [{ key: `${AWS}instance-local-nvme`, operator: 'Exists' }, CATEGORIES],
  () => [
    { key: `${AWS}instance-gpu-count`, operator: 'DoesNotExist' },
    { key: `${AWS}instance-hypervisor`, operator: 'NotIn', values: [''] },
  ],
  (dice) => [
    inOneOf(`${AWS}instance-category`, 'm'),
    { key: `${AWS}instance-generation`, operator: 'Gte', values: [dice.pick(['5', '6', '7'])] },
  ],
  () => [{ key: `${AWS}instance-capability-flex`, operator: 'In', values: ['true'] }],
];

/** GPUs and single types are rarer than the rest. */
const COMMON = [0, 1, 1, 2, 2, 3, 3, 4, 5, 6, 7, 7, 8, 8, 9, 10, 11, 12, 13, 14];

const NAMES = ['general', 'batch', 'spot', 'arm', 'memory', 'system', 'gpu', 'apps'];

export function nodePool(dice: Dice, index: number, ofClass: string): Json {
  return {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodePool',
    metadata: { name: `${NAMES[index % NAMES.length]}` },
    spec: {
      template: {
        metadata: {},
        spec: {
          nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: ofClass },
          requirements: SHAPES[dice.pick(COMMON)](dice),
        },
      },
    },
  };
}

export function nodeClass(name: string, family = 'al2023'): Json {
  return {
    apiVersion: 'karpenter.k8s.aws/v1',
    kind: 'EC2NodeClass',
    metadata: { name },
    spec: {
      amiSelectorTerms: [{ alias: `${family}@latest` }],
      role: 'KarpenterNodeRole',
      subnetSelectorTerms: [{ tags: { 'karpenter.sh/discovery': 'cluster' } }],
      securityGroupSelectorTerms: [{ tags: { 'karpenter.sh/discovery': 'cluster' } }],
    },
  };
}
