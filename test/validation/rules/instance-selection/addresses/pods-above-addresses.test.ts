import { podsAboveAddresses } from '../../../../../src/validation/rules/instance-selection/addresses/pods-above-addresses';
import { daemonSet, deployment, judge, judgeStack, manifest, nodeClass, nodePool, types } from '../../judge';

const rule = podsAboveAddresses;
const DENSE = nodeClass('default', { kubelet: { maxPods: 110 } });
const POOL = nodePool('core', { requirements: [types('t3.medium')] });
const REQUESTS = { requests: { cpu: '20m', memory: '32Mi' } };

/** The DaemonSet of the VPC CNI with environment variables. */
function cni(variables: Record<string, string | undefined>): string {
  const env = Object.entries(variables).map(([name, value]) => ({ name, value }));
  return daemonSet('aws-node', {}, { hostNetwork: true, containers: [{ name: 'aws-node', image: 'cni', env }] });
}

const WITHOUT_PREFIXES = cni({ ENABLE_PREFIX_DELEGATION: 'false' });

describe('KARP-252 pods-above-addresses', () => {
  test('is an error if a planned node gets more pods than it has addresses for', () => {
    const { findings } = judge(rule, [
      DENSE,
      POOL,
      WITHOUT_PREFIXES,
      deployment('web', {}, { replicas: 40, ...REQUESTS }),
    ]);
    expect(findings).toMatchObject([
      {
        path: ['spec', 'kubelet', 'maxPods'],
        severity: 'error',
        evidence: { maxPods: 110, prefixDelegation: false, smallest: 't3.medium', pods: 40, addresses: 15 },
        fix: { edits: [{ operation: 'remove', path: ['spec', 'kubelet', 'maxPods'] }] },
      },
    ]);
    expect(findings[0].message).toContain('the other 25 stay in ContainerCreating');
  });

  test('is a warning if only an allowed type has fewer addresses', () => {
    const { findings } = judge(rule, [DENSE, POOL, WITHOUT_PREFIXES]);
    expect(findings[0].severity).toBeUndefined();
    expect(findings[0].message).toContain('1 allowed instance type has fewer pod addresses, such as t3.medium with 17');
  });

  test('does not count pods on the host network', () => {
    const web = deployment('web', { hostNetwork: true }, { replicas: 40, ...REQUESTS });
    expect(judge(rule, [DENSE, POOL, WITHOUT_PREFIXES, web]).findings[0].severity).toBeUndefined();
  });

  test('passes with prefix delegation', () => {
    expect(judge(rule, [DENSE, POOL, cni({ ENABLE_PREFIX_DELEGATION: 'true' })]).states).toEqual([
      'pass DaemonSet/aws-node',
    ]);
  });

  test('reports types without Nitro, which get no prefixes', () => {
    const pool = nodePool('core', { requirements: [types('m4.large')] });
    const [finding] = judge(rule, [DENSE, pool, cni({ ENABLE_PREFIX_DELEGATION: 'true' })]).findings;
    expect(finding.message).toContain('the VPC CNI gives no prefixes to types without Nitro');
    expect(finding.remedy).toContain('In [nitro]');
  });

  test('passes without maxPods, because Karpenter counts the addresses', () => {
    expect(judge(rule, [nodeClass(), POOL, WITHOUT_PREFIXES]).states).toEqual(['pass DaemonSet/aws-node']);
  });

  test('reports that Karpenter counts the interface that custom networking takes', () => {
    const own = cni({ AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG: 'true' });
    const [finding] = judge(rule, [nodeClass(), POOL, own]).findings;
    expect(finding).toMatchObject({
      object: { kind: 'DaemonSet', name: 'aws-node' },
      evidence: { instanceType: 't3.medium', pods: 17, withAddress: 12 },
    });
    expect(finding.remedy).toContain('set reservedENIs to 1');
    expect(judge(rule, [nodeClass(), POOL, own], { reservedENIs: 1 }).findings).toEqual([]);
    const karpenter = manifest('helm.toolkit.fluxcd.io/v2', 'HelmRelease', 'karpenter', {
      chart: {
        spec: { chart: 'karpenter', version: '1.8.1', sourceRef: { kind: 'HelmRepository', name: 'karpenter' } },
      },
      values: { settings: { clusterName: 'demo' } },
    });
    expect(judge(rule, [nodeClass(), POOL, own, karpenter]).findings).toMatchObject([
      {
        object: { kind: 'HelmRelease', name: 'karpenter' },
        remedy: 'write settings.reservedENIs: "1"',
        fix: { edits: [{ path: ['spec', 'values', 'settings', 'reservedENIs'], value: '1' }] },
      },
    ]);
  });

  test('reads the values of the chart that a HelmRelease installs', () => {
    const release = (fields: object) =>
      manifest('helm.toolkit.fluxcd.io/v2', 'HelmRelease', 'cni', {
        chart: { spec: { chart: 'aws-vpc-cni', sourceRef: { kind: 'HelmRepository', name: 'eks' } } },
        values: { env: { AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG: 'true' } },
        ...fields,
      });
    const found = (fields: object) => judge(rule, [nodeClass(), POOL, release(fields)]).findings;
    expect(found({})).toMatchObject([{ object: { kind: 'HelmRelease' }, evidence: { pods: 17, withAddress: 12 } }]);
    expect(found({ valuesFrom: [{ kind: 'ConfigMap', name: 'cni' }] })).toEqual([]);
  });

  test.each([
    ['the configuration of the add-on', JSON.stringify({ env: { ENABLE_PREFIX_DELEGATION: 'false' } }), 1],
    ['the defaults of the add-on', undefined, 1],
    ['prefixes in the configuration of the add-on', JSON.stringify({ env: { ENABLE_PREFIX_DELEGATION: 'true' } }), 0],
    ['a configuration that is known only at deployment', { Ref: 'Values' }, 0],
  ])('reads %s', (_, ConfigurationValues, expected) => {
    const Cni = {
      Type: 'AWS::EKS::Addon',
      Properties: { AddonName: 'vpc-cni', ClusterName: 'prod', ConfigurationValues },
    };
    expect(judgeStack(rule, { Cni }, [DENSE, POOL]).findings).toHaveLength(expected);
  });

  test('reads the add-ons of eksctl', () => {
    const cluster = JSON.stringify({
      apiVersion: 'eksctl.io/v1alpha5',
      kind: 'ClusterConfig',
      metadata: { name: 'prod', region: 'us-east-1' },
      addons: [{ name: 'vpc-cni', configurationValues: 'env:\n  ENABLE_PREFIX_DELEGATION: "false"\n' }],
    });
    expect(judge(rule, [DENSE, POOL, cluster]).findings).toHaveLength(1);
    expect(judge(rule, [DENSE, POOL, cluster.replace('false', 'true')]).findings).toEqual([]);
  });

  test.each([
    ['without a VPC CNI in the input', []],
    ['for IPv6', [cni({ ENABLE_IPv6: 'true' })]],
    ['for a setting that is known only at deployment', [cni({ ENABLE_PREFIX_DELEGATION: '${PREFIXES}' })]],
  ])('does not apply %s', (_, documents) => {
    expect(judge(rule, [DENSE, POOL, ...documents]).outcomes).toEqual([]);
  });

  test('does not judge nodes of Windows', () => {
    const windows = nodeClass('default', {
      amiSelectorTerms: [{ alias: 'windows2022@latest' }],
      kubelet: { maxPods: 110 },
    });
    expect(judge(rule, [windows, POOL, WITHOUT_PREFIXES, manifest('v1', 'ConfigMap', 'a', {})]).findings).toEqual([]);
  });
});
