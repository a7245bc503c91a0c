import { judge, judgeStack, nodeClass, nodePool, oneOf, renderedHandler } from './helper';
import { association, CONTROLLER_SERVICE, eventRule, get, handler, NOT_ON_KARPENTER, OPEN, openChart, queue, role, statement } from './stack';
import { NthOnSpotOrSingle } from '../../../src/validation/rules/nth-on-spot-or-single';
import { NthPermissionsOrAccount } from '../../../src/validation/rules/nth-permissions-or-account';

const BY_QUEUE = { enableSqsTerminationDraining: true, queueURL: { Ref: 'Queue' }, replicas: 2 };
const PASS = 'pass Custom::AWSCDK-EKS-HelmChart/Handler';
const NOT_EVALUATED = 'not-evaluated Custom::AWSCDK-EKS-HelmChart/Handler';

describe('KARP-509 nth-on-spot-or-single', () => {
  const rule = new NthOnSpotOrSingle();
  const CAPACITY_TYPE = 'karpenter.sh/capacity-type';
  const documents = [nodeClass(), nodePool('default')];
  const notOnSpot = (expression: object) =>
    ({ nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [expression] }] } } });

  test('fails where it may run on spot', () => {
    expect(judgeStack(rule, { Handler: handler(BY_QUEUE) }, documents).findings[0].message).toContain('may run on spot nodes of NodePool default');
    expect(judge(rule, [...documents, renderedHandler({ ENABLE_SQS_TERMINATION_DRAINING: 'true' }, {}, { replicas: 2 })]).states).toEqual(['fail Deployment/nth']);
  });

  test('warns of a single pod, which is what the chart makes', () => {
    const { findings } = judgeStack(rule, { Handler: handler({ enableSqsTerminationDraining: true, affinity: NOT_ON_KARPENTER }) }, documents);
    expect(findings[0]).toMatchObject({ severity: 'warning', evidence: { replicas: 1 } });
  });

  test.each<[string, object]>([
    ['on nodes that Karpenter has not launched', { affinity: NOT_ON_KARPENTER }],
    ['on any node but spot', { affinity: notOnSpot({ key: CAPACITY_TYPE, operator: 'NotIn', values: ['spot'] }) }],
    ['on a node group', { nodeSelector: { 'eks.amazonaws.com/nodegroup': 'system' } }],
  ])('passes %s', (_, values) => {
    expect(judgeStack(rule, { Handler: handler({ ...BY_QUEUE, ...values }) }, documents).states).toEqual([PASS]);
  });

  test('passes where NodePools have no spot, or a taint that it does not tolerate', () => {
    const onDemand = nodePool('stable', { requirements: [oneOf(CAPACITY_TYPE, 'on-demand')] });
    const tainted = nodePool('tainted', { taints: [{ key: 'team', value: 'a', effect: 'NoSchedule' }] });
    expect(judgeStack(rule, { Handler: handler(BY_QUEUE) }, [nodeClass(), onDemand, tainted]).states).toEqual([PASS]);
  });

  test('does not apply to a handler on every node', () => {
    expect(judgeStack(rule, { Handler: handler({}) }, documents).outcomes).toEqual([]);
  });

  test.each<[string, object, string[]]>([
    ['its values', { Handler: openChart('aws-node-termination-handler') }, documents],
    ['its affinity', { Handler: handler({ ...BY_QUEUE, affinity: OPEN }) }, documents],
    ['its number of pods', { Handler: handler({ ...BY_QUEUE, replicas: OPEN, affinity: NOT_ON_KARPENTER }) }, documents],
    ['what a NodePool launches', { Handler: handler(BY_QUEUE) }, [nodePool('default')]],
  ])('is not evaluated where it is not known: %s', (_, resources, objects) => {
    expect(judgeStack(rule, resources, objects).states).toEqual([NOT_EVALUATED]);
  });
});

describe('KARP-517 nth-permissions-or-account', () => {
  const rule = new NthPermissionsOrAccount();
  const QUEUE = ['sqs:ReceiveMessage', 'sqs:DeleteMessage'];
  const setup = (actions: readonly string[], more: object = {}) => ({
    Queue: queue(),
    Handler: handler(BY_QUEUE),
    Role: role(CONTROLLER_SERVICE, [statement(actions)]),
    Identity: association('Role', 'aws-node-termination-handler'),
    ...more,
  });
  const groups = { Rule: eventRule('Queue', { 'source': ['aws.autoscaling'], 'detail-type': ['EC2 Instance-terminate Lifecycle Action'] }) };

  test.each<[string, object]>([
    ['the permissions that it needs', setup([...QUEUE, 'ec2:DescribeInstances'])],
    ['those of Auto Scaling too, where it hears of groups', setup([...QUEUE, 'ec2:DescribeInstances', 'autoscaling:CompleteLifecycleAction'], groups)],
    ['a queue of the region that it calls', setup([...QUEUE, 'ec2:DescribeInstances'], {
      Handler: handler({ ...BY_QUEUE, queueURL: 'https://sqs.eu-west-1.amazonaws.com/1/nth', awsRegion: 'eu-west-1' }),
    })],
    ['a role by the annotation of its chart', setup([...QUEUE, 'ec2:DescribeInstances'], {
      Identity: undefined, Handler: handler({ ...BY_QUEUE, serviceAccount: { annotations: { 'eks.amazonaws.com/role-arn': get('Role', 'Arn') } } }),
    })],
  ])('passes with %s', (_, resources) => {
    expect(judgeStack(rule, resources).states).toEqual([PASS]);
  });

  test.each<[string, object, string]>([
    ['may not delete', setup(['sqs:ReceiveMessage', 'ec2:DescribeInstances']), 'allows no sqs:DeleteMessage: it works on each notice again and again'],
    ['may not read', setup(['ec2:DescribeInstances']), 'allows no sqs:DeleteMessage or sqs:ReceiveMessage: it never hears'],
    ['may not find nodes', setup(QUEUE), 'allows no ec2:DescribeInstances: it cannot tell which node is meant'],
    ['may not let a group go on', setup([...QUEUE, 'ec2:DescribeInstances'], groups), 'autoscaling:CompleteLifecycleAction: an Auto Scaling group waits'],
    ['has no queue', { Handler: handler({ enableSqsTerminationDraining: true }) }, 'queueURL is not set'],
    ['calls another region', { Handler: handler({ ...BY_QUEUE, queueURL: 'https://sqs.eu-west-1.amazonaws.com/1/nth', awsRegion: 'us-east-1' }) }, 'calls AWS in us-east-1, and its queue is in eu-west-1'],
  ])('fails where it %s', (_, resources, message) => {
    expect(judgeStack(rule, resources).findings[0].message).toContain(message);
  });

  test('judges a rendered Deployment', () => {
    expect(judge(rule, [renderedHandler({ ENABLE_SQS_TERMINATION_DRAINING: 'true' })]).states).toEqual(['fail Deployment/nth']);
  });

  test('does not apply to a handler on every node, which needs no permissions', () => {
    expect(judgeStack(rule, { Handler: handler({}) }).outcomes).toEqual([]);
  });

  test.each<[string, object]>([
    ['a role that is not in the templates', { Queue: queue(), Handler: handler(BY_QUEUE) }],
    ['a policy that is not in the templates', setup([], { Role: role(CONTROLLER_SERVICE, [], { ManagedPolicyArns: ['arn:aws:iam::1:policy/ours'] }) })],
    ['values that are not known', { Handler: openChart('aws-node-termination-handler') }],
  ])('is not evaluated with %s', (_, resources) => {
    expect(judgeStack(rule, resources).states).toEqual([NOT_EVALUATED]);
  });

  test('guesses no region that is known only at deployment', () => {
    const variables = { ENABLE_SQS_TERMINATION_DRAINING: 'true', QUEUE_URL: 'https://sqs.eu-west-1.amazonaws.com/1/nth', AWS_REGION: { configMapKeyRef: {} } };
    expect(judge(rule, [renderedHandler(variables)]).states).toEqual(['not-evaluated Deployment/nth']);
  });
});
