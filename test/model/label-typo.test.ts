import { Label, suggestLabelKey, WELL_KNOWN_LABELS } from '../../src/model';

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
