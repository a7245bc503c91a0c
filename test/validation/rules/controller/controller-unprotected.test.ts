import { controllerUnprotected } from '../../../../src/validation/rules/controller/controller-unprotected';
import { deployment, judge, judgeStack, pdb, renderedHandler } from '../judge';
import { chart, handler, OPEN, openChart } from '../stack';

const rule = controllerUnprotected;
const CHART = 'Custom::AWSCDK-EKS-HelmChart/Karpenter';
const HANDLER = 'Custom::AWSCDK-EKS-HelmChart/Handler';
const CRITICAL = { priorityClassName: 'system-cluster-critical' };
const BY_QUEUE = {
  enableSqsTerminationDraining: true,
  queueURL: 'https://sqs.eu-west-1.amazonaws.com/1/nth',
  replicas: 2,
};
const cluster = { Type: 'AWS::EKS::Cluster', Properties: { Name: 'prod', Version: '1.34' } };
const nodeGroup = (...keys: string[]) => ({
  Type: 'AWS::EKS::Nodegroup',
  Properties: {
    ClusterName: 'prod',
    NodeRole: 'arn',
    Taints: keys.map((Key) => ({ Key, Value: 'true', Effect: 'NO_SCHEDULE' })),
  },
});
/** The Deployment of cluster DNS. */
function dns(pod: object = CRITICAL, replicas = 2): string {
  const object = JSON.parse(deployment('web', pod, { replicas }));
  object.spec.template.metadata.labels['k8s-app'] = 'kube-dns';
  return JSON.stringify(object);
}

describe('KARP-904 controller-unprotected', () => {
  test.each<[string, object, string]>([
    [
      'Karpenter without a priority class',
      { Karpenter: chart({ priorityClassName: '' }) },
      'Karpenter has no priority class',
    ],
    [
      'Karpenter with another priority class',
      { Karpenter: chart({ priorityClassName: 'low' }) },
      'Karpenter has priority class low',
    ],
    [
      'node groups whose taints Karpenter does not tolerate',
      { Karpenter: chart(), Cluster: cluster, Group: nodeGroup('team') },
      'does not tolerate the taints of any node group, such as team=true:NoSchedule',
    ],
    [
      'AWS Node Termination Handler without a priority class',
      { Handler: handler({ ...BY_QUEUE, priorityClassName: null }) },
      'AWS Node Termination Handler has no priority class',
    ],
  ])('fails with %s', (_, resources, message) => {
    const { findings } = judgeStack(rule, resources);
    expect(findings[0].message).toContain(message);
    expect(findings[0].severity).toBeUndefined();
  });

  test('fails if cluster DNS has no priority class, and warns if it has no PodDisruptionBudget', () => {
    expect(judge(rule, [dns({})]).findings[0].message).toContain('Deployment web has no priority class');
    expect(judge(rule, [dns()]).findings[0]).toMatchObject({ severity: 'warning', evidence: { replicas: 2 } });
  });

  test('warns of two pods of AWS Node Termination Handler without a PodDisruptionBudget', () => {
    expect(judgeStack(rule, { Handler: handler(BY_QUEUE) }).findings[0]).toMatchObject({ severity: 'warning' });
  });

  test.each<[string, object, string]>([
    ["the defaults of Karpenter's chart", { Karpenter: chart() }, CHART],
    [
      'a node group for critical addons',
      { Karpenter: chart(), Cluster: cluster, Group: nodeGroup('CriticalAddonsOnly') },
      CHART,
    ],
    [
      'node groups with and without taints',
      { Karpenter: chart(), Cluster: cluster, Group: nodeGroup('team'), Other: nodeGroup() },
      CHART,
    ],
    [
      'a toleration of the taint',
      {
        Karpenter: chart({ tolerations: [{ key: 'team', operator: 'Exists' }] }),
        Cluster: cluster,
        Group: nodeGroup('team'),
      },
      CHART,
    ],
    [
      'AWS Node Termination Handler with a PodDisruptionBudget',
      { Handler: handler({ ...BY_QUEUE, podDisruptionBudget: { maxUnavailable: 1 } }) },
      HANDLER,
    ],
  ])('passes with %s', (_, resources, subject) => {
    expect(judgeStack(rule, resources).states).toEqual([`pass ${subject}`]);
  });

  test('passes if cluster DNS or a rendered handler has a PodDisruptionBudget or a single pod', () => {
    expect(judge(rule, [dns(), pdb({ maxUnavailable: 1 })]).states).toEqual(['pass Deployment/web']);
    expect(judge(rule, [dns(CRITICAL, 1)]).states).toEqual(['pass Deployment/web']);
    expect(judge(rule, [renderedHandler({ ENABLE_SQS_TERMINATION_DRAINING: 'true' }, CRITICAL)]).states).toEqual([
      'pass Deployment/nth',
    ]);
  });

  test('passes if an annotation opts out of a PodDisruptionBudget', () => {
    const annotations = {
      'resilience.karpenter-constructs.dev/pod-disruption-budget': 'off: node-local cache in front',
    };
    expect(
      judge(rule, [JSON.stringify({ ...JSON.parse(dns()), metadata: { name: 'web', annotations } })]).states,
    ).toEqual(['pass Deployment/web']);
  });

  test('does not apply to other workloads, or to a handler in metadata mode', () => {
    expect(judge(rule, [deployment('web'), renderedHandler({}, {}, { kind: 'DaemonSet' })]).outcomes).toEqual([]);
    expect(judgeStack(rule, { Handler: handler({}) }).outcomes).toEqual([]);
  });

  test.each<[string, object]>([
    ['the values of Karpenter', { Karpenter: openChart('karpenter') }],
    ["Karpenter's tolerations", { Karpenter: chart({ tolerations: OPEN }) }],
    ['the values of AWS Node Termination Handler', { Handler: openChart('aws-node-termination-handler') }],
    ["the handler's replica count", { Handler: handler({ ...BY_QUEUE, replicas: OPEN }) }],
  ])('is not evaluated if the input does not contain %s', (_, resources) => {
    expect(judgeStack(rule, resources).states[0]).toMatch(/^not-evaluated /);
  });

  test('is not evaluated with a custom priority class', () => {
    expect(judge(rule, [dns({ priorityClassName: 'platform' })]).whys[0]).toContain('PriorityClass platform');
  });
});
