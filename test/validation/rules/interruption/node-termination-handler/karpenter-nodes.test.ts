import { nthTagCheckIgnoresKarpenterNodes } from '../../../../../src/validation/rules/interruption/node-termination-handler/nth-tag-check-ignores-karpenter-nodes';
import { nthWithKarpenterInterruption } from '../../../../../src/validation/rules/interruption/node-termination-handler/nth-with-karpenter-interruption';
import { rebalanceDrainLoop } from '../../../../../src/validation/rules/interruption/node-termination-handler/rebalance-drain-loop';
import { judge, judgeStack, nodeClass, nodePool, oneOf, renderedHandler } from '../../judge';
import { chart, eventRule, handler, LISTENS, NOT_ON_KARPENTER, OPEN, openChart, queue } from '../../stack';

const spotPool = [nodeClass(), nodePool('spot', { requirements: [oneOf('karpenter.sh/capacity-type', 'spot')] })];
const onDemand = [
  nodeClass(),
  nodePool('stable', { requirements: [oneOf('karpenter.sh/capacity-type', 'on-demand')] }),
];
const event = (type: string) => ({ source: ['aws.ec2'], 'detail-type': [type] });
const SPOT = event('EC2 Spot Instance Interruption Warning');
const REBALANCE = event('EC2 Instance Rebalance Recommendation');
const BY_QUEUE = { enableSqsTerminationDraining: true, queueURL: { Ref: 'Other' }, checkTagBeforeDraining: false };
const receives = (pattern: unknown, values: object = BY_QUEUE) => ({
  Other: queue(),
  Rule: eventRule('Other', pattern),
  Handler: handler(values),
});
const PASS = 'pass Custom::AWSCDK-EKS-HelmChart/Handler';
const NOT_EVALUATED = 'not-evaluated Custom::AWSCDK-EKS-HelmChart/Handler';

describe('KARP-507 nth-with-karpenter-interruption', () => {
  const rule = nthWithKarpenterInterruption;

  test.each<[string, object]>([
    ['from its own queue', receives(SPOT)],
    ['from instance metadata', { Handler: handler({}) }],
  ])('warns if Karpenter and the handler both receive interruptions, the handler %s', (_, resources) => {
    const { findings } = judgeStack(rule, { ...LISTENS, ...resources }, spotPool);
    expect(findings[0].message).toContain('drains interrupted Karpenter nodes, but Karpenter drains them too');
  });

  test("warns of a rendered DaemonSet if Karpenter's Helm values set a queue", () => {
    const options = { controllerValues: { file: 'values.yaml', values: { settings: { interruptionQueue: 'prod' } } } };
    expect(judge(rule, [...spotPool, renderedHandler({}, {}, { kind: 'DaemonSet' })], options).states).toEqual([
      'fail DaemonSet/nth',
    ]);
  });

  test.each<[string, object]>([
    ['acts on instances with another tag', receives(SPOT, { ...BY_QUEUE, checkTagBeforeDraining: true })],
    [
      'acts on Auto Scaling groups only, as old charts do',
      { ...receives(SPOT), Handler: handler({ enableSqsTerminationDraining: true }, '0.18.0') },
    ],
    [
      'receives only events of Auto Scaling groups',
      receives({ source: ['aws.autoscaling'], 'detail-type': ['EC2 Instance-terminate Lifecycle Action'] }),
    ],
    ['does not run on Karpenter nodes', { Handler: handler({ daemonsetAffinity: NOT_ON_KARPENTER }) }],
    ['acts only on maintenance events', { Handler: handler({ enableSpotInterruptionDraining: false }) }],
  ])('passes if the handler %s', (_, resources) => {
    expect(judgeStack(rule, { ...LISTENS, ...resources }, spotPool).states).toEqual([PASS]);
  });

  test('passes if Karpenter has no queue', () => {
    expect(judgeStack(rule, { Karpenter: chart(), Handler: handler({}) }, spotPool).states).toEqual([PASS]);
  });

  test('does not apply if the input does not install Karpenter or the handler', () => {
    expect(judgeStack(rule, { Handler: handler({}) }, spotPool).outcomes).toEqual([]);
    expect(judgeStack(rule, LISTENS, spotPool).outcomes).toEqual([]);
  });

  test.each<[string, object]>([
    [
      'its queue is not in the templates',
      { ...LISTENS, Handler: handler({ ...BY_QUEUE, queueURL: 'https://sqs.eu-west-1.amazonaws.com/1/other' }) },
    ],
    ['its values are known only at deployment', { ...LISTENS, Handler: openChart('aws-node-termination-handler') }],
    ["Karpenter's values are known only at deployment", { Karpenter: openChart('karpenter'), Handler: handler({}) }],
  ])('is not evaluated if %s', (_, resources) => {
    expect(judgeStack(rule, resources, spotPool).states).toEqual([NOT_EVALUATED]);
  });
});

describe('KARP-508 rebalance-drain-loop', () => {
  const rule = rebalanceDrainLoop;

  test.each<[string, object]>([
    ['from its queue', receives(REBALANCE)],
    ['from instance metadata', { Handler: handler({ enableRebalanceDraining: true }) }],
  ])('warns if the handler acts on rebalance recommendations %s', (_, resources) => {
    const { findings } = judgeStack(rule, resources, spotPool);
    expect(findings[0].message).toMatch(
      /relaunches the cheapest type of NodePool spot \([\d,]+ instance types on spot\), often the same one/,
    );
  });

  test.each<[string, object]>([
    [
      'its queue receives no recommendations, even with enableRebalanceDraining',
      receives(SPOT, { ...BY_QUEUE, enableRebalanceDraining: true }),
    ],
    ['the handler only cordons', { Handler: handler({ enableRebalanceMonitoring: true }) }],
    [
      'the handler does not run on Karpenter nodes',
      { Handler: handler({ enableRebalanceDraining: true, daemonsetAffinity: NOT_ON_KARPENTER }) },
    ],
  ])('passes if %s', (_, resources) => {
    expect(judgeStack(rule, resources, spotPool).states).toEqual([PASS]);
  });

  test('does not apply if no NodePool launches spot', () => {
    expect(judgeStack(rule, receives(REBALANCE), onDemand).outcomes).toEqual([]);
  });

  test.each<[string, object, string[]]>([
    ['its values are known only at deployment', { Handler: openChart('aws-node-termination-handler') }, spotPool],
    ['its queue is not in the templates', { Handler: handler({ ...BY_QUEUE, queueURL: OPEN }) }, spotPool],
    [
      'the instance types of the NodePools are not known',
      { Handler: handler({ enableRebalanceDraining: true }) },
      [nodeClass('other'), spotPool[1]],
    ],
  ])('is not evaluated if %s', (_, resources, documents) => {
    expect(judgeStack(rule, resources, documents).states).toEqual([NOT_EVALUATED]);
  });
});

describe('KARP-510 nth-tag-check-ignores-karpenter-nodes', () => {
  const rule = nthTagCheckIgnoresKarpenterNodes;
  const withHandler = (values: object, version?: string) => ({
    Karpenter: chart(),
    Handler: handler({ enableSqsTerminationDraining: true, ...values }, version),
  });
  const tagged = nodeClass('default', { tags: { 'aws-node-termination-handler/managed': 'true' } });

  test('fails if the node class does not set the tag', () => {
    const { findings } = judgeStack(rule, withHandler({}), [nodeClass(), nodePool('default')]);
    expect(findings[0].message).toContain(
      'acts only on instances with the tag aws-node-termination-handler/managed, which 1 EC2NodeClass (default) does not set',
    );
  });

  test('names an old key that newer charts ignore', () => {
    const { findings } = judgeStack(rule, withHandler({ checkASGTagBeforeDraining: false }), [nodeClass()]);
    expect(findings[0].message).toContain(
      'this chart ignores checkASGTagBeforeDraining and reads checkTagBeforeDraining instead',
    );
  });

  test('fails with a chart that checks tags of Auto Scaling groups, even if the node class sets the tag', () => {
    expect(judgeStack(rule, withHandler({}, '0.18.0'), [tagged]).findings[0].message).toContain(
      "Karpenter's instances belong to no group",
    );
  });

  test('fails on a rendered Deployment', () => {
    const variables = {
      ENABLE_SQS_TERMINATION_DRAINING: 'true',
      QUEUE_URL: 'https://sqs.eu-west-1.amazonaws.com/1/nth',
    };
    const options = { controllerValues: { file: 'values.yaml', values: {} } };
    expect(judge(rule, [nodeClass(), renderedHandler(variables)], options).states).toEqual(['fail Deployment/nth']);
    expect(
      judge(rule, [nodeClass(), renderedHandler({ ...variables, CHECK_ASG_TAG_BEFORE_DRAINING: 'false' })], options)
        .states,
    ).toEqual(['pass Deployment/nth']);
  });

  test.each<[string, object, string]>([
    ['the tag on the instances', withHandler({}), tagged],
    [
      'the tag of the cluster, which Karpenter sets',
      withHandler({ managedTag: 'kubernetes.io/cluster/prod' }),
      nodeClass(),
    ],
    ['no tag check', withHandler({ checkTagBeforeDraining: false }), nodeClass()],
    [
      'no tag check of groups in an old chart',
      withHandler({ checkASGTagBeforeDraining: false }, '0.18.0'),
      nodeClass(),
    ],
    ['a queue for Karpenter itself', { ...LISTENS, ...withHandler({}), Karpenter: LISTENS.Karpenter }, nodeClass()],
  ])('passes with %s', (_, resources, document) => {
    expect(judgeStack(rule, resources, [document]).states).toEqual([PASS]);
  });

  test('does not apply in metadata mode, or without node classes', () => {
    expect(judgeStack(rule, { Handler: handler({}) }, [nodeClass()]).outcomes).toEqual([]);
    expect(judgeStack(rule, withHandler({})).outcomes).toEqual([]);
  });

  test.each<[string, object]>([
    ['the input does not install Karpenter', { Handler: handler({ enableSqsTerminationDraining: true }) }],
    ["Karpenter's values are known only at deployment", { ...withHandler({}), Karpenter: openChart('karpenter') }],
    ['its values are known only at deployment', { Handler: openChart('aws-node-termination-handler') }],
    ['its tag check is known only at deployment', withHandler({ checkTagBeforeDraining: OPEN })],
  ])('is not evaluated if %s', (_, resources) => {
    expect(judgeStack(rule, resources, [nodeClass()]).states).toEqual([NOT_EVALUATED]);
  });
});
