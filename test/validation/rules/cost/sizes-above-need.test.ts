import { sizesAboveNeed } from '../../../../src/validation/rules/cost/sizes-above-need';
import { deployment, judge, nodeClass, nodePool, oneOf, types } from '../judge';

const rule = sizesAboveNeed;
const SIZE = 'karpenter.k8s.aws/instance-size';
const CPU = 'karpenter.k8s.aws/instance-cpu';
const COMMON = [
  oneOf('karpenter.k8s.aws/instance-family', 'm6i', 'm7i'),
  oneOf('karpenter.sh/capacity-type', 'on-demand'),
  oneOf('kubernetes.io/arch', 'amd64'),
];

function findingsWith(requirement: object, pod: object = {}, cpu = '1') {
  const pool = nodePool('default', { requirements: [...COMMON, requirement as (typeof COMMON)[number]] });
  return judge(rule, [nodeClass(), pool, deployment('web', pod, { requests: { cpu } })]).findings;
}

describe('KARP-1013 sizes-above-need', () => {
  test.each([
    ['sizes', oneOf(SIZE, '16xlarge', '24xlarge'), `allow large in ${SIZE}`],
    ['a lower bound', { key: CPU, operator: 'Gt', values: ['31'] }, `write ${CPU} Gt 1`],
    [
      'excluded sizes',
      { ...oneOf(SIZE, 'large', 'xlarge', '2xlarge', '4xlarge', '8xlarge', '12xlarge'), operator: 'NotIn' },
      `remove large from the values that ${SIZE} excludes`,
    ],
  ])('reports %s, with the smaller one that holds the same pods', (_, requirement, remedy) => {
    const [finding, ...others] = findingsWith(requirement);
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ path: ['spec', 'template', 'spec', 'requirements', 3], remedy });
    expect(finding.message).toMatch(
      /1 node costs \$[\d,]+\/month, and 1 smaller one \(m6i.large\) would hold the same pods for \$70\/month$/,
    );
    expect(finding.fix?.edits).toHaveLength(1);
  });

  test('passes sizes that pods need, that cost little more, or that pods choose', () => {
    expect(findingsWith(oneOf(SIZE, '16xlarge'), {}, '40')).toEqual([]);
    expect(findingsWith(oneOf(SIZE, 'xlarge', '2xlarge'))).toEqual([]);
    expect(findingsWith(oneOf(SIZE, '16xlarge'), { nodeSelector: { [SIZE]: '16xlarge' } })).toEqual([]);
    expect(findingsWith(types('m6i.16xlarge'))).toEqual([]);
  });
});
