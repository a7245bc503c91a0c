import { nthOnSpotOrSingle } from '../../../../../src/validation/rules/interruption/node-termination-handler/nth-on-spot-or-single';
import { nthPermissionsOrAccount } from '../../../../../src/validation/rules/interruption/node-termination-handler/nth-permissions-or-account';
import { judge, judgeStack, nodeClass, nodePool, oneOf, renderedHandler } from '../../judge';
import {
  association,
  CONTROLLER_SERVICE,
  eventRule,
  get,
  handler,
  NOT_ON_KARPENTER,
  OPEN,
  openChart,
  queue,
  role,
  statement,
} from '../../stack';

const BY_QUEUE = { enableSqsTerminationDraining: true, queueURL: { Ref: 'Queue' }, replicas: 2 };
const PASS = 'pass Custom::AWSCDK-EKS-HelmChart/Handler';
const NOT_EVALUATED = 'not-evaluated Custom::AWSCDK-EKS-HelmChart/Handler';

describe('KARP-509 nth-on-spot-or-single', () => {
  const rule = nthOnSpotOrSingle;
  const CAPACITY_TYPE = 'karpenter.sh/capacity-type';
  const documents = [nodeClass(), nodePool('default')];
  const notOnSpot = (expression: object) => ({
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [expression] }] },
    },
  });

  test('fails if the handler may run on spot nodes', () => {
    expect(judgeStack(rule, { Handler: handler(BY_QUEUE) }, documents).findings[0].message).toContain(
      'may run on spot nodes of NodePool default',
    );
    expect(
      judge(rule, [...documents, renderedHandler({ ENABLE_SQS_TERMINATION_DRAINING: 'true' }, {}, { replicas: 2 })])
        .states,
    ).toEqual(['fail Deployment/nth']);
  });

  test('warns of a single pod, the default of the chart', () => {
    const { findings } = judgeStack(
      rule,
      { Handler: handler({ enableSqsTerminationDraining: true, affinity: NOT_ON_KARPENTER }) },
      documents,
    );
    expect(findings[0]).toMatchObject({ severity: 'warning', evidence: { replicas: 1 } });
  });

  test.each<[string, object]>([
    ['that excludes Karpenter nodes', { affinity: NOT_ON_KARPENTER }],
    ['that excludes spot nodes', { affinity: notOnSpot({ key: CAPACITY_TYPE, operator: 'NotIn', values: ['spot'] }) }],
    ['that selects a node group', { nodeSelector: { 'eks.amazonaws.com/nodegroup': 'system' } }],
  ])('passes with a constraint %s', (_, values) => {
    expect(judgeStack(rule, { Handler: handler({ ...BY_QUEUE, ...values }) }, documents).states).toEqual([PASS]);
  });

  test('passes if the NodePools launch no spot or have a taint that the handler does not tolerate', () => {
    const onDemand = nodePool('stable', { requirements: [oneOf(CAPACITY_TYPE, 'on-demand')] });
    const tainted = nodePool('tainted', { taints: [{ key: 'team', value: 'a', effect: 'NoSchedule' }] });
    expect(judgeStack(rule, { Handler: handler(BY_QUEUE) }, [nodeClass(), onDemand, tainted]).states).toEqual([PASS]);
  });

  test('does not apply in metadata mode', () => {
    expect(judgeStack(rule, { Handler: handler({}) }, documents).outcomes).toEqual([]);
  });

  test.each<[string, object, string[]]>([
    ['its values', { Handler: openChart('aws-node-termination-handler') }, documents],
    ['its affinity', { Handler: handler({ ...BY_QUEUE, affinity: OPEN }) }, documents],
    ['its replica count', { Handler: handler({ ...BY_QUEUE, replicas: OPEN, affinity: NOT_ON_KARPENTER }) }, documents],
    ['the instance types of a NodePool', { Handler: handler(BY_QUEUE) }, [nodeClass('other'), nodePool('default')]],
  ])('is not evaluated if the input does not contain %s', (_, resources, objects) => {
    expect(judgeStack(rule, resources, objects).states).toEqual([NOT_EVALUATED]);
  });
});

describe('KARP-517 nth-permissions-or-account', () => {
  const rule = nthPermissionsOrAccount;
  const QUEUE = ['sqs:ReceiveMessage', 'sqs:DeleteMessage'];
  const setup = (actions: readonly string[], more: object = {}) => ({
    Queue: queue(),
    Handler: handler(BY_QUEUE),
    Role: role(CONTROLLER_SERVICE, [statement(actions)]),
    Identity: association('Role', 'aws-node-termination-handler'),
    ...more,
  });
  const groups = {
    Rule: eventRule('Queue', {
      source: ['aws.autoscaling'],
      'detail-type': ['EC2 Instance-terminate Lifecycle Action'],
    }),
  };

  test.each<[string, object]>([
    ['the needed permissions', setup([...QUEUE, 'ec2:DescribeInstances'])],
    [
      'the Auto Scaling permission too, if it receives lifecycle events',
      setup([...QUEUE, 'ec2:DescribeInstances', 'autoscaling:CompleteLifecycleAction'], groups),
    ],
    [
      'a queue in its region',
      setup([...QUEUE, 'ec2:DescribeInstances'], {
        Handler: handler({
          ...BY_QUEUE,
          queueURL: 'https://sqs.eu-west-1.amazonaws.com/1/nth',
          awsRegion: 'eu-west-1',
        }),
      }),
    ],
    [
      'a role in the service account annotation of the chart',
      setup([...QUEUE, 'ec2:DescribeInstances'], {
        Identity: undefined,
        Handler: handler({
          ...BY_QUEUE,
          serviceAccount: { annotations: { 'eks.amazonaws.com/role-arn': get('Role', 'Arn') } },
        }),
      }),
    ],
  ])('passes with %s', (_, resources) => {
    expect(judgeStack(rule, resources).states).toEqual([PASS]);
  });

  test.each<[string, object, string]>([
    [
      'may not delete',
      setup(['sqs:ReceiveMessage', 'ec2:DescribeInstances']),
      'does not allow sqs:DeleteMessage: it handles each notice repeatedly',
    ],
    [
      'may not read',
      setup(['ec2:DescribeInstances']),
      'does not allow sqs:DeleteMessage or sqs:ReceiveMessage: it receives no interruption',
    ],
    [
      'may not describe instances',
      setup(QUEUE),
      'does not allow ec2:DescribeInstances: it cannot find the node of an instance',
    ],
    [
      'may not complete lifecycle actions',
      setup([...QUEUE, 'ec2:DescribeInstances'], groups),
      'autoscaling:CompleteLifecycleAction: Auto Scaling groups wait',
    ],
    ['has no queue URL', { Handler: handler({ enableSqsTerminationDraining: true }) }, 'queueURL is not set'],
    [
      'calls another region',
      {
        Handler: handler({
          ...BY_QUEUE,
          queueURL: 'https://sqs.eu-west-1.amazonaws.com/1/nth',
          awsRegion: 'us-east-1',
        }),
      },
      'has awsRegion us-east-1, but its queue is in eu-west-1',
    ],
  ])('fails if it %s', (_, resources, message) => {
    expect(judgeStack(rule, resources).findings[0].message).toContain(message);
  });

  test('checks a rendered Deployment', () => {
    expect(judge(rule, [renderedHandler({ ENABLE_SQS_TERMINATION_DRAINING: 'true' })]).states).toEqual([
      'fail Deployment/nth',
    ]);
  });

  test('does not apply in metadata mode, which needs no permissions', () => {
    expect(judgeStack(rule, { Handler: handler({}) }).outcomes).toEqual([]);
  });

  test.each<[string, object]>([
    ['a role that is not in the templates', { Queue: queue(), Handler: handler(BY_QUEUE) }],
    [
      'a policy that is not in the templates',
      setup([], { Role: role(CONTROLLER_SERVICE, [], { ManagedPolicyArns: ['arn:aws:iam::1:policy/ours'] }) }),
    ],
    ['values that are known only at deployment', { Handler: openChart('aws-node-termination-handler') }],
  ])('is not evaluated with %s', (_, resources) => {
    expect(judgeStack(rule, resources).states).toEqual([NOT_EVALUATED]);
  });

  test('does not compare a region that is known only at deployment', () => {
    const variables = {
      ENABLE_SQS_TERMINATION_DRAINING: 'true',
      QUEUE_URL: 'https://sqs.eu-west-1.amazonaws.com/1/nth',
      AWS_REGION: { configMapKeyRef: {} },
    };
    expect(judge(rule, [renderedHandler(variables)]).states).toEqual(['not-evaluated Deployment/nth']);
  });
});
