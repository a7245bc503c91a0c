import {
  Label,
  nearestKey,
  suggestKeyAmong,
  suggestLabelKey,
  suggestTopologyKey,
  WELL_KNOWN_LABELS,
} from '../../src/model';

describe('suggestLabelKey', () => {
  test.each([
    ['node.kubernetes.io/instance-category', Label.INSTANCE_CATEGORY],
    ['node.kubernetes.io/instance-family', Label.INSTANCE_FAMILY],
    ['karpenter.sh/instance-size', Label.INSTANCE_SIZE],
    ['eks.amazonaws.com/capacityType', Label.CAPACITY_TYPE],
    ['eks.amazonaws.com/instance-cpu', Label.INSTANCE_CPU],
    ['karpenter.k8s.aws/zone', Label.ZONE],
    ['karpenter.k8s.aws/instance-type', Label.INSTANCE_TYPE],
    ['kubernetes.io/instance-type', Label.INSTANCE_TYPE],
    ['instance-family', Label.INSTANCE_FAMILY],
    ['topology.kubernetes.io/zone-id', Label.ZONE_ID],
    ['karpenter.sh/provisioner-name', Label.NODE_POOL],
  ])('finds the name of a well-known label in another domain: %s', (key, expected) => {
    expect(suggestLabelKey(key)).toBe(expected);
  });

  test.each([
    ['karpenter.sh/capacity-typ', Label.CAPACITY_TYPE],
    ['karpenter.sh/capacity-types', Label.CAPACITY_TYPE],
    ['karpenter.k8s.aws/instance-familly', Label.INSTANCE_FAMILY],
    ['karpenter.k8s.io/instance-cpu', Label.INSTANCE_CPU],
    ['topology.kubernetes.io/zones', Label.ZONE],
    ['toplogy.kubernetes.io/zone', Label.ZONE],
    ['kubernetes.io/archs', Label.ARCH],
    ['Kubernetes.io/os', Label.OS],
    ['topology.kubernetes.io/zone-name', Label.ZONE],
    ['topology.kubernetes.io/availability-zone', Label.ZONE],
    ['topology.kubernetes.io/zone_id', Label.ZONE_ID],
    ['topology.kubernetes.io/region-name', Label.REGION],
  ])('corrects a typo: %s', (key, expected) => {
    expect(suggestLabelKey(key)).toBe(expected);
  });

  test.each([
    'team',
    'zone',
    'os',
    'example.com/zone',
    'kubernetes.io/role',
    'kubernetes.io/hostname',
    'node-role.kubernetes.io/control-plane',
    'node-role.kubernetes.io/node',
    'app.kubernetes.io/name',
    'karpenter.k8s.aws/ec2nodeclass',
    'karpenter.sh/registered',
    'karpenter.sh/initialized',
    'eks.amazonaws.com/nodegroup',
    'topology.gke.io/zone',
    '',
    '/',
    'nvidia.com/gpu.product',
    'beta.kubernetes.io/arch',
    'failure-domain.beta.kubernetes.io/zone',
    'topology.ebs.csi.aws.com/zone',
  ])('suggests nothing for %j', (key) => {
    expect(suggestLabelKey(key)).toBeUndefined();
  });

  test.each([...WELL_KNOWN_LABELS])('suggests nothing for the well-known %s', (key) => {
    expect(suggestLabelKey(key)).toBeUndefined();
  });

  test('suggests nothing for a very long key', () => {
    expect(suggestLabelKey(`${'a'.repeat(100_000)}/instance-${'b'.repeat(100_000)}`)).toBeUndefined();
  });
});

describe('suggestTopologyKey', () => {
  test.each([
    ['zone', Label.ZONE],
    ['availability-zone', Label.ZONE],
    ['example.com/zone', Label.ZONE],
    ['failure-domain.beta.kubernetes.io/zone', Label.ZONE],
    ['topology.ebs.csi.aws.com/zone', Label.ZONE],
    ['topology.kubernetes.io/zoneName', Label.ZONE],
    ['host', Label.HOSTNAME],
    ['kubernetes.io/hostnme', Label.HOSTNAME],
    ['node.kubernetes.io/hostname', Label.HOSTNAME],
    ['kubernetes.io/nodes', Label.HOSTNAME],
    ['karpenter.sh/capacitytype', Label.CAPACITY_TYPE],
    ['example.com/rak', 'example.com/rack'],
    ['other.org/rack', 'example.com/rack'],
  ])('finds the label that %s means', (key, expected) => {
    expect(suggestTopologyKey(key, ['example.com/rack', 'karpenter.sh/nodepool'])).toBe(expected);
  });

  test.each(['example.com/rack', 'zone', Label.ZONE, Label.HOSTNAME])(
    'suggests nothing for %s, which nodes have',
    (key) => {
      expect(suggestTopologyKey(key, ['example.com/rack', 'zone'])).toBeUndefined();
    },
  );

  test('suggests nothing for a key that resembles none', () => {
    expect(suggestTopologyKey('example.com/shelf', ['example.com/rack'])).toBeUndefined();
  });
});

describe('suggestKeyAmong', () => {
  test('prefers an own label to a label of a platform, except for a key in a domain of the platform', () => {
    const own = ['example.com/instance-type', 'example.com/zone'];
    expect(suggestKeyAmong('example.org/instance-type', own)).toBe('example.com/instance-type');
    expect(suggestKeyAmong('kubernetes.io/instance-type', own)).toBe(Label.INSTANCE_TYPE);
  });
});

describe('nearestKey', () => {
  test('returns nothing if labels of two domains have the name', () => {
    expect(nearestKey('example.com/team', ['platform.org/team', 'apps.io/tema'])).toBeUndefined();
    expect(nearestKey('example.com/team', ['platform.org/team', 'apps.io/tier'])).toBe('platform.org/team');
  });
});
