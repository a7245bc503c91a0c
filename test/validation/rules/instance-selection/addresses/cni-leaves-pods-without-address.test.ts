import { cniLeavesPodsWithoutAddress } from '../../../../../src/validation/rules/instance-selection/addresses/cni-leaves-pods-without-address';
import { deployment, judge, manifest, nodeClass, nodePool, oneOf, types } from '../../judge';

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
    expect(messages(pool, nodeClass(), cni(), config('us-east-1b'))).toEqual([
      expect.stringContaining('has no AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG, so that the VPC CNI ignores'),
    ]);
    expect(messages(nodePool('default'), nodeClass(), own, config('us-east-1b'))).toEqual([]);
    const both = nodePool('default', {
      requirements: [oneOf('topology.kubernetes.io/zone', 'us-east-1a', 'us-east-1b')],
    });
    const place = (...documents: string[]) =>
      judge(rule, [nodeClass(), own, ...documents]).findings.map(({ object, path }) => [
        object.kind,
        ...path.slice(-2),
      ]);
    expect(place(both, config('us-east-1b'))).toEqual([['NodePool', 'values', 0]]);
    expect(place(both, config('us-east-1b'), config('us-east-1'))).toEqual([['ENIConfig', 'metadata', 'name']]);
  });

  test('fails if nodes find no ENIConfig by their labels', () => {
    const config = (name: string, subnet = `subnet-${String(name.length).padStart(8, '1')}`) =>
      manifest('crd.k8s.amazonaws.com/v1alpha1', 'ENIConfig', name, { subnet });
    const settings = (env: Record<string, string>) =>
      JSON.stringify({
        apiVersion: 'helm.toolkit.fluxcd.io/v2',
        kind: 'HelmRelease',
        metadata: { name: 'aws-vpc-cni', namespace: 'kube-system' },
        spec: {
          chart: { spec: { chart: 'aws-vpc-cni', version: '1.19.5' } },
          values: { env: { AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG: 'true', ...env } },
        },
      });
    const zones = [oneOf('topology.kubernetes.io/zone', 'us-east-1a')];
    const pool = (labels: Record<string, string> = {}) => nodePool('default', { requirements: zones, labels });
    const found = (env: Record<string, string>, names: string[], ...objects: string[]) =>
      messages(
        nodeClass(),
        settings(env),
        ...names.map((name) => config(name)),
        ...(objects.length ? objects : [pool()]),
      );
    const LABEL = 'ENI_CONFIG_LABEL_DEF';
    expect(found({ [LABEL]: 'topology.k8s.aws/zone-id' }, ['us-east-1a'])).toEqual([
      expect.stringContaining(
        'the ENIConfig with the id of the zone, such as use1-az1, but the input has only us-east-1a',
      ),
    ]);
    expect(found({ [LABEL]: 'topology.k8s.aws/zone-id' }, ['use1-az1'])).toEqual([]);
    expect(found({}, ['us-east-1a'])).toEqual([expect.stringContaining('has no ENI_CONFIG_LABEL_DEF')]);
    expect(found({}, ['default'])).toEqual([]);
    const own = { [LABEL]: 'acme.io/eni' };
    expect(found(own, ['blue'])).toEqual([expect.stringContaining('do not have the label acme.io/eni')]);
    expect(found(own, ['blue'], pool({ 'acme.io/eni': 'blue' }))).toEqual([]);
    expect(found(own, ['blue'], pool({ 'acme.io/eni': 'blu' }))).toEqual([
      expect.stringContaining('its nodes take the ENIConfig blu for custom networking, by acme.io/eni'),
    ]);
    expect(found({ AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG: 'false' }, ['us-east-1a'])).toEqual([
      expect.stringContaining('the VPC CNI ignores the 1 ENIConfig of the input'),
    ]);
    const byZone = { [LABEL]: 'topology.kubernetes.io/zone' };
    expect(found(byZone, ['us-east-1a', 'us-east-1b'])).toEqual([
      expect.stringContaining('its subnet subnet-11111110 is that of ENIConfig us-east-1a too'),
    ]);
    expect(found(byZone, ['us-east-1a', 'us-east-1-atl-1a'])).toEqual([]);
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
    expect(messages(pool('m6i.large'), web, nodeClass(), deployment('web'), cni())).toEqual([
      expect.stringContaining('does not switch ENABLE_POD_ENI on, and SecurityGroupPolicy web gives the pods'),
    ]);
    expect(messages(pool('m6i.large'), web, nodeClass(), deployment('other'), cni())).toEqual([]);
    const expression = (operator: string) => policy({ matchExpressions: [{ key: 'app', operator, values: ['web'] }] });
    const off = [pool('m6i.large'), nodeClass(), deployment('web'), cni()];
    expect([messages(...off, expression('In')), messages(...off, expression('NotIn'))]).toMatchObject([
      [expect.any(String)],
      [],
    ]);
    const byAccount = manifest('vpcresources.k8s.aws/v1beta1', 'SecurityGroupPolicy', 'web', {
      serviceAccountSelector: { matchLabels: { team: 'a' } },
    });
    const account = JSON.parse(manifest('v1', 'ServiceAccount', 'default', {}));
    account.metadata = { name: 'default', namespace: 'default', labels: { team: 'a' } };
    expect([messages(...off, byAccount, JSON.stringify(account)), messages(...off, byAccount)]).toMatchObject([
      [expect.any(String)],
      [],
    ]);
  });
});
