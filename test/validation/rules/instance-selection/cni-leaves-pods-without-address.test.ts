import { cniLeavesPodsWithoutAddress } from '../../../../src/validation/rules/instance-selection/cni-leaves-pods-without-address';
import { deployment, judge, manifest, nodeClass, nodePool, oneOf, types } from '../judge';

const rule = cniLeavesPodsWithoutAddress;
const cni = (...on: string[]) =>
  manifest(
    'apps/v1',
    'DaemonSet',
    'aws-node',
    {
      template: {
        spec: {
          containers: [
            {
              name: 'aws-node',
              env: [
                ...on.map((name) => ({ name, value: 'true' })),
                { name: 'ENI_CONFIG_LABEL_DEF', value: 'topology.kubernetes.io/zone' },
              ],
            },
          ],
        },
      },
    },
    { namespace: 'kube-system' },
  );
const messages = (...documents: string[]) => judge(rule, documents).findings.map(({ message }) => message);

describe('KARP-265 cni-leaves-pods-without-address', () => {
  test('fails without an ENIConfig for a zone of a NodePool', () => {
    const config = (zone: string) => manifest('crd.k8s.amazonaws.com/v1alpha1', 'ENIConfig', zone, {});
    const pool = nodePool('default', { requirements: [oneOf('topology.kubernetes.io/zone', 'us-east-1a')] });
    const own = cni('AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG');
    expect(messages(pool, nodeClass(), own, config('us-east-1b'))).toEqual([
      expect.stringContaining('there is none for us-east-1a, where NodePool default launches nodes'),
    ]);
    expect(messages(pool, nodeClass(), own, config('us-east-1a'))).toEqual([]);
    expect(messages(pool, nodeClass(), own, config('${zone}'))).toEqual([]);
    expect(messages(pool, nodeClass(), own)).toEqual([]);
    expect(messages(pool, nodeClass(), cni(), config('us-east-1b'))).toEqual([]);
    expect(messages(nodePool('default'), nodeClass(), own, config('us-east-1b'))).toEqual([]);
  });

  test('fails if Windows nodes get no addresses', () => {
    const settings = (data: object) =>
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'amazon-vpc-cni', namespace: 'kube-system' },
        data,
      });
    const windows = nodeClass('default', { amiSelectorTerms: [{ alias: 'windows2022@latest' }] });
    expect(messages(nodePool('default'), windows, settings({ 'enable-windows-ipam': 'false' }))).toEqual([
      expect.stringContaining('has enable-windows-ipam: false: pods on the Windows nodes of EC2NodeClass default'),
    ]);
    expect(messages(nodePool('default'), windows, settings({}))).toHaveLength(1);
    expect(messages(nodePool('default'), windows, settings({ 'enable-windows-ipam': 'true' }))).toEqual([]);
    expect(messages(nodePool('default'), nodeClass(), settings({}))).toEqual([]);
  });

  test('fails if pods with security groups are on types without a trunk interface', () => {
    const policy = (podSelector: object, more: object = {}) =>
      manifest('vpcresources.k8s.aws/v1beta1', 'SecurityGroupPolicy', 'web', { podSelector, ...more });
    const pool = (...names: string[]) => nodePool('default', { requirements: [types(...names)] });
    const web = policy({ matchLabels: { app: 'web' } });
    const given = [nodeClass(), deployment('web'), cni('ENABLE_POD_ENI')];
    expect(messages(pool('t3.large', 't3a.large'), web, ...given)).toEqual([
      expect.stringContaining('none of the 2 instance types of NodePool default has a trunk interface'),
    ]);
    expect(messages(pool('t3.large', 'm6i.large'), web, ...given)).toEqual([]);
    expect(messages(pool('t3.large'), policy({ matchLabels: { app: 'other' } }), ...given)).toEqual([]);
    expect(messages(pool('t3.large'), web, nodeClass(), deployment('web'), cni())).toEqual([]);
  });
});
