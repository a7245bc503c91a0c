import { NODE_CLASSES, NODE_POOLS, nodeClass, nodePool } from './hash-cases';
import { changedFields, driftOfField, nodeClassHash, nodePoolHash } from '../../../src/contract';

describe('driftOfField', () => {
  test.each([
    ['spec.template.spec.taints', 'always', 'NodePoolDrifted'],
    ['spec.template.metadata.labels.team', 'always', 'NodePoolDrifted'],
    ['spec.template.spec.expireAfter', 'always', 'NodePoolDrifted'],
    ['spec.template.spec.nodeClassRef.name', 'always', 'NodePoolDrifted'],
    ['spec.template.spec.requirements', 'if node labels do not match', 'RequirementsDrifted'],
    ['spec.disruption.consolidateAfter', 'never', undefined],
    ['spec.limits', 'never', undefined],
    ['spec.weight', 'never', undefined],
    ['metadata.labels', 'never', undefined],
    ['spec.template.spec.nonsense', 'never', undefined],
  ])("of a NodePool's %s is: %s", (path, drifts, reason) => {
    expect(driftOfField('NodePool', path.split('.'))).toEqual({ drifts, reason });
  });

  test.each([
    ['spec.role', 'always', 'NodeClassDrift'],
    ['spec.kubelet.maxPods', 'always', 'NodeClassDrift'],
    ['spec.amiFamily', 'always', 'NodeClassDrift'],
    ['spec.metadataOptions.httpTokens', 'always', 'NodeClassDrift'],
    ['spec.placementGroupSelector.name', 'always', 'NodeClassDrift'],
    ['spec.amiSelectorTerms', 'if the lookup result differs', 'AMIDrift'],
    ['spec.securityGroupSelectorTerms', 'if the lookup result differs', 'SecurityGroupDrift'],
    ['spec.subnetSelectorTerms', 'if the lookup result differs', 'SubnetDrift'],
    ['spec.capacityReservationSelectorTerms', 'if the lookup result differs', 'CapacityReservationDrift'],
    ['spec.ipPrefixCount', 'never', undefined],
    ['status.amis', 'never', undefined],
  ])("of an EC2NodeClass's %s is: %s", (path, drifts, reason) => {
    expect(driftOfField('EC2NodeClass', path.split('.'))).toEqual({ drifts, reason });
  });

  test('supports paths into list items', () => {
    expect(driftOfField('EC2NodeClass', ['spec', 'blockDeviceMappings', 0, 'ebs', 'volumeSize']).drifts).toBe('always');
    expect(driftOfField('EC2NodeClass', ['spec', 'blockDeviceMappings', 0, 'ebs', 'colour']).drifts).toBe('never');
  });
});

describe('changedFields', () => {
  const paths = (kind: 'NodePool' | 'EC2NodeClass', before: unknown, after: unknown) =>
    changedFields(kind, before, after).map(({ path }) => path);

  test('returns the changed fields of a NodePool', () => {
    const before = nodePool({ metadata: { labels: { team: 'a', tier: 'web' } } });
    const after = nodePool(
      {
        metadata: { labels: { team: 'b', tier: 'web', new: 'x' } },
        expireAfter: '24h',
        requirements: [],
        taints: [{ key: 'a', effect: 'NoSchedule' }],
      },
      { weight: 3 },
    );
    expect(changedFields('NodePool', before, after)).toEqual([
      { path: 'spec.template.metadata.labels.new', drifts: 'always', reason: 'NodePoolDrifted' },
      { path: 'spec.template.metadata.labels.team', drifts: 'always', reason: 'NodePoolDrifted' },
      { path: 'spec.template.spec.taints', drifts: 'always', reason: 'NodePoolDrifted' },
      { path: 'spec.template.spec.expireAfter', drifts: 'always', reason: 'NodePoolDrifted' },
      { path: 'spec.template.spec.requirements', drifts: 'if node labels do not match', reason: 'RequirementsDrifted' },
    ]);
  });

  test('returns the changed fields of an EC2NodeClass', () => {
    const after = nodeClass({
      kubelet: { maxPods: 20 },
      metadataOptions: { httpTokens: 'optional' },
      amiSelectorTerms: [{ alias: 'bottlerocket@latest' }],
    });
    expect(paths('EC2NodeClass', nodeClass(), after)).toEqual([
      'spec.metadataOptions.httpTokens',
      'spec.amiFamily',
      'spec.kubelet',
      'spec.amiSelectorTerms',
    ]);
  });

  test('ignores explicit defaults and the order of list items', () => {
    expect(changedFields('NodePool', nodePool(), nodePool({ expireAfter: '720h' }))).toEqual([]);
    expect(changedFields('NodePool', NODE_POOLS['two taints'], NODE_POOLS['two taints the other way round'])).toEqual(
      [],
    );
    expect(
      changedFields('EC2NodeClass', nodeClass(), nodeClass({ metadataOptions: { httpTokens: 'required' } })),
    ).toEqual([]);
  });

  test.each(Object.entries(NODE_POOLS))(
    'reports a field with drift "always" exactly if the hash changes: %s',
    (_, after) => {
      const hashChanges = nodePoolHash(after) !== nodePoolHash(nodePool());
      expect(changedFields('NodePool', nodePool(), after).some(({ drifts }) => drifts === 'always')).toBe(hashChanges);
    },
  );

  test.each(Object.entries(NODE_CLASSES))(
    'reports a field with drift "always" exactly if the hash changes: %s',
    (_, after) => {
      const hashChanges = nodeClassHash(after, '') !== nodeClassHash(nodeClass(), '');
      expect(changedFields('EC2NodeClass', nodeClass(), after).some(({ drifts }) => drifts === 'always')).toBe(
        hashChanges,
      );
    },
  );
});
