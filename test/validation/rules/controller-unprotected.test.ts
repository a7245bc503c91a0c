import { deployment, judge, judgeStack, pdb, renderedHandler } from './helper';
import { chart, handler, OPEN, openChart } from './stack';
import { ControllerUnprotected } from '../../../src/validation/rules/controller-unprotected';

const rule = new ControllerUnprotected();
const CHART = 'Custom::AWSCDK-EKS-HelmChart/Karpenter';
const HANDLER = 'Custom::AWSCDK-EKS-HelmChart/Handler';
const CRITICAL = { priorityClassName: 'system-cluster-critical' };
const BY_QUEUE = { enableSqsTerminationDraining: true, queueURL: 'https://sqs.eu-west-1.amazonaws.com/1/nth', replicas: 2 };
const cluster = { Type: 'AWS::EKS::Cluster', Properties: { Name: 'prod', Version: '1.34' } };
const nodeGroup = (...keys: string[]) => ({
  Type: 'AWS::EKS::Nodegroup', Properties: { ClusterName: 'prod', NodeRole: 'arn', Taints: keys.map((Key) => ({ Key, Value: 'true', Effect: 'NO_SCHEDULE' })) },
});
/** The DNS of the cluster. */
function dns(pod: object = CRITICAL, replicas = 2): string {
  const object = JSON.parse(deployment('web', pod, { replicas }));
  object.spec.template.metadata.labels['k8s-app'] = 'kube-dns';
  return JSON.stringify(object);
}

describe('KARP-904 controller-unprotected', () => {
  test.each<[string, object, string]>([
    ['Karpenter without a priority class', { Karpenter: chart({ priorityClassName: '' }) }, 'Karpenter has no priority class'],
    ['Karpenter with one of less priority', { Karpenter: chart({ priorityClassName: 'low' }) }, 'Karpenter has the priority class low'],
    ['Karpenter before node groups whose taints it does not tolerate', { Karpenter: chart(), Cluster: cluster, Group: nodeGroup('team') }, 'tolerates the taint of no node group (team=true:NoSchedule)'],
    ['AWS Node Termination Handler without a priority class', { Handler: handler({ ...BY_QUEUE, priorityClassName: null }) }, 'AWS Node Termination Handler has no priority class'],
  ])('fails with %s', (_, resources, message) => {
    const { findings } = judgeStack(rule, resources);
    expect(findings[0].message).toContain(message);
    expect(findings[0].severity).toBeUndefined();
  });

  test('fails with the DNS of the cluster without a priority class, and warns where no budget keeps its pods', () => {
    expect(judge(rule, [dns({})]).findings[0].message).toContain('Deployment web has no priority class');
    expect(judge(rule, [dns()]).findings[0]).toMatchObject({ severity: 'warning', evidence: { replicas: 2 } });
  });

  test('warns of two pods of AWS Node Termination Handler without a budget', () => {
    expect(judgeStack(rule, { Handler: handler(BY_QUEUE) }).findings[0]).toMatchObject({ severity: 'warning' });
  });

  test.each<[string, object, string]>([
    ['the chart of Karpenter as it is', { Karpenter: chart() }, CHART],
    ['a node group for critical addons', { Karpenter: chart(), Cluster: cluster, Group: nodeGroup('CriticalAddonsOnly') }, CHART],
    ['a node group without taints beside one with', { Karpenter: chart(), Cluster: cluster, Group: nodeGroup('team'), Other: nodeGroup() }, CHART],
    ['a toleration of the taint', { Karpenter: chart({ tolerations: [{ key: 'team', operator: 'Exists' }] }), Cluster: cluster, Group: nodeGroup('team') }, CHART],
    ['AWS Node Termination Handler with a budget', { Handler: handler({ ...BY_QUEUE, podDisruptionBudget: { maxUnavailable: 1 } }) }, HANDLER],
  ])('passes with %s', (_, resources, subject) => {
    expect(judgeStack(rule, resources).states).toEqual([`pass ${subject}`]);
  });

  test('passes with the DNS of the cluster, and a rendered handler, with a budget or a single pod', () => {
    expect(judge(rule, [dns(), pdb({ maxUnavailable: 1 })]).states).toEqual(['pass Deployment/web']);
    expect(judge(rule, [dns(CRITICAL, 1)]).states).toEqual(['pass Deployment/web']);
    expect(judge(rule, [renderedHandler({ ENABLE_SQS_TERMINATION_DRAINING: 'true' }, CRITICAL)]).states).toEqual(['pass Deployment/nth']);
  });

  test('passes with a word on why there is no budget', () => {
    const annotations = { 'resilience.karpenter-constructs.dev/pod-disruption-budget': 'off: node-local cache in front' };
    expect(judge(rule, [JSON.stringify({ ...JSON.parse(dns()), metadata: { name: 'web', annotations } })]).states).toEqual(['pass Deployment/web']);
  });

  test('does not apply to other workloads, nor to a handler on every node', () => {
    expect(judge(rule, [deployment('web'), renderedHandler({}, {}, { kind: 'DaemonSet' })]).outcomes).toEqual([]);
    expect(judgeStack(rule, { Handler: handler({}) }).outcomes).toEqual([]);
  });

  test.each<[string, object]>([
    ['the values of Karpenter', { Karpenter: openChart('karpenter') }],
    ['its tolerations', { Karpenter: chart({ tolerations: OPEN }) }],
    ['the values of AWS Node Termination Handler', { Handler: openChart('aws-node-termination-handler') }],
    ['its number of pods', { Handler: handler({ ...BY_QUEUE, replicas: OPEN }) }],
  ])('is not evaluated where it is not known: %s', (_, resources) => {
    expect(judgeStack(rule, resources).states[0]).toMatch(/^not-evaluated /);
  });

  test('is not evaluated with a priority class of one\'s own', () => {
    expect(judge(rule, [dns({ priorityClassName: 'platform' })]).whys[0]).toContain('PriorityClass platform');
  });
});
