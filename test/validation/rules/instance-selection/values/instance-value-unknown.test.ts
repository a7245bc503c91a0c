import { instanceValueUnknown } from '../../../../../src/validation/rules/instance-selection/values/instance-value-unknown';
import { judge, manifest, nodeClass, nodePool, oneOf, types } from '../../judge';

const rule = instanceValueUnknown;
const FAMILY = 'karpenter.k8s.aws/instance-family';
const SIZE = 'karpenter.k8s.aws/instance-size';

function judgePool(...requirements: Array<{ key: string; operator: string; values?: string[] }>) {
  return judge(rule, [nodeClass(), nodePool('core', { requirements })]);
}

describe('KARP-251 instance-value-unknown', () => {
  test('reports a misspelt instance type with the type that was meant', () => {
    const { findings } = judgePool(types('m6i.xlarge', 'm6i.larg'));
    expect(findings).toMatchObject([
      {
        path: ['spec', 'template', 'spec', 'requirements', 0, 'values', 1],
        remedy: 'write m6i.large instead of m6i.larg',
        evidence: { values: ['m6i.larg'], meant: ['m6i.large'] },
        fix: { safe: true, edits: [{ operation: 'set', value: 'm6i.large' }] },
      },
    ]);
    expect(findings[0].message).toContain('names instance type m6i.larg, which EC2 does not have');
    expect(findings[0].severity).toBeUndefined();
  });

  test('reports swapped letters in a size', () => {
    expect(judgePool(types('m7i.2xlrage', 'm7i.large')).findings[0].remedy).toBe(
      'write m7i.2xlarge instead of m7i.2xlrage',
    );
  });

  test.each([
    ['c,m, r', ['c', 'm', 'r']],
    ['["c", "m"]', ['c', 'm']],
  ])('writes a list instead of the text %s', (text, list) => {
    const [finding] = judgePool(oneOf('karpenter.k8s.aws/instance-category', text)).findings;
    expect(finding.message).toContain('has several values in one text');
    expect(finding.remedy).toBe(`write values: [${list.join(', ')}]`);
    expect(finding.fix?.safe).toBe(true);
    expect(finding.fix?.edits.map((edit) => 'value' in edit && edit.value)).toEqual(list);
  });

  test('is an error if the NodePool allows no other instance type', () => {
    const [finding] = judgePool(types('m7i.2xlrage')).findings;
    expect(finding.severity).toBe('error');
    expect(finding.message).toContain('the NodePool launches no nodes');
  });

  test.each([
    [
      'instance-memory',
      'Lt',
      '65',
      'write 66560 for 65 GiB',
      'no instance type has less than 65 MiB: the requirement excludes all',
    ],
    [
      'instance-memory',
      'Gt',
      '8',
      'write 8192 for 8 GiB',
      'every instance type has more than 8 MiB: the requirement excludes nothing',
    ],
    ['instance-memory', 'In', '64', 'write 65536 for 64 GiB', 'no instance type has 64 MiB'],
    ['instance-network-bandwidth', 'Gte', '25', 'write 25000 for 25 Gbps', 'every instance type has at least 25 Mbps'],
    ['instance-ebs-bandwidth', 'Lte', '10', 'write 10000 for 10 Gbps', 'no instance type has at most 10 Mbps'],
  ])('reports %s %s %s as a value in a larger unit', (name, operator, value, remedy, message) => {
    const requirement = { key: `karpenter.k8s.aws/${name}`, operator, values: [value] };
    const [finding] = judgePool(requirement).findings;
    expect(finding).toMatchObject({ remedy, message: expect.stringContaining(message) });
    expect(finding.severity === 'error').toBe(message.startsWith('no '));
  });

  test.each([
    ['instance-memory', 'Gt', '8191'],
    ['instance-memory', 'Lt', '65536'],
    ['instance-cpu', 'Gt', '4'],
    ['instance-memory', 'Gt', '0'],
  ])('passes %s %s %s', (name, operator, value) => {
    expect(judgePool({ key: `karpenter.k8s.aws/${name}`, operator, values: [value] }).findings).toEqual([]);
  });

  test('says that a type of a possible name may be newer than the catalogue', () => {
    const [finding] = judgePool(types('m10i.large', 'm7i.large')).findings;
    expect(finding.message).toContain('misspelt, no longer offered, or newer than the catalogue');
    expect(finding.remedy).toContain('pass a catalogue that karpenter-constructs catalog update makes');
    expect(finding.fix).toBeUndefined();
  });

  test('lists the sizes of a known family', () => {
    expect(judgePool(types('z1d.9xlarge', 'z1d.large')).findings[0].remedy).toMatch(
      /^write a type of its family that exists instead of z1d.9xlarge, of size large, xlarge, .* or metal;/,
    );
  });

  test.each([
    [FAMILY, ['m6i', 'M7I'], 'write m7i instead of M7I'],
    [SIZE, ['large', '2xlrage'], 'write 2xlarge instead of 2xlrage'],
    ['karpenter.k8s.aws/instance-category', ['c', 'M'], 'write m instead of M'],
    ['karpenter.k8s.aws/instance-cpu-manufacturer', ['amd', 'Intel'], 'write intel instead of Intel'],
    ['karpenter.k8s.aws/instance-size', ['large', '2XL'], 'write 2xlarge instead of 2XL'],
    ['kubernetes.io/arch', ['amd64', 'aarch64'], 'write arm64 instead of aarch64'],
    ['karpenter.sh/capacity-type', ['spot', 'ondemand'], 'write on-demand instead of ondemand'],
    ['beta.kubernetes.io/instance-type', ['m6i.large', 'm6i.Xlarge'], 'write m6i.xlarge instead of m6i.Xlarge'],
  ])('reports a misspelt value of %s', (key, values, remedy) => {
    expect(judgePool(oneOf(key, ...values)).findings).toMatchObject([{ remedy }]);
  });

  test('reports an exclusion that excludes nothing', () => {
    const [finding] = judgePool({ key: SIZE, operator: 'NotIn', values: ['nano', 'mirco'] }).findings;
    expect(finding.message).toContain('Karpenter excludes nothing by it');
    expect(finding.remedy).toBe('write micro instead of mirco');
  });

  test.each([
    ['instance-family', 'r6idnn', 'write r6idn instead of r6idnn'],
    ['instance-family', 'm5nz', 'write m5zn instead of m5nz'],
    ['instance-family', 'x2iezm', 'write x2iezn instead of x2iezm'],
    ['instance-category', 'hcp', 'write hpc instead of hcp'],
    ['instance-gpu-name', 'a10gg', 'write a10g instead of a10gg'],
    ['instance-accelerator-name', 'inferenta', 'write inferentia instead of inferenta'],
  ])('reports an exclusion of %s %s, which EC2 is not going to have', (name, value, remedy) => {
    const key = `karpenter.k8s.aws/${name}`;
    const [finding] = judgePool({ key, operator: 'NotIn', values: [value] }).findings;
    expect(finding.message).toContain('Karpenter excludes nothing by it');
    expect(finding.remedy.split(';')[0]).toBe(remedy);
  });

  test('reports the exclusion of a size that an old family does not have', () => {
    const key = 'node.kubernetes.io/instance-type';
    const excluded = (value: string) => judgePool({ key, operator: 'NotIn', values: [value] }).findings.length;
    expect(['m5.6xlarge', 'm8i.112xlarge', 'p3.2xlarge'].map(excluded)).toEqual([1, 0, 0]);
  });

  test('passes an exclusion of a family that the catalogue does not have', () => {
    expect(
      judgePool({ key: FAMILY, operator: 'NotIn', values: ['mac1', 'p3', 'g3s', 'u-12tb1', 'm10i'] }).states,
    ).toEqual(['pass NodePool/core']);
  });

  test('offers removal if the meant value is there already', () => {
    const [finding] = judgePool(types('m6i.large', 'm6i.larg')).findings;
    expect(finding.remedy).toBe('remove m6i.larg, because m6i.large is there already');
    expect(finding.fix).toBeUndefined();
  });

  test('passes values that instance types have, and numbers', () => {
    expect(
      judgePool(types('m6i.large'), oneOf('karpenter.k8s.aws/instance-generation', '6', '12'), oneOf('team', 'a'))
        .states,
    ).toEqual(['pass NodePool/core']);
  });

  test.each([
    ['karpenter.k8s.aws/instance-category', ['t3', 't3a'], 'karpenter.k8s.aws/instance-family'],
    ['eks.amazonaws.com/instance-category', ['t3', 't3a'], 'eks.amazonaws.com/instance-family'],
    [FAMILY, ['m6i.large', 'c5.xlarge'], 'node.kubernetes.io/instance-type'],
    [FAMILY, ['c', 'm', 'r'], 'karpenter.k8s.aws/instance-category'],
    ['node.kubernetes.io/instance-type', ['large', 'xlarge'], SIZE],
    ['node.kubernetes.io/instance-type', ['m5', 'c5'], FAMILY],
    ['karpenter.sh/capacity-type', ['amd64'], 'kubernetes.io/arch'],
    ['kubernetes.io/arch', ['spot', 'on-demand'], 'karpenter.sh/capacity-type'],
  ])('names the right key for values of another one: %s In %j', (key, values, meant) => {
    expect(judgePool(oneOf(key, ...values)).findings).toMatchObject([
      {
        path: ['spec', 'template', 'spec', 'requirements', 0, 'key'],
        remedy: `write the key ${meant} instead of ${key}${key.endsWith('/instance-category') ? ', or the category t' : ''}`,
        fix: { safe: true, edits: [{ operation: 'set', value: meant }] },
      },
    ]);
  });

  test('asks before it renames a key to one that another requirement has', () => {
    const [finding] = judgePool(oneOf('karpenter.k8s.aws/instance-category', 't3'), oneOf(FAMILY, 'm5')).findings;
    expect(finding.fix).toMatchObject({ safe: false });
  });

  test('advises no empty list of values', () => {
    expect(judgePool(oneOf(FAMILY, 'zz9', 'yy8')).findings[0].remedy).toMatch(
      /^write values that EC2 has, or remove the requirement/,
    );
  });

  test('reports a misspelt type in a NodeOverlay', () => {
    const overlay = manifest('karpenter.sh/v1alpha1', 'NodeOverlay', 'cheap', {
      requirements: [types('m6i.larg')],
      priceAdjustment: '-10%',
    });
    expect(judge(rule, [overlay]).findings).toMatchObject([
      { path: ['spec', 'requirements', 0, 'values', 0], remedy: 'write m6i.large instead of m6i.larg' },
    ]);
  });

  test('does not evaluate values that are known only at deployment', () => {
    expect(judgePool(types('${Token[TOKEN.1]}')).whys).toHaveLength(1);
  });
});
