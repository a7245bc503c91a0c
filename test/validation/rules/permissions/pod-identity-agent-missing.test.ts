import { podIdentityAgentMissing } from '../../../../src/validation/rules/permissions/pod-identity-agent-missing';
import { dump, object, pod } from '../../cluster/dump';
import { judgeStack } from '../judge';
import { applied, association, chart, CONTROLLER_SERVICE, handler, OPEN, openChart, role, statement } from '../stack';

const AGENT = 'eks-pod-identity-agent';
const ASSOCIATION = 'AWS::EKS::PodIdentityAssociation/Identity';

const rule = podIdentityAgentMissing;
const addon = (name: unknown, cluster: unknown = 'prod') => ({
  Type: 'AWS::EKS::Addon',
  Properties: { ClusterName: cluster, AddonName: name },
});
const cluster = (fields: object = {}) => ({ Type: 'AWS::EKS::Cluster', Properties: { Name: 'prod', ...fields } });
/** An imported cluster in which something else installs the charts. */
const IMPORTED = { Role: role(CONTROLLER_SERVICE, [statement('ec2:CreateFleet')]), Identity: association('Role') };
const systemPod = (name: string, labels: object = {}) =>
  object('v1', 'Pod', name, { metadata: { name, namespace: 'kube-system', labels }, spec: { containers: [] } });

describe('KARP-615 pod-identity-agent-missing', () => {
  test.each<[string, object]>([
    ['an add-on', { Agent: addon(AGENT) }],
    ['EKS Auto Mode', { Cluster: cluster({ ComputeConfig: { Enabled: true } }) }],
    ['the chart of the agent', { Agent: chart({}, { chart: AGENT }) }],
    [
      'the DaemonSet of the agent',
      {
        Agent: applied([
          { apiVersion: 'apps/v1', kind: 'DaemonSet', metadata: { name: AGENT, namespace: 'kube-system' }, spec: {} },
        ]),
      },
    ],
  ])('passes with %s', (_, resources) => {
    expect(judgeStack(rule, { ...IMPORTED, ...resources }).states).toEqual([`pass ${ASSOCIATION}`]);
  });

  test('is not evaluated for an imported cluster, whose add-ons are not in the templates', () => {
    const { states, whys } = judgeStack(rule, {
      ...IMPORTED,
      Other: addon('vpc-cni'),
      Elsewhere: addon(AGENT, 'other'),
    });
    expect(states).toEqual([`not-evaluated ${ASSOCIATION}`]);
    expect(whys).toEqual([
      `whether cluster prod has the add-on ${AGENT} is not in the input; the pods of kube-system in cluster files would show it`,
    ]);
  });

  test('fails for an imported cluster if the cluster files have pods of kube-system, but none of the agent', () => {
    const { findings } = judgeStack(rule, IMPORTED, [], { cluster: dump(systemPod('aws-node-1')) });
    expect(findings).toEqual([
      expect.objectContaining({
        severity: 'error',
        path: ['Properties', 'ClusterName'],
        message:
          'gives service account kube-system/karpenter its role through EKS Pod Identity, but the cluster files have no pod of its agent: its pods get no credentials',
        remedy: `install the add-on ${AGENT} in the cluster: an AWS::EKS::Addon, or ControllerIdentity.podIdentity({ installAgent: true }) on the construct Karpenter`,
      }),
    ]);
  });

  test('passes for an imported cluster if the cluster files have a pod of the agent', () => {
    const agent = systemPod(`${AGENT}-1`, { 'app.kubernetes.io/name': AGENT });
    expect(judgeStack(rule, IMPORTED, [], { cluster: dump(systemPod('aws-node-1'), agent) }).states).toEqual([
      `pass ${ASSOCIATION}`,
    ]);
  });

  test('is not evaluated if the cluster files have no pods of kube-system', () => {
    expect(judgeStack(rule, IMPORTED, [], { cluster: dump(pod('web')) }).states).toEqual([
      `not-evaluated ${ASSOCIATION}`,
    ]);
  });

  test('warns if the templates create the cluster without the add-on, which may come from elsewhere', () => {
    const [{ severity, message }] = judgeStack(rule, { ...IMPORTED, Cluster: cluster() }).findings;
    expect(severity).toBe('warning');
    expect(message).toContain(`but the templates create cluster prod without the add-on ${AGENT}`);
  });

  test.each<[string, object, string]>([
    [
      'an add-on that is known only at deployment',
      { Agent: addon(OPEN) },
      'which add-on cluster prod gets is known only at deployment',
    ],
    [
      'a manifest that is known only at deployment',
      {
        Cluster: cluster(),
        Open: { Type: 'Custom::AWSCDK-EKS-KubernetesResource', Properties: { ClusterName: 'prod', Manifest: OPEN } },
      },
      'may be in a part of the templates that cannot be read',
    ],
  ])('is not evaluated with %s', (_, resources, why) => {
    expect(judgeStack(rule, { ...IMPORTED, ...resources }).whys).toEqual([expect.stringContaining(why)]);
  });

  test('applies to AWS Node Termination Handler in queue mode', () => {
    const resources = {
      Handler: handler({
        enableSqsTerminationDraining: true,
        queueURL: 'https://sqs.eu-west-1.amazonaws.com/1/q',
        serviceAccount: { name: 'nth' },
      }),
    };
    const identity = {
      Role: role(CONTROLLER_SERVICE, [statement('sqs:ReceiveMessage')]),
      Identity: association('Role', 'nth'),
    };
    expect(judgeStack(rule, { ...resources, ...identity, Cluster: cluster() }).states).toEqual([`fail ${ASSOCIATION}`]);
  });

  test('does not apply to associations of other programs, or to IRSA', () => {
    const other = { Role: role(CONTROLLER_SERVICE, [statement('s3:GetObject')]), Identity: association('Role', 'app') };
    expect(judgeStack(rule, { ...other, Cluster: cluster() }).outcomes).toEqual([]);
    expect(judgeStack(rule, { Karpenter: openChart('karpenter'), Cluster: cluster() }).outcomes).toEqual([]);
  });
});
