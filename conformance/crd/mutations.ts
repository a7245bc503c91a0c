import { isMap } from '../../test/support/api-objects/json-path';
import type { Dice } from '../../test/support/schedule-scenario/dice';

const CHARACTERS = [...'aZ09-_./:@%+ *,hmsGi', 'é', '\n'];
/** Keys that rules mention. */
const KEYS = [
  'team',
  'example.com/team',
  'karpenter.sh/nodepool',
  'karpenter.sh/capacity-type',
  'karpenter.sh/other',
  'a.karpenter.sh/b',
  'notkarpenter.sh/a',
  'karpenter.k8s.aws/instance-cpu',
  'karpenter.k8s.aws/instance-family',
  'karpenter.k8s.aws/ec2nodeclass',
  'karpenter.k8s.aws/other',
  'a.karpenter.k8s.aws/b',
  'karpenter.k8s.aws/instance-tenancy',
  'karpenter.k8s.aws/capacity-reservation-id',
  'karpenter.k8s.aws/placement-group-id',
  'topology.k8s.aws/zone-id',
  'kubernetes.io/arch',
  'kubernetes.io/os',
  'kubernetes.io/hostname',
  'kubernetes.io/other',
  'a.kubernetes.io/b',
  'node-restriction.kubernetes.io/a',
  'kops.k8s.io/a',
  'kops.k8s.io/gpu',
  'k8s.io/a',
  'beta.kubernetes.io/os',
  'beta.kubernetes.io/instance-type',
  'failure-domain.beta.kubernetes.io/zone',
  'topology.kubernetes.io/zone',
  'topology.kubernetes.io/region',
  'node.kubernetes.io/instance-type',
  'node.kubernetes.io/windows-build',
  'eks:eks-cluster-name',
  'kubernetes.io/cluster/a',
  'kubernetes.io/cluster',
  'karpenter.sh/nodeclaim',
  'karpenter.sh/managed-by',
  'cpu',
  'memory',
  'pods',
  'ephemeral-storage',
  'pid',
  'nodes',
  'nvidia.com/gpu',
  'hugepages-2Mi',
  'vpc.amazonaws.com/efa',
  'memory.available',
  'nodefs.available',
  'nodefs.inodesFree',
  'imagefs.available',
  'imagefs.inodesFree',
  'pid.available',
  '',
  'a b',
  'A/b',
  'a/',
  '/a',
  '__proto__',
  'toString',
];
const WORDS = [
  ...KEYS,
  'spot',
  'on-demand',
  'reserved',
  'default',
  'dedicated',
  'host',
  'amd64',
  'arm64',
  'linux',
  'windows',
  '0',
  '1',
  '5',
  '-1',
  '1.5',
  '1e3',
  '99999999999999999999',
  '0x10',
  '+5',
  '010',
  'al2@latest',
  'al2023@v1',
  'bottlerocket@latest',
  'windows2019@latest',
  'windows2025@v1',
  'custom@latest',
  '@',
  'a@b@c',
  '1h',
  '1h30m',
  '90m',
  '1h30m0s',
  '1d',
  'Never',
  '0s',
  '1ms',
  '5%',
  '100%',
  '100.5%',
  '101%',
  '-5%',
  '1Gi',
  '500Mi',
  '1.5Gi',
  '-1Gi',
  '1G',
  '64Ti',
  '65Ti',
  '1k',
  '1K',
  '1m',
  '1n',
  '@hourly',
  '@every 1h',
  '0 9 * * *',
  '0 9 * * mon-fri',
  '* * * * * *',
  '60 24 * * *',
  '+10%',
  '-10%',
  '-100%',
  '-100.1%',
  '+0.5',
  '-0.5',
  '+',
  '0.',
  '.5',
];

/** Another value, usually of the same type. */
export function edits(value: unknown, dice: Dice): unknown {
  if (typeof value === 'string') return text(value, dice);
  if (typeof value === 'number') return number(value, dice);
  if (typeof value === 'boolean') return dice.pick([!value, String(value), 0]);
  if (Array.isArray(value)) return list(value, dice);
  if (isMap(value)) return map(value, dice);
  return dice.pick(['a', 1, {}]);
}

function text(value: string, dice: Dice): string {
  const index = dice.between(0, value.length);
  return dice.pick([
    () => value.slice(0, index) + dice.pick(CHARACTERS) + value.slice(index),
    () => value.slice(0, index) + value.slice(index + 1),
    () => value.slice(0, index) + dice.pick(CHARACTERS) + value.slice(index + 1),
    () => value + value,
    () => dice.pick(WORDS),
    () => dice.pick(WORDS),
    () => dice.pick(WORDS),
  ])();
}

function number(value: number, dice: Dice): unknown {
  return dice.pick([
    value + 1,
    value - 1,
    -value,
    value * 10,
    value + 0.5,
    0,
    2 ** 31 - 1,
    2 ** 31,
    1e20,
    String(value),
    dice.between(0, 99),
    dice.between(0, 999),
  ]);
}

function list(value: readonly unknown[], dice: Dice): unknown[] {
  if (value.length === 0) return [dice.pick<unknown>(['a', {}, 1, null])];
  const index = dice.between(0, value.length - 1);
  return dice.pick([
    () => value.filter((_, i) => i !== index),
    () => [...value, value[index]],
    () => [...value].reverse(),
    () => value.map((item, i) => (i === index ? edits(item, dice) : item)),
    () => [...value, edits(value[index], dice)],
  ])();
}

function map(value: Readonly<Record<string, unknown>>, dice: Dice): Record<string, unknown> {
  const keys = Object.keys(value);
  if (keys.length === 0) return { [dice.pick(KEYS)]: dice.pick<unknown>(['a', 1, {}]) };
  const key = dice.pick(keys);
  const entries = Object.entries(value);
  return dice.pick([
    () => Object.fromEntries(entries.filter(([other]) => other !== key)),
    () => Object.fromEntries(entries.map(([other, item]) => [other === key ? dice.pick(KEYS) : other, item])),
    () => Object.fromEntries(entries.map(([other, item]) => [other === key ? text(key, dice) : other, item])),
    () => Object.fromEntries(entries.map(([other, item]) => [other, other === key ? edits(item, dice) : item])),
    () => ({ ...value, [dice.pick(KEYS)]: value[key] }),
  ])();
}
