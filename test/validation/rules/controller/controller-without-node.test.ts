import { WrittenNodeGroup } from '../../../../src/validation';
import { controllerSettingsShape } from '../../../../src/validation/rules/api/controller-settings/controller-settings-shape';
import { controllerCannotBeHa } from '../../../../src/validation/rules/controller/controller-cannot-be-ha';
import { controllerWithoutNode } from '../../../../src/validation/rules/controller/controller-without-node';
import { judge, judgeFiles, nodeClass } from '../judge';

const rule = controllerWithoutNode;

const cluster = (group: object, fields: object = {}) =>
  JSON.stringify({
    apiVersion: 'eksctl.io/v1alpha5',
    kind: 'ClusterConfig',
    metadata: { name: 'demo', region: 'eu-west-1' },
    managedNodeGroups: [{ name: 'system', ...group }],
    ...fields,
  });
const BY_EKSCTL = { karpenter: { version: '1.8.1' } };
const release = (values: object) =>
  JSON.stringify({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name: 'karpenter', namespace: 'argocd' },
    spec: {
      destination: { namespace: 'kube-system', server: 'https://kubernetes.default.svc' },
      source: {
        repoURL: 'public.ecr.aws/karpenter',
        chart: 'karpenter',
        targetRevision: '1.8.1',
        helm: { valuesObject: values },
      },
    },
  });
const taint = (key: string, effect = 'NoSchedule') => ({ taints: [{ key, value: 'true', effect }] });

describe('KARP-920 controller-without-node', () => {
  test('fails if eksctl installs Karpenter, and its only node group has a taint', () => {
    expect(judge(rule, [cluster(taint('dedicated'), BY_EKSCTL)]).findings).toMatchObject([
      {
        path: ['managedNodeGroups', 0, 'taints', 0],
        message: expect.stringContaining('do not tolerate the taint dedicated=true:NoSchedule of node group system'),
        fix: { edits: [{ path: ['managedNodeGroups', 0, 'taints', 0, 'key'], value: 'CriticalAddonsOnly' }] },
      },
    ]);
    expect(judge(rule, [cluster(taint('CriticalAddonsOnly'), BY_EKSCTL)]).findings).toEqual([]);
    expect(judge(rule, [cluster(taint('dedicated', 'PreferNoSchedule'), BY_EKSCTL)]).findings).toEqual([]);
  });

  test.each<[string, object, object, RegExp]>([
    ['a taint', taint('dedicated'), {}, /do not tolerate the taint dedicated=true/],
    ['a value', { labels: { role: 'system' } }, { nodeSelector: { role: 'infra' } }, /require the label role=infra/],
    [
      'a key',
      { labels: { 'acme.io/role': 'system' } },
      { nodeSelector: { 'acme.io/system': 'true' } },
      /has acme.io\/role=system/,
    ],
    ['the label of the controller', {}, { nodeSelector: { 'karpenter.sh/controller': 'true' } }, /has no such label/],
    [
      'an affinity',
      { labels: { role: 'system' } },
      {
        affinity: {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: [{ matchExpressions: [{ key: 'role', operator: 'In', values: ['infra'] }] }],
            },
          },
        },
      },
      /require the label role=infra/,
    ],
  ])('fails if the values of the chart exclude the node group by %s', (_, group, values, message) => {
    expect(judge(rule, [cluster(group), release(values)]).findings).toMatchObject([
      {
        object: { kind: 'Application' },
        message: expect.stringMatching(message),
        related: { object: { kind: 'ClusterConfig' } },
      },
    ]);
  });

  test('passes if one node group takes the pods', () => {
    const tolerations = [{ key: 'dedicated', operator: 'Exists' }];
    for (const documents of [
      [cluster(taint('dedicated')), release({ tolerations })],
      [cluster({ labels: { role: 'system' } }), release({ nodeSelector: { role: 'system' } })],
      [cluster({}), release({ nodeSelector: { 'eks.amazonaws.com/nodegroup': 'system' } })],
      [cluster(taint('node.cilium.io/agent-not-ready', 'NoExecute'), BY_EKSCTL)],
      [cluster(taint('a'), { ...BY_EKSCTL, nodeGroups: [{ name: 'other' }] })],
    ])
      expect(judge(rule, documents).findings).toEqual([]);
  });

  test('says nothing if other nodes may run the pods, or if constraints are unknown', () => {
    for (const more of [
      { autoModeConfig: { enabled: true } },
      { fargateProfiles: [{ name: 'f', selectors: [{ namespace: 'karpenter' }] }] },
      { nodeGroups: [{ name: 'b', labels: { role: '${ROLE}' }, taints: '${TAINTS}' }] },
    ])
      expect(judge(rule, [cluster(taint('dedicated'), { ...BY_EKSCTL, ...more })]).findings).toEqual([]);
    expect(judge(rule, [release({ nodeSelector: { role: 'infra' } })]).outcomes).toEqual([]);
    const unknown = [cluster({ labels: { role: 'system' } }), release({ nodeSelector: { role: '${ROLE}' } })];
    expect(judge(rule, unknown).outcomes).toEqual([]);
  });

  test('reads node groups of Terraform, if they are beside Karpenter or have a similar label', () => {
    const place = { path: 'infra/cluster.tf', line: 7, column: 1 };
    const judged = (path: string, ...nodeGroups: WrittenNodeGroup[]) =>
      judgeFiles(rule, [{ path, text: release({ nodeSelector: { role: 'infra' } }), nodeGroups }]).findings;
    expect(judged('infra/a.yaml', { name: 'system', labels: {}, taints: [], place })).toMatchObject([
      { related: { object: { kind: 'node group', name: 'system' } } },
    ]);
    expect(judged('apps/a.yaml', { name: 'system', labels: { role: 'web' }, taints: [], place })).toHaveLength(1);
    expect(judged('apps/a.yaml', { name: 'system', labels: {}, taints: [], place })).toEqual([]);
    expect(judged('infra/a.yaml', { name: 'system', taints: [], place })).toEqual([]);
  });
});

describe('KARP-902 controller-cannot-be-ha, with node groups of eksctl and Terraform', () => {
  const judged = (group: object, fields: object = BY_EKSCTL) =>
    judge(controllerCannotBeHa, [cluster(group, fields)]).findings;

  test('warns if fewer nodes start than replicas that need separate nodes', () => {
    expect(judged({ desiredCapacity: 1 })).toMatchObject([
      { severity: 'warning', evidence: { replicas: 2, nodes: 1 }, related: { object: { kind: 'ClusterConfig' } } },
    ]);
    const other = { ...BY_EKSCTL, nodeGroups: [{ name: 'gpu', minSize: 2, taints: taint('gpu').taints }] };
    expect(judged({ minSize: 1 }, other)).toHaveLength(1);
    const place = { path: 'infra/cluster.tf', line: 7, column: 1 };
    const group = { name: 'system', labels: {}, taints: [], nodes: 1, place };
    const files = [{ path: 'infra/a.yaml', text: release({}), nodeGroups: [group] }];
    expect(judgeFiles(controllerCannotBeHa, files).findings).toMatchObject([{ evidence: { nodes: 1 } }]);
  });

  test('passes enough nodes, unknown sizes, and other nodes', () => {
    expect(judged({})).toEqual([]);
    expect(judged({ desiredCapacity: 2 })).toEqual([]);
    expect(judged({ minSize: 1 }, { ...BY_EKSCTL, nodeGroups: [{ name: 'b', desiredCapacity: 1 }] })).toEqual([]);
    expect(judged({ maxSize: 3 })).toEqual([]);
    expect(judged({ minSize: 1 }, {})).toEqual([]);
    expect(judged({ minSize: 1 }, { ...BY_EKSCTL, autoModeConfig: { enabled: true } })).toEqual([]);
  });
});

describe('KARP-115 controller-settings-shape, with the cluster of eksctl', () => {
  const judged = (clusterName: string, ...more: string[]) =>
    judge(controllerSettingsShape, [cluster({}), release({ settings: { clusterName } }), ...more]).findings;
  const tagged = (value: string) => {
    const terms = [{ tags: { 'karpenter.sh/discovery': value } }];
    return nodeClass('default', { subnetSelectorTerms: terms, securityGroupSelectorTerms: terms });
  };

  test('reports a misspelt name, and another name than that of the node classes', () => {
    expect(judged('dmeo-main', cluster({}).replace('demo', 'other'))).toEqual([]);
    expect(
      judge(controllerSettingsShape, [
        cluster({}).replace('demo', 'orders-main'),
        release({ settings: { clusterName: 'order-main' } }),
      ]).findings,
    ).toMatchObject([
      { remedy: 'write settings.clusterName: orders-main', related: { object: { kind: 'ClusterConfig' } } },
    ]);
    expect(judged('shop', tagged('demo'))).toMatchObject([{ remedy: 'write settings.clusterName: demo' }]);
  });

  test('passes the name of the cluster, one of another environment, and other clusters', () => {
    expect(judged('demo')).toEqual([]);
    expect(judged('shop')).toEqual([]);
    expect(judged('shop', tagged('shop'))).toEqual([]);
    expect(judged('demo1')).toEqual([]);
    expect(judged('${NAME}', tagged('demo'))).toEqual([]);
  });
});
