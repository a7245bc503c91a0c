import { legacyApiVersion } from '../../../../src/validation/rules/api/legacy-api-version';
import { judge, manifest, nodeClass, nodePool } from '../judge';

const rule = legacyApiVersion;

describe('KARP-101 legacy-api-version', () => {
  test.each([
    ['karpenter.sh/v1alpha5', 'Provisioner', 'apiVersion: karpenter.sh/v1 and kind: NodePool'],
    ['karpenter.k8s.aws/v1alpha1', 'AWSNodeTemplate', 'apiVersion: karpenter.k8s.aws/v1 and kind: EC2NodeClass'],
    ['karpenter.sh/v1beta1', 'NodePool', 'apiVersion: karpenter.sh/v1 and kind: NodePool'],
    ['karpenter.k8s.aws/v1beta1', 'EC2NodeClass', 'apiVersion: karpenter.k8s.aws/v1 and kind: EC2NodeClass'],
    ['karpenter.k8s.aws/v1', 'AWSNodeTemplate', 'apiVersion: karpenter.k8s.aws/v1 and kind: EC2NodeClass'],
  ])('reports %s %s, and names the successor', (apiVersion, kind, successor) => {
    const { states, findings } = judge(rule, [manifest(apiVersion, kind, 'old', {})]);
    expect(states).toEqual([`fail ${kind}/old`]);
    expect(findings[0].remedy).toContain(successor);
    expect(findings[0].object.locate(findings[0].path)).toMatchObject({ line: 2, path: 'apiVersion' });
  });

  test.each([
    ['karpenter.sh/v1alpha5', 'Provisioner'],
    ['karpenter.k8s.aws/v1alpha1', 'AWSNodeTemplate'],
  ])('notes %s %s beside its successor', (apiVersion, kind) => {
    const { findings } = judge(rule, [manifest(apiVersion, kind, 'old', {}), nodeClass(), nodePool('default')]);
    expect(findings).toEqual([
      expect.objectContaining({ severity: 'info', remedy: expect.stringMatching(/^delete it if /) }),
    ]);
  });

  test('names the release that removed the version', () => {
    const [finding] = judge(rule, [manifest('karpenter.sh/v1alpha5', 'Provisioner', 'old', {})], {
      karpenterVersion: '1.14.1',
    }).findings;
    expect(finding.message).toContain('was removed in Karpenter 0.33.0, and this is 1.14.1');
  });

  test('says that the release is assumed if the input has none', () => {
    const [{ message }] = judge(rule, [manifest('karpenter.sh/v1alpha5', 'Provisioner', 'old', {})]).findings;
    expect(message).toMatch(/was removed in Karpenter 0\.33\.0, and \d+\.\d+\.\d+ is assumed: /);
  });

  test('names the existing kinds if there is no successor', () => {
    const [{ message, remedy }] = judge(rule, [manifest('karpenter.sh/v1', 'NodeTemplate', 'new', {})]).findings;
    expect(message).toContain('karpenter.sh/v1 NodeTemplate exists in no Karpenter release');
    expect(remedy).toBe('write karpenter.sh/v1 NodePool or NodeClaim, or karpenter.k8s.aws/v1 EC2NodeClass');
  });

  test('reports a CapacityBuffer v1alpha1, but no other kind of its API group', () => {
    const buffer = manifest('autoscaling.x-k8s.io/v1alpha1', 'CapacityBuffer', 'room', {});
    const other = manifest('autoscaling.x-k8s.io/v1alpha1', 'ProvisioningRequest', 'other', {});
    const { states, findings } = judge(rule, [buffer, other]);
    expect(states).toEqual(['fail CapacityBuffer/room']);
    expect(findings[0].remedy).toContain('apiVersion: autoscaling.x-k8s.io/v1beta1 and kind: CapacityBuffer');
  });

  test('names the convert command if it can write the successor', () => {
    const remedies = [
      ['karpenter.sh/v1beta1', 'NodePool'],
      ['karpenter.sh/v2', 'NodePool'],
    ].map(([apiVersion, kind]) =>
      judge(rule, [manifest(apiVersion, kind, 'old', {})]).findings[0].remedy.includes(
        '`karpenter-constructs convert`',
      ),
    );
    expect(remedies).toEqual([true, false]);
  });

  test('passes a v1beta1 object for a release that serves v1beta1', () => {
    const beta = manifest('karpenter.sh/v1beta1', 'NodePool', 'old', {});
    expect(judge(rule, [beta], { karpenterVersion: '1.0.0' }).states).toEqual(['pass NodePool/old']);
  });

  test('reports an object for a release that does not serve its kind yet', () => {
    const overlay = manifest('karpenter.sh/v1alpha1', 'NodeOverlay', 'new', {});
    const [finding] = judge(rule, [overlay], { karpenterVersion: '1.0.0' }).findings;
    expect(finding.remedy).toBe('run Karpenter 1.7.0 or later');
  });

  test('passes v1 objects', () => {
    expect(judge(rule, [nodePool('default'), nodeClass()]).states).toEqual([
      'pass NodePool/default',
      'pass EC2NodeClass/default',
    ]);
  });

  test('does not apply to objects of other API groups', () => {
    const others = [manifest('v1', 'ConfigMap', 'c', {}), manifest('example.com/v1alpha5', 'Provisioner', 'p', {})];
    expect(judge(rule, others).outcomes).toEqual([]);
  });
});
