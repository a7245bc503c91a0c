import { check } from '../../../src/validation';
import { al2Eol } from '../../../src/validation/rules/controller/al2-eol';
import { judge, manifest, nodeClass as awsClass, deployment, nodePool } from '../rules/judge';

const config = (fields: object = {}, metadata: object = {}) =>
  JSON.stringify({
    apiVersion: 'eksctl.io/v1alpha5',
    kind: 'ClusterConfig',
    metadata: { name: 'prod', region: 'eu-west-1', version: '1.34', ...metadata },
    ...fields,
  });
const SYSTEM = { name: 'system', labels: { role: 'system' }, taints: [{ key: 'system', effect: 'NoSchedule' }] };
const TOLERATIONS = [{ key: 'system', operator: 'Exists' }];
const verdictOf = (...documents: string[]) =>
  check([
    {
      path: 'test.yaml',
      text: [awsClass(), nodePool('default', { limits: { cpu: 100 } }), ...documents].join('\n---\n'),
    },
  ]);
const rulesOf = (...documents: string[]) => verdictOf(...documents).findings.map(({ rule }) => rule);

describe('node groups and eksctl clusters', () => {
  const onSystem = deployment('dns', { nodeSelector: { role: 'system' }, tolerations: TOLERATIONS });

  test.each([
    ['managedNodeGroups', SYSTEM],
    ['nodeGroups', { ...SYSTEM, taints: { system: 'true:NoSchedule' } }],
  ])('take pods that select labels of one of %s, so that no NodePool has to declare these labels', (field, group) => {
    const verdict = verdictOf(config({ [field]: [group] }), onSystem);
    expect(verdict.findings.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(verdict.unschedulable).toEqual([]);
    expect(verdict.notEvaluated).toEqual([
      {
        pod: 'default/dns-0',
        what: [
          expect.stringMatching(/^nodes that Karpenter does not launch: the pods select labels of node group system/),
        ],
      },
    ]);
  });

  test('do not take pods with another value, or without the toleration', () => {
    const groups = config({ managedNodeGroups: [SYSTEM] });
    expect(rulesOf(groups, deployment('dns', { nodeSelector: { role: 'other' }, tolerations: TOLERATIONS }))).toContain(
      'KARP-106',
    );
    expect(rulesOf(groups, deployment('dns', { nodeSelector: { role: 'system' } }))).toContain('KARP-106');
  });

  test('leave pods to Karpenter that select no label of theirs', () => {
    expect(
      verdictOf(config({ managedNodeGroups: [SYSTEM] }), deployment('web', { tolerations: TOLERATIONS })).summary
        .scheduledPods,
    ).toBe(1);
  });

  test('of templates take pods by their labels', () => {
    const Resources = {
      Nodes: { Type: 'AWS::EKS::Nodegroup', Properties: { ClusterName: 'prod', Labels: { role: 'system' } } },
    };
    const { unschedulable, notEvaluated } = check([
      { path: 'App.template.json', text: JSON.stringify({ Resources }) },
      {
        path: 'test.yaml',
        text: [awsClass(), nodePool('default'), deployment('dns', { nodeSelector: { role: 'system' } })].join(
          '\n---\n',
        ),
      },
    ]);
    expect(unschedulable).toEqual([]);
    expect(notEvaluated).toHaveLength(1);
  });

  test('give the region, and the version of Karpenter', () => {
    const { assumptions } = verdictOf(config({ karpenter: { version: '1.8.1' } }), deployment('web'));
    expect(assumptions).toContainEqual(expect.stringMatching(/^Karpenter is 1\.8\.1: /));
    expect(assumptions.join('\n')).toContain('zones eu-west-1a, eu-west-1b, eu-west-1c ');
  });

  test('give neither if a value is a placeholder, or with two clusters', () => {
    const open = verdictOf(config({ karpenter: { version: 'latest' } }, { region: '<region>' })).assumptions.join('\n');
    expect(open).toContain('Karpenter is 1.15');
    expect(open).toContain('on-demand prices of us-east-1');
    expect(verdictOf(config(), config({}, { name: 'test', region: 'eu-west-3' })).assumptions.join('\n')).toContain(
      'on-demand prices of us-east-1',
    );
  });

  test.each([
    ['1.5.2', 'Karpenter is 1.5.2, but Kubernetes 1.34 needs 1.6.0 or newer'],
    [
      'v1.8.4',
      'Karpenter is 1.8.4, which has a known defect: it schedules pods with topology spread constraints wrongly',
    ],
  ])('of eksctl with Karpenter %s are incompatible', (version, message) => {
    expect(
      verdictOf(config({ karpenter: { version } })).findings.filter(({ rule }) => rule === 'KARP-908'),
    ).toMatchObject([
      {
        message,
        severity: 'error',
        subject: { kind: 'ClusterConfig', name: 'prod' },
        location: { path: 'karpenter.version' },
      },
    ]);
  });

  test('of eksctl are compatible with a Karpenter for their Kubernetes version', () => {
    expect(rulesOf(config({ karpenter: { version: '1.6.0' } }))).not.toContain('KARP-908');
  });

  test('with add-ons of eksctl: an assumption names those whose DaemonSets are not in the input', () => {
    const addons = config({ addons: [{ name: 'vpc-cni' }, { name: 'coredns' }, { name: 'kube-proxy' }] });
    const kubeProxy = JSON.stringify({ ...JSON.parse(deployment('kube-proxy')), kind: 'DaemonSet' });
    expect(verdictOf(addons, deployment('web'), kubeProxy).assumptions).toContain(
      'the DaemonSets of the EKS add-ons vpc-cni are not in the input: their requests on each node are not counted',
    );
  });

  test('of eksctl with Amazon Linux 2 are rejected on Kubernetes 1.33', () => {
    const rule = al2Eol;
    const groups = { managedNodeGroups: [{ name: 'old', amiFamily: 'AmazonLinux2' }, SYSTEM] };
    const al2 = awsClass('default', { amiSelectorTerms: [{ alias: 'al2@v20250915' }] });
    const { states, findings } = judge(rule, [config(groups), al2]);
    expect(states).toEqual(['fail EC2NodeClass/default', 'fail ClusterConfig/prod']);
    expect(findings[1]).toMatchObject({
      path: ['managedNodeGroups', 0, 'amiFamily'],
      remedy: 'write amiFamily: AmazonLinux2023',
    });
    for (const version of ['1.32', undefined])
      expect(judge(rule, [config(groups, { version })]).findings).toMatchObject([{ severity: 'warning' }]);
    expect(judge(rule, [manifest('v1', 'ConfigMap', 'a', {})]).outcomes).toEqual([]);
  });
});
