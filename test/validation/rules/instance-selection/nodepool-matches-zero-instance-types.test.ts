import { nodePoolMatchesZeroInstanceTypes } from '../../../../src/validation/rules/instance-selection/no-types/nodepool-matches-zero-instance-types';
import { deployment, judge, nodeClass, nodePool, oneOf, types } from '../judge';

const rule = nodePoolMatchesZeroInstanceTypes;
const ARCH = 'kubernetes.io/arch';
const CAPACITY_TYPE = 'karpenter.sh/capacity-type';
const FAMILY = 'karpenter.k8s.aws/instance-family';
const CATEGORY = 'karpenter.k8s.aws/instance-category';
const GENERATION = 'karpenter.k8s.aws/instance-generation';
const SIZE = 'karpenter.k8s.aws/instance-size';
const above = (key: string, value: string) => ({ key, operator: 'Gt', values: [value] });
const inZone = (zone: string) => nodePool('far', { requirements: [oneOf('topology.kubernetes.io/zone', zone)] });

describe('KARP-201 nodepool-matches-zero-instance-types', () => {
  test('reports requirements that no type meets, and shows each step of the elimination', () => {
    const { states, findings } = judge(rule, [
      nodeClass(),
      nodePool('gpu', { requirements: [oneOf(ARCH, 'arm64'), oneOf(FAMILY, 'p5')] }),
    ]);
    expect(states).toEqual(['fail NodePool/gpu']);
    expect(findings[0].message).toMatch(
      /^matches 0 instance types, so it launches no nodes: \d+ types → \d+ \(kubernetes.io\/arch In \[arm64\]\) → .*0 \(.*\)$/,
    );
    expect(findings[0].object.locate(findings[0].path).path).toMatch(/^spec\.template\.spec\.requirements\[[01]\]$/);
  });

  test.each([
    [
      'the bound that excludes all, and not the last requirement',
      [oneOf(CATEGORY, 't'), above(GENERATION, '4'), oneOf(ARCH, 'amd64'), oneOf(SIZE, 'large', 'xlarge')],
      1,
      `write ${GENERATION} Gt 2: `,
    ],
    [
      'sizes that the family has',
      [oneOf(FAMILY, 'c7i'), oneOf(SIZE, 'medium')],
      1,
      'allow large, xlarge, 2xlarge and 4xlarge in',
    ],
    [
      'families with instance storage',
      [oneOf(FAMILY, 'c7g', 'c6g'), above('karpenter.k8s.aws/instance-local-nvme', '100')],
      0,
      'allow c6gd and c7gd in',
    ],
    [
      'the sizes that are excluded',
      [types('m5.large', 'm5.xlarge'), { ...oneOf(SIZE, 'large', 'xlarge', 'metal'), operator: 'NotIn' }],
      1,
      'remove large and xlarge from the values that karpenter.k8s.aws/instance-size excludes: ',
    ],
  ])('proposes %s', (_, requirements, index, remedy) => {
    const [finding] = judge(rule, [nodeClass(), nodePool('empty', { requirements })]).findings;
    expect(finding.path.at(-1)).toBe(index);
    expect(finding.remedy).toContain(remedy);
    expect(finding.fix?.edits).toHaveLength(1);
  });

  test.each([
    ['arm', 'arm64', ['c6i', 'm6i'], `write ${FAMILY} In [c6g, m6g], because c6i and m6i are not arm64: `],
    ['batch', 'arm64', ['c6i'], `write ${FAMILY} In [c6g], because c6i is not arm64: `],
    ['intel', 'amd64', ['c7g'], `write ${FAMILY} In [c7a, c7i], because c7g is not amd64: `],
    ['intel', 'arm64', ['c6i', 'm6i'], `allow amd64 in ${ARCH}: `],
  ])('proposes families of the architecture, except if the NodePool names the other one: %s, %s', (...row) => {
    const [name, architecture, families, remedy] = row;
    const requirements = [oneOf(ARCH, architecture), oneOf(FAMILY, ...families), oneOf(SIZE, 'large', 'xlarge')];
    const [finding] = judge(rule, [nodeClass(), nodePool(name, { requirements })]).findings;
    expect(finding.remedy).toContain(remedy);
  });

  test('proposes sizes with room for the pods that wait for the NodePool', () => {
    const requirements = [oneOf(CATEGORY, 't'), above(GENERATION, '4'), oneOf(SIZE, 'large', '16xlarge')];
    const remedies = [deployment('small'), deployment('large', {}, { requests: { cpu: '20' } })].map(
      (pods) => judge(rule, [nodeClass(), nodePool('empty', { requirements }), pods]).findings[0].remedy,
    );
    expect(remedies[0]).toContain(`write ${GENERATION} Gt 3: t4g.large meets`);
    expect(remedies[1]).toContain(`allow other values of ${CATEGORY}: `);
  });

  test('reports minValues above the number of values, and says how many values there are', () => {
    const requirements = [
      oneOf('karpenter.k8s.aws/instance-hypervisor', 'nitro'),
      { ...oneOf(FAMILY, 'm5', 'c5', 'c4'), minValues: 3 },
    ];
    const { findings } = judge(rule, [nodeClass(), nodePool('varied', { requirements })]);
    expect(findings[0].message).toMatch(/ → 0 \(minValues 3 of karpenter.k8s.aws\/instance-family, which has 2\)$/);
    expect(findings[0].remedy).toBe(
      'remove minValues of karpenter.k8s.aws/instance-family, or write at most 2 and no more than pods leave to choose from, or allow instance types with more of its values',
    );
    expect(findings[0].path).toEqual(['spec', 'template', 'spec', 'requirements', 1]);
    expect(
      judge(rule, [nodeClass(), nodePool('varied', { requirements })], { minValuesPolicy: 'BestEffort' }).states,
    ).toEqual(['pass NodePool/varied']);
  });

  test('leaves a zone outside the given region to KARP-216', () => {
    expect(judge(rule, [nodeClass(), inZone('eu-west-1a')], { region: 'us-west-2' }).states).toEqual([
      'pass NodePool/far',
    ]);
  });

  test('reports a zone that is not one of the given zones', () => {
    expect(
      judge(rule, [nodeClass(), inZone('us-west-2d')], { region: 'us-west-2', zones: ['us-west-2a'] }).states,
    ).toEqual(['fail NodePool/far']);
  });

  test('takes a zone that a NodePool requires for one of the cluster', () => {
    expect(judge(rule, [nodeClass(), inZone('eu-west-1a')]).states).toEqual(['pass NodePool/far']);
    expect(judge(rule, [nodeClass(), inZone('us-west-2d')], { region: 'us-west-2' }).states).toEqual([
      'pass NodePool/far',
    ]);
  });

  test('is not evaluated if the NodePool excludes all zones of an assumed region, or all assumed zones', () => {
    const values = ['us-east-1a', 'us-east-1b', 'us-east-1c'];
    const elsewhere = nodePool('far', {
      requirements: [{ key: 'topology.kubernetes.io/zone', operator: 'NotIn', values }],
    });
    const whys = [{}, { region: 'us-east-1' }].flatMap(
      (options) => judge(rule, [nodeClass(), elsewhere], options).whys,
    );
    expect(whys).toEqual([
      expect.stringContaining('the region is only assumed to be us-east-1: give the region and its zones'),
      expect.stringContaining('the zones are only assumed to be us-east-1a, us-east-1b, us-east-1c: give the zones'),
    ]);
  });

  test('reports a type that does not exist', () => {
    expect(judge(rule, [nodeClass(), nodePool('typo', { requirements: [types('c7i.2xlrage')] })]).states).toEqual([
      'fail NodePool/typo',
    ]);
  });

  test.each([
    [['hpc7g.4xlarge'], 'hpc7g.4xlarge'],
    [
      ['u7i-6tb.112xlarge', 't2.nano', 'hpc7g.4xlarge'],
      'any of the 3 instance types (hpc7g.4xlarge, t2.nano and u7i-6tb.112xlarge)',
    ],
  ])('says that EC2 never sells %s as spot', (names, which) => {
    const pools = [
      [types(...names), oneOf(CAPACITY_TYPE, 'spot')],
      [oneOf(CAPACITY_TYPE, 'spot'), types(...names)],
    ].map((requirements) => nodePool('hpc', { requirements }));
    for (const pool of pools) {
      expect(judge(rule, [nodeClass(), pool]).findings[0].remedy).toBe(
        `allow on-demand in the requirement on karpenter.sh/capacity-type: EC2 never sells ${which} as spot`,
      );
    }
    expect(
      judge(rule, [
        nodeClass(),
        nodePool('hpc', { requirements: [types('hpc7g.4xlarge'), oneOf(CAPACITY_TYPE, 'spot', 'on-demand')] }),
      ]).states,
    ).toEqual(['pass NodePool/hpc']);
  });

  test('does not blame spot if one of the types is sold as spot', () => {
    const { findings } = judge(rule, [
      nodeClass(),
      nodePool('mixed', {
        requirements: [types('m5.large', 'hpc7g.4xlarge'), oneOf(ARCH, 'riscv'), oneOf(CAPACITY_TYPE, 'spot')],
      }),
    ]);
    expect(findings[0].remedy).not.toContain('never sells');
  });

  test('proposes a capacity block for types that the region sells only so', () => {
    const { findings } = judge(rule, [nodeClass(), nodePool('training', { requirements: [types('p5e.48xlarge')] })], {
      region: 'us-east-2',
    });
    expect(findings[0].remedy).toBe(
      'buy a capacity block, select it with capacityReservationSelectorTerms in the EC2NodeClass, and allow reserved in the requirement on karpenter.sh/capacity-type: ' +
        'EC2 sells p5e.48xlarge as capacity blocks, and has no on-demand price for it',
    );
  });

  test('reports types without an available offering, and names possible reasons', () => {
    const { findings } = judge(rule, [nodeClass(), nodePool('dear', { requirements: [types('p5e.48xlarge')] })]);
    expect(findings[0].remedy).toBe(
      'allow other instance types, zones or capacity types: the remaining types have no price there, or the EC2NodeClass cannot run on them',
    );
  });

  test('passes if a type is left', () => {
    expect(judge(rule, [nodeClass(), nodePool('one', { requirements: [types('m5.large')] })]).states).toEqual([
      'pass NodePool/one',
    ]);
  });

  test('is not evaluated if the node class is not in the input', () => {
    const { states, whys } = judge(rule, [nodeClass('other'), nodePool('default')]);
    expect(states).toEqual(['not-evaluated NodePool/default']);
    expect(whys[0]).toContain('EC2NodeClass default is not in the input');
  });

  test('is not evaluated if a value is known only at deployment', () => {
    const requirements = [oneOf('karpenter.k8s.aws/instance-family', '${Token[TOKEN.9]}')];
    expect(judge(rule, [nodeClass(), nodePool('default', { requirements })]).states).toEqual([
      'not-evaluated NodePool/default',
    ]);
  });

  test('does not apply without NodePools', () => {
    expect(judge(rule, [nodeClass(), deployment('web')]).outcomes).toEqual([]);
  });
});
