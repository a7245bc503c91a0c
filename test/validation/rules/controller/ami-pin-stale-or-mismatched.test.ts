import { amiPinStaleOrMismatched } from '../../../../src/validation/rules/controller/ami-pin-stale-or-mismatched';
import { judge, nodeClass, nodePool, oneOf } from '../judge';

const rule = amiPinStaleOrMismatched;
const both = nodePool('default', { requirements: [oneOf('kubernetes.io/arch', 'amd64', 'arm64')] });
const pinned = (...ids: string[]) =>
  nodeClass('default', { amiFamily: 'AL2023', amiSelectorTerms: ids.map((id) => ({ id })) });

describe('KARP-906 ami-pin-stale-or-mismatched', () => {
  test('warns of one AMI for two architectures', () => {
    const { findings } = judge(rule, [pinned('ami-0123456789abcdef0'), both]);
    expect(findings[0].message).toMatch(
      /^allows \d+ amd64 instance types and \d+ arm64 instance types, but EC2NodeClass default has only AMI ami-0123456789abcdef0/,
    );
  });

  test('passes with an alias, which has AMIs for both architectures', () => {
    expect(
      judge(rule, [nodeClass('default', { amiSelectorTerms: [{ alias: 'al2023@v20250915' }] }), both]).states,
    ).toEqual(['pass NodePool/default']);
  });

  describe('with AMIs by name', () => {
    const STANDARD = 'amazon-eks-node-al2023-x86_64-standard-1.33-*';
    const named = (architectures: string[], ...names: string[]) =>
      judge(rule, [
        nodeClass('default', { amiFamily: 'AL2023', amiSelectorTerms: names.map((name) => ({ name })) }),
        nodePool('default', { requirements: [oneOf('kubernetes.io/arch', ...architectures)] }),
      ]);

    test('rejects AMIs of the other architecture, and warns if the NodePool allows both', () => {
      expect(named(['arm64'], STANDARD).findings).toMatchObject([
        { severity: 'error', evidence: { image: STANDARD, consequence: 'launch-fails' } },
      ]);
      expect(named(['amd64'], 'our-aarch64-ami', 'our-arm64-ami').findings).toMatchObject([{ severity: 'error' }]);
      expect(named(['amd64', 'arm64'], STANDARD).findings[0].message).toMatch(/^allows \d+ arm64 instance types too/);
    });

    test.each([
      [STANDARD, 'arm64', STANDARD.replace('x86_64', 'arm64')],
      ['amazon-eks-arm64-node-1.30-v20240807', 'amd64', 'amazon-eks-node-1.30-v20240807'],
      ['bottlerocket-aws-k8s-1.33-x86_64-v1.41.0', 'arm64', 'bottlerocket-aws-k8s-1.33-aarch64-v1.41.0'],
    ])('reports %s once at the class, for all NodePools of %s', (name, allowed, instead) => {
      const pools = ['a', 'b'].map((pool) => nodePool(pool, { requirements: [oneOf('kubernetes.io/arch', allowed)] }));
      const terms = nodeClass('default', { amiFamily: 'AL2023', amiSelectorTerms: [{ name }] });
      const path = ['spec', 'amiSelectorTerms', 0, 'name'];
      expect(judge(rule, [terms, ...pools]).findings).toMatchObject([
        { object: { kind: 'EC2NodeClass' }, path, remedy: `write ${instead}`, evidence: { nodePools: ['a', 'b'] } },
      ]);
      const other = nodePool('c', { requirements: [oneOf('kubernetes.io/arch', 'amd64', 'arm64')] });
      expect(judge(rule, [terms, ...pools, other]).states).toEqual(
        ['a', 'b', 'c'].map((pool) => `fail NodePool/${pool}`),
      );
    });

    test('passes if the names have the architectures that the NodePool allows', () => {
      expect(named(['arm64'], STANDARD, STANDARD.replace('x86_64', 'arm64')).states).toEqual(['pass NodePool/default']);
      expect(named(['amd64'], STANDARD).states).toEqual(['pass NodePool/default']);
      expect(named(['amd64'], 'amazon-eks-node-1.30-*').states).toEqual(['pass NodePool/default']);
    });

    test('does not apply to names without an architecture', () => {
      expect(named(['arm64'], 'amazon-eks-node-al2023-*').outcomes).toEqual([]);
      expect(named(['arm64'], 'built-on-x86_64-for-arm64').outcomes).toEqual([]);
    });
  });

  describe('with a Windows alias, which is amd64 only', () => {
    const windows = nodeClass('default', { amiSelectorTerms: [{ alias: 'windows2022@latest' }] });
    const judged = (...requirements: Array<ReturnType<typeof oneOf>>) =>
      judge(rule, [windows, nodePool('default', { requirements })]);

    test('warns of arm64, also without amd64', () => {
      expect(judged(oneOf('kubernetes.io/arch', 'amd64', 'arm64')).findings[0].message).toMatch(
        /^allows \d+ arm64 instance types, but EC2NodeClass default selects windows2022@latest, which is amd64 only: launches on arm64 fail/,
      );
      expect(judged(oneOf('kubernetes.io/arch', 'arm64')).states).toEqual(['fail NodePool/default']);
    });

    test('does not apply if only amd64 is allowed', () => {
      expect([
        judged(oneOf('kubernetes.io/arch', 'amd64')).outcomes,
        judged(oneOf('kubernetes.io/os', 'windows')).outcomes,
      ]).toEqual([[], []]);
    });
  });

  test('does not apply to NodePools of one architecture, or if the class is not in the input', () => {
    const arm = nodePool('default', { requirements: [oneOf('kubernetes.io/arch', 'arm64')] });
    expect(judge(rule, [pinned('ami-0123456789abcdef0'), arm]).outcomes).toEqual([]);
    expect(judge(rule, [both]).outcomes).toEqual([]);
  });

  test.each<[string, string]>([
    ['several AMIs', pinned('ami-0123456789abcdef0', 'ami-0fedcba9876543210')],
    ['AMIs by tags', nodeClass('default', { amiFamily: 'AL2023', amiSelectorTerms: [{ tags: { team: 'a' } }] })],
    [
      'an invalid class',
      nodeClass('default', { amiFamily: 'Debian', amiSelectorTerms: [{ id: 'ami-0123456789abcdef0' }] }),
    ],
  ])('is not evaluated with %s', (_, document) => {
    expect(judge(rule, [document, both]).states).toEqual(['not-evaluated NodePool/default']);
  });
});
