import { judge, nodeClass, nodePool, oneOf } from './helper';
import { AmiPinStaleOrMismatched } from '../../../src/validation/rules/ami-pin-stale-or-mismatched';

const rule = new AmiPinStaleOrMismatched();
const both = nodePool('default', { requirements: [oneOf('kubernetes.io/arch', 'amd64', 'arm64')] });
const pinned = (...ids: string[]) => nodeClass('default', { amiFamily: 'AL2023', amiSelectorTerms: ids.map((id) => ({ id })) });

describe('KARP-906 ami-pin-stale-or-mismatched', () => {
  test('warns of one image for two architectures', () => {
    const { findings } = judge(rule, [pinned('ami-0123456789abcdef0'), both]);
    expect(findings[0].message).toMatch(/^allows \d+ instance types of amd64 and \d+ instance types of arm64, and EC2NodeClass default has the one image ami-0123456789abcdef0/);
  });

  test('passes with an alias, which stands for images of both', () => {
    expect(judge(rule, [nodeClass('default', { amiSelectorTerms: [{ alias: 'al2023@v20250915' }] }), both]).states).toEqual(['pass NodePool/default']);
  });

  test('does not apply to NodePools of one architecture, nor where the class is not in the input', () => {
    const arm = nodePool('default', { requirements: [oneOf('kubernetes.io/arch', 'arm64')] });
    expect(judge(rule, [pinned('ami-0123456789abcdef0'), arm]).outcomes).toEqual([]);
    expect(judge(rule, [both]).outcomes).toEqual([]);
  });

  test.each<[string, string]>([
    ['several images', pinned('ami-0123456789abcdef0', 'ami-0fedcba9876543210')],
    ['images by tags', nodeClass('default', { amiFamily: 'AL2023', amiSelectorTerms: [{ tags: { team: 'a' } }] })],
    ['a class that cannot be used', nodeClass('default', { amiFamily: 'Debian', amiSelectorTerms: [{ id: 'ami-0123456789abcdef0' }] })],
  ])('is not evaluated with %s', (_, document) => {
    expect(judge(rule, [document, both]).states).toEqual(['not-evaluated NodePool/default']);
  });
});
