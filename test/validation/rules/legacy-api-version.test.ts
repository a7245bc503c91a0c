import { judge, manifest, nodeClass, nodePool } from './helper';
import { LegacyApiVersion } from '../../../src/validation/rules/legacy-api-version';

const rule = new LegacyApiVersion();

describe('KARP-101 legacy-api-version', () => {
  test.each([
    ['karpenter.sh/v1alpha5', 'Provisioner', 'kind NodePool of apiVersion karpenter.sh/v1'],
    ['karpenter.k8s.aws/v1alpha1', 'AWSNodeTemplate', 'kind EC2NodeClass of apiVersion karpenter.k8s.aws/v1'],
    ['karpenter.sh/v1beta1', 'NodePool', 'kind NodePool of apiVersion karpenter.sh/v1'],
    ['karpenter.k8s.aws/v1beta1', 'EC2NodeClass', 'kind EC2NodeClass of apiVersion karpenter.k8s.aws/v1'],
    ['karpenter.k8s.aws/v1', 'AWSNodeTemplate', 'kind EC2NodeClass of apiVersion karpenter.k8s.aws/v1'],
  ])('fails for %s %s, and names the successor', (apiVersion, kind, successor) => {
    const { states, findings } = judge(rule, [manifest(apiVersion, kind, 'old', {})]);
    expect(states).toEqual([`fail ${kind}/old`]);
    expect(findings[0].remedy).toContain(successor);
    expect(findings[0].object.locate(findings[0].path)).toMatchObject({ line: 2, path: 'apiVersion' });
  });

  test('says since which release a version is gone', () => {
    const [finding] = judge(rule, [manifest('karpenter.sh/v1alpha5', 'Provisioner', 'old', {})], { karpenterVersion: '1.14.1' }).findings;
    expect(finding.message).toContain('not served since Karpenter 0.33.0, and the release here is 1.14.1');
  });

  test('names the kinds that there are, where none is the successor', () => {
    const [{ message, remedy }] = judge(rule, [manifest('karpenter.sh/v1', 'NodeTemplate', 'new', {})]).findings;
    expect(message).toContain('no release of Karpenter ever served NodeTemplate of karpenter.sh/v1');
    expect(remedy).toBe('write one of the kinds that Karpenter serves: NodePool and NodeClaim of karpenter.sh/v1, EC2NodeClass of karpenter.k8s.aws/v1');
  });

  test('fails for a CapacityBuffer in the version of the proposal, and not for other kinds of its group', () => {
    const buffer = manifest('autoscaling.x-k8s.io/v1alpha1', 'CapacityBuffer', 'room', {});
    const other = manifest('autoscaling.x-k8s.io/v1alpha1', 'ProvisioningRequest', 'other', {});
    const { states, findings } = judge(rule, [buffer, other]);
    expect(states).toEqual(['fail CapacityBuffer/room']);
    expect(findings[0].remedy).toContain('kind CapacityBuffer of apiVersion autoscaling.x-k8s.io/v1beta1');
  });

  test('names the command that writes the successor, where there is one', () => {
    const remedies = [['karpenter.sh/v1beta1', 'NodePool'], ['karpenter.sh/v2', 'NodePool']]
      .map(([apiVersion, kind]) => judge(rule, [manifest(apiVersion, kind, 'old', {})]).findings[0].remedy.includes('`karpenter-constructs convert`'));
    expect(remedies).toEqual([true, false]);
  });

  test('passes a beta object under a release that serves it', () => {
    const beta = manifest('karpenter.sh/v1beta1', 'NodePool', 'old', {});
    expect(judge(rule, [beta], { karpenterVersion: '0.37.0' }).states).toEqual(['pass NodePool/old']);
  });

  test('fails for v1 under a release that does not serve it yet', () => {
    const [finding] = judge(rule, [nodePool('new')], { karpenterVersion: '0.37.0' }).findings;
    expect(finding.remedy).toBe('run Karpenter 1.0.0 or later');
  });

  test('passes v1 objects', () => {
    expect(judge(rule, [nodePool('default'), nodeClass()]).states).toEqual(['pass NodePool/default', 'pass EC2NodeClass/default']);
  });

  test('does not apply to objects of other groups, whatever their kind', () => {
    const others = [manifest('v1', 'ConfigMap', 'c', {}), manifest('example.com/v1alpha5', 'Provisioner', 'p', {})];
    expect(judge(rule, others).outcomes).toEqual([]);
  });
});
