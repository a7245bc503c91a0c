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

  describe('with an alias of Windows, whose image is of amd64', () => {
    const windows = nodeClass('default', { amiSelectorTerms: [{ alias: 'windows2022@latest' }] });
    const of = (...requirements: Array<ReturnType<typeof oneOf>>) => judge(rule, [windows, nodePool('default', { requirements })]);

    test('warns of arm64, be it all that there is', () => {
      expect(of(oneOf('kubernetes.io/arch', 'amd64', 'arm64')).findings[0].message)
        .toMatch(/^allows \d+ instance types of arm64, and the image of windows2022@latest, which EC2NodeClass default selects, is of amd64: nodes of arm64 are planned/);
      expect(of(oneOf('kubernetes.io/arch', 'arm64')).states).toEqual(['fail NodePool/default']);
    });

    test('does not apply where only amd64 is left', () => {
      expect([of(oneOf('kubernetes.io/arch', 'amd64')).outcomes, of(oneOf('kubernetes.io/os', 'windows')).outcomes]).toEqual([[], []]);
    });
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
