import { compareKarpenterVersions, findApiStatus, NEWEST_KARPENTER_VERSION } from '../../src/contract';

describe('findApiStatus in the newest release', () => {
  test.each([
    ['karpenter.sh/v1', 'NodePool', 'served', undefined],
    ['karpenter.k8s.aws/v1', 'EC2NodeClass', 'served', undefined],
    ['karpenter.sh/v1alpha1', 'NodeOverlay', 'served', undefined],
    ['autoscaling.x-k8s.io/v1beta1', 'CapacityBuffer', 'served', undefined],
    ['karpenter.sh/v1beta1', 'NodePool', 'removed', 'karpenter.sh/v1 NodePool'],
    ['karpenter.sh/v1alpha5', 'Provisioner', 'removed', 'karpenter.sh/v1 NodePool'],
    ['karpenter.k8s.aws/v1alpha1', 'AWSNodeTemplate', 'removed', 'karpenter.k8s.aws/v1 EC2NodeClass'],
    ['karpenter.k8s.aws/v1', 'AWSNodeTemplate', 'unknown', 'karpenter.k8s.aws/v1 EC2NodeClass'],
    ['karpenter.k8s.aws/v1alpha5', 'Provisioner', 'unknown', 'karpenter.sh/v1 NodePool'],
    ['karpenter.k8s.aws/v1', 'NodePool', 'unknown', 'karpenter.sh/v1 NodePool'],
    ['karpenter.sh/v1', 'NodeTemplate', 'unknown', undefined],
    ['apps/v1', 'Deployment', 'foreign', undefined],
    ['example.com/v1', 'NodePool', 'foreign', undefined],
  ])('returns for %s %s: %s', (apiVersion, kind, state, successor) => {
    expect(findApiStatus(apiVersion, kind)).toMatchObject(successor === undefined ? { state } : { state, successor });
  });
});

describe('findApiStatus of v1beta1', () => {
  test.each([
    ['0.31.4', 'future'],
    ['0.32.0', 'served'],
    ['1.0.9', 'served'],
    ['1.1.0', 'removed'],
  ])('returns in release %s: %s', (version, state) => {
    expect(findApiStatus('karpenter.sh/v1beta1', 'NodePool', version).state).toBe(state);
  });
});

describe('compareKarpenterVersions', () => {
  test.each([
    ['1.9.0', '1.10.0', -1],
    ['v1.15', NEWEST_KARPENTER_VERSION, -1],
    ['0.37.0', '0.37.0-rc.1', 0],
    ['2.0.0', '1.99.99', 1],
  ])('compares %s with %s', (a, b, sign) => {
    expect(Math.sign(compareKarpenterVersions(a, b))).toBe(sign);
  });

  test('throws for a string that is not a version', () => {
    expect(() => compareKarpenterVersions('latest', '1.0.0')).toThrow(
      'karpenter version: must be <major>.<minor>.<patch>, got "latest"; write for example 1.15.1',
    );
  });
});
