import fc from 'fast-check';
import { daemonSet, input, isIn, pods } from './builders';
import { NodeClassFacts } from '../../src/catalog';
import { RequirementSpec } from '../../src/model';
import { DaemonSetSpec, NodePoolSpec, PodGroup, PodShape, ScheduleInput } from '../../src/scheduling';

const ZONES = ['us-east-1a', 'us-east-1b', 'us-east-1c'];
const requirement: fc.Arbitrary<RequirementSpec> = fc.oneof(
  fc
    .subarray(['c', 'm', 'r', 't', 'g', 'i'], { minLength: 1 })
    .map((values) => isIn('karpenter.k8s.aws/instance-category', ...values)),
  fc
    .subarray(['c', 'm', 'x'], { minLength: 1 })
    .map((values): RequirementSpec => ({ key: 'karpenter.k8s.aws/instance-category', operator: 'NotIn', values })),
  fc.tuple(fc.constantFrom('Gt', 'Lt', 'Gte', 'Lte'), fc.integer({ min: 2, max: 8 })).map(
    ([operator, bound]): RequirementSpec => ({
      key: 'karpenter.k8s.aws/instance-generation',
      operator: operator as 'Gt',
      values: [`${bound}`],
    }),
  ),
  fc.tuple(fc.constantFrom('Gte', 'Lte'), fc.constantFrom(2, 4, 8, 16, 48)).map(
    ([operator, bound]): RequirementSpec => ({
      key: 'karpenter.k8s.aws/instance-cpu',
      operator: operator as 'Gte',
      values: [`${bound}`],
    }),
  ),
  fc.subarray(ZONES, { minLength: 1 }).map((values) => isIn('topology.kubernetes.io/zone', ...values)),
  fc
    .subarray(ZONES, { minLength: 1, maxLength: 2 })
    .map((values): RequirementSpec => ({ key: 'topology.kubernetes.io/zone', operator: 'NotIn', values })),
  fc.subarray(['spot', 'on-demand'], { minLength: 1 }).map((values) => isIn('karpenter.sh/capacity-type', ...values)),
  fc.constantFrom('amd64', 'arm64').map((arch) => isIn('kubernetes.io/arch', arch)),
  fc.constantFrom<RequirementSpec>(
    { key: 'karpenter.k8s.aws/instance-gpu-count', operator: 'DoesNotExist' },
    { key: 'karpenter.k8s.aws/instance-gpu-count', operator: 'Exists' },
    { key: 'karpenter.k8s.aws/instance-local-nvme', operator: 'Gt', values: ['100'] },
    { key: 'karpenter.k8s.aws/capacity-reservation-id', operator: 'DoesNotExist' },
    { key: 'team', operator: 'Exists' },
    isIn('team', 'a', 'b'),
    { key: 'team', operator: 'NotIn', values: ['a'] },
    { key: 'team', operator: 'DoesNotExist' },
    isIn('node.kubernetes.io/instance-type', 'm5.large', 'c5.xlarge', 'r6g.2xlarge', 't3.micro'),
  ),
);
const minValues = fc.constantFrom<RequirementSpec>(
  { key: 'karpenter.k8s.aws/instance-family', operator: 'Exists', minValues: 3 },
  { key: 'node.kubernetes.io/instance-type', operator: 'Exists', minValues: 20 },
  { key: 'topology.kubernetes.io/zone', operator: 'Exists', minValues: 2 },
);
const taint = fc.constantFrom(
  { key: 'gpu', effect: 'NoSchedule' as const },
  { key: 'soft', value: 'x', effect: 'PreferNoSchedule' as const },
);
const toleration = fc.constantFrom(
  { key: 'gpu', operator: 'Exists' },
  { operator: 'Exists' },
  { key: 'soft', value: 'x', effect: 'PreferNoSchedule' },
);
const nodeClass = fc.constantFrom('default', 'bottlerocket');
const limits = fc.oneof(
  { weight: 3, arbitrary: fc.constant(new Map<string, bigint>()) },
  { weight: 1, arbitrary: fc.constantFrom(8000n, 64000n, 400000n).map((cpu) => new Map([['cpu', cpu]])) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(0n, 3n).map(
      (nodes) =>
        new Map([
          ['nodes', nodes],
          ['memory', 1000n * 2n ** 37n],
        ]),
    ),
  },
);
const pool = (name: string): fc.Arbitrary<NodePoolSpec> =>
  fc.record({
    name: fc.constant(name),
    weight: fc.constantFrom(0, 0, 10),
    nodeClass,
    labels: fc.constantFrom<Record<string, string>>({}, { team: 'a' }, { tier: 'web' }),
    requirements: fc
      .tuple(fc.array(requirement, { maxLength: 4 }), fc.array(minValues, { maxLength: 1 }))
      .map((lists) => lists.flat()),
    taints: fc.array(taint, { maxLength: 1 }),
    limits,
  });
const amounts = fc.record({
  cpu: fc.constantFrom('100m', '250m', '900m', '2', '7', '40'),
  memory: fc.constantFrom('64Mi', '512Mi', '3Gi', '14Gi', '100Gi'),
});
const term = fc.array(requirement, { minLength: 1, maxLength: 2 }).map((matchExpressions) => ({ matchExpressions }));
const more: fc.Arbitrary<Partial<PodShape>> = fc.record({
  nodeSelector: fc.constantFrom<Record<string, string>>(
    {},
    {},
    { team: 'a' },
    { 'kubernetes.io/arch': 'arm64' },
    { 'topology.kubernetes.io/zone': 'us-east-1b' },
  ),
  requiredNodeAffinity: fc.array(term, { maxLength: 2 }),
  preferredNodeAffinity: fc.array(
    fc
      .tuple(fc.integer({ min: 1, max: 100 }), requirement)
      .map(([weight, expression]) => ({ weight, term: { matchExpressions: [expression] } })),
    { maxLength: 2 },
  ),
  tolerations: fc.array(toleration, { maxLength: 2 }),
});
const group = fc.tuple(fc.integer({ min: 0, max: 9 }), amounts, more);
/** Three pools, a few workloads and daemonsets, with the fields that Karpenter reads. */
export const scenario: fc.Arbitrary<ScheduleInput> = fc
  .record({
    pools: fc.tuple(pool('alpha'), pool('beta'), pool('gamma')),
    groups: fc.array(group, { minLength: 1, maxLength: 6 }),
    daemons: fc.array(fc.tuple(amounts, more), { maxLength: 3 }),
    minValuesPolicy: fc.constantFrom('Strict' as const, 'BestEffort' as const),
    preferencePolicy: fc.constantFrom('Respect' as const, 'Ignore' as const),
  })
  .map(({ pools, groups, daemons, ...settings }) =>
    input({
      pools,
      pods: groups.map(([count, requests, shape], index): PodGroup => pods(`w${index}`, count, requests, shape)),
      daemonSets: daemons.map(([requests, shape], index): DaemonSetSpec => daemonSet(`d${index}`, requests, shape)),
      settings,
      nodeClasses: [
        { name: 'default', amiFamily: 'AL2023' },
        { name: 'bottlerocket', amiFamily: 'Bottlerocket', kubelet: { maxPods: 12 } },
      ] as NodeClassFacts[],
    }),
  );
