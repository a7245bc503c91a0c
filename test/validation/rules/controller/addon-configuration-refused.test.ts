import { addonConfigurationRefused } from '../../../../src/validation/rules/controller/addon-configuration-refused';
import { judge, judgeStack, nodeClass, nodePool } from '../judge';
import { OPEN } from '../stack';

const rule = addonConfigurationRefused;

function cluster(addon: string, configurationValues: unknown, fields: object = {}): string {
  return JSON.stringify({
    apiVersion: 'eksctl.io/v1alpha5',
    kind: 'ClusterConfig',
    metadata: { name: 'prod', region: 'eu-west-1' },
    addons: [{ name: 'kube-proxy' }, { name: addon, configurationValues }],
    managedNodeGroups: [{ name: 'system', labels: { role: 'system' } }],
    ...fields,
  });
}

describe('KARP-923 addon-configuration-refused', () => {
  test.each<[string, string[]]>([
    [
      'env: {ENABLE_PREFIX_DELEGATION: true, WARM_PREFIX_TARGET: 1}',
      ['env.ENABLE_PREFIX_DELEGATION', 'env.WARM_PREFIX_TARGET'],
    ],
    ['{"init": {"env": {"DISABLE_TCP_EARLY_DEMUX": true}}}', ['init.env.DISABLE_TCP_EARLY_DEMUX']],
  ])('reports variables of the VPC CNI that are no texts: %s', (values, names) => {
    expect(judge(rule, [cluster('vpc-cni', values)]).findings).toMatchObject([
      { path: ['addons', 1, 'configurationValues'], evidence: { addon: 'vpc-cni', values: names } },
    ]);
  });

  test.each([
    [
      'ENABLE_PREFIX_DELEGATION: "true"\nWARM_PREFIX_TARGET: "1"',
      'move ENABLE_PREFIX_DELEGATION and WARM_PREFIX_TARGET to env',
    ],
    ['env: {WARM_ENI_TARGET: "1"}\nENABLE_POD_ENI: "true"', 'move ENABLE_POD_ENI to env'],
    ['environment: {ENABLE_POD_ENI: "true"}', 'move ENABLE_POD_ENI to env'],
  ])('reports variables of the VPC CNI that are not in env: %s', (values, remedy) => {
    expect(judge(rule, [cluster('vpc-cni', values)]).findings).toMatchObject([{ remedy }]);
  });

  test('reports variables in the configuration of a template', () => {
    const addon = (values: unknown) => ({
      Addon: {
        Type: 'AWS::EKS::Addon',
        Properties: { AddonName: 'vpc-cni', ClusterName: 'prod', ConfigurationValues: values },
      },
    });
    const { findings } = judgeStack(rule, addon('{"env": {"ENABLE_POD_ENI": true}}'));
    expect(findings[0].remedy).toBe('write env.ENABLE_POD_ENI: "true"');
    expect(judgeStack(rule, addon(OPEN)).findings).toEqual([]);
  });

  test('passes texts, numbers of other add-ons, and what is no mapping', () => {
    const inputs = [
      cluster('vpc-cni', 'env: {ENABLE_PREFIX_DELEGATION: "true"}'),
      cluster('coredns', 'replicaCount: 2'),
      cluster('vpc-cni', 'no mapping'),
      cluster('vpc-cni', undefined),
    ];
    expect(inputs.flatMap((input) => judge(rule, [input]).findings)).toEqual([]);
  });

  test('reports a selector of a label that no node has, with the label that is meant', () => {
    const judged = (selector: string, ...documents: string[]) =>
      judge(rule, [cluster('coredns', `nodeSelector: {${selector}}`), ...documents]).findings.map(
        ({ remedy, severity }) => [remedy, severity],
      );
    const pools = [nodeClass(), nodePool('core', { labels: { team: 'a' } })];
    const meant = 'write role: system in nodeSelector, as the nodes have it';
    expect(judged('rol: system')).toEqual([[meant, 'warning']]);
    expect(judged('role: sys', ...pools)).toEqual([[meant, undefined]]);
    expect(judged('pool: system')).toEqual([
      ['add the label pool: system to the node group, or remove it from nodeSelector', 'warning'],
    ]);
    expect(judged('role: system')).toEqual([]);
    expect(judged('team: a', ...pools)).toEqual([]);
    expect(judged('kubernetes.io/os: linux')).toEqual([]);
  });

  test('does not judge selectors without node groups, or with Fargate', () => {
    const selector = 'controller: {nodeSelector: {pool: system}}';
    expect(judge(rule, [cluster('aws-ebs-csi-driver', selector)]).findings).toHaveLength(1);
    const others = [{ managedNodeGroups: [] }, { fargateProfiles: [{ name: 'all' }] }];
    expect(others.flatMap((fields) => judge(rule, [cluster('aws-ebs-csi-driver', selector, fields)]).findings)).toEqual(
      [],
    );
  });
});
