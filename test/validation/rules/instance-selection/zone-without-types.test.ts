import { check, CheckOptions } from '../../../../src/validation';
import { nodeClass, nodePool, oneOf, types } from '../judge';

const ZONE = 'topology.kubernetes.io/zone';
const IDS: CheckOptions = {
  region: 'us-east-1',
  zones: ['us-east-1a', 'us-east-1e'],
  zoneIds: { 'us-east-1a': 'use1-az1', 'us-east-1e': 'use1-az3' },
};
const pool = (...zones: string[]) =>
  nodePool('default', { requirements: [types('m7i.large', 'm7i.xlarge'), oneOf(ZONE, ...zones)] });

function findingsOf(options: CheckOptions, ...documents: string[]) {
  return check([{ path: 'test.yaml', text: documents.join('\n---\n') }], options).findings.filter(
    ({ rule }) => rule === 'KARP-217',
  );
}

describe('KARP-217 zone-without-types', () => {
  test('reports a zone that offers none of the instance types, and names the zones that do', () => {
    const [finding] = findingsOf(IDS, nodeClass(), pool('us-east-1a', 'us-east-1e'));
    expect(finding.location.path).toBe('spec.template.spec.requirements[1].values[1]');
    expect(finding.message).toBe(
      'us-east-1e offers none of its 2 instance types: Karpenter launches no node there, and pods that must spread over zones have only us-east-1a',
    );
    expect(finding.evidence).toEqual({ zones: ['us-east-1e'], zonesWithTypes: ['us-east-1a'] });
  });

  test('passes if each zone offers one of the types', () => {
    expect(findingsOf(IDS, nodeClass(), pool('us-east-1a'))).toEqual([]);
  });

  test('passes without zone ids, because the zone may be any of the region', () => {
    expect(
      findingsOf({ region: 'us-east-1', zones: IDS.zones }, nodeClass(), pool('us-east-1a', 'us-east-1e')),
    ).toEqual([]);
  });

  test('says nothing of a NodePool that names no zone', () => {
    expect(findingsOf(IDS, nodeClass(), nodePool('default', { requirements: [types('m7i.large')] }))).toEqual([]);
  });

  test('leaves a NodePool without any instance type to its own rule', () => {
    expect(findingsOf(IDS, nodeClass(), pool('us-east-1e'))).toEqual([]);
  });

  test('is not evaluated if the node class is invalid', () => {
    const { assumptions } = check(
      [
        {
          path: 'test.yaml',
          text: [nodeClass().replace('amiSelectorTerms', 'amiSelectorTermz'), pool('us-east-1a')].join('\n---\n'),
        },
      ],
      IDS,
    );
    expect(assumptions.filter((sentence) => sentence.startsWith('KARP-217 is not evaluated'))).toHaveLength(1);
  });
});
