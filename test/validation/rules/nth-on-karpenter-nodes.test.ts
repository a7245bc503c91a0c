import { judge, judgeStack, nodeClass, nodePool, oneOf, renderedHandler } from './helper';
import { chart, eventRule, handler, LISTENS, NOT_ON_KARPENTER, OPEN, openChart, queue } from './stack';
import { NthTagCheckIgnoresKarpenterNodes } from '../../../src/validation/rules/nth-tag-check-ignores-karpenter-nodes';
import { NthWithKarpenterInterruption } from '../../../src/validation/rules/nth-with-karpenter-interruption';
import { RebalanceDrainLoop } from '../../../src/validation/rules/rebalance-drain-loop';

const spotPool = [nodeClass(), nodePool('spot', { requirements: [oneOf('karpenter.sh/capacity-type', 'spot')] })];
const onDemand = [nodeClass(), nodePool('stable', { requirements: [oneOf('karpenter.sh/capacity-type', 'on-demand')] })];
const event = (type: string) => ({ 'source': ['aws.ec2'], 'detail-type': [type] });
const SPOT = event('EC2 Spot Instance Interruption Warning');
const REBALANCE = event('EC2 Instance Rebalance Recommendation');
const BY_QUEUE = { enableSqsTerminationDraining: true, queueURL: { Ref: 'Other' }, checkTagBeforeDraining: false };
const hears = (pattern: unknown, values: object = BY_QUEUE) => ({ Other: queue(), Rule: eventRule('Other', pattern), Handler: handler(values) });
const PASS = 'pass Custom::AWSCDK-EKS-HelmChart/Handler';
const NOT_EVALUATED = 'not-evaluated Custom::AWSCDK-EKS-HelmChart/Handler';

describe('KARP-507 nth-with-karpenter-interruption', () => {
  const rule = new NthWithKarpenterInterruption();

  test.each<[string, object]>([
    ['a queue of its own with the same events', hears(SPOT)],
    ['the metadata of each instance', { Handler: handler({}) }],
  ])('warns where both hear of interruptions, the handler by %s', (_, resources) => {
    const { findings } = judgeStack(rule, { ...LISTENS, ...resources }, spotPool);
    expect(findings[0].message).toContain('drains nodes of Karpenter that are interrupted, and so does Karpenter');
  });

  test('warns of a rendered DaemonSet, beside values of Karpenter', () => {
    const options = { controllerValues: { file: 'values.yaml', values: { settings: { interruptionQueue: 'prod' } } } };
    expect(judge(rule, [...spotPool, renderedHandler({}, {}, { kind: 'DaemonSet' })], options).states).toEqual(['fail DaemonSet/nth']);
  });

  test.each<[string, object]>([
    ['looks after instances with another tag', hears(SPOT, { ...BY_QUEUE, checkTagBeforeDraining: true })],
    ['looks after Auto Scaling groups alone, as old charts do', { ...hears(SPOT), Handler: handler({ enableSqsTerminationDraining: true }, '0.18.0') }],
    ['hears only of Auto Scaling groups', hears({ 'source': ['aws.autoscaling'], 'detail-type': ['EC2 Instance-terminate Lifecycle Action'] })],
    ['keeps off nodes of Karpenter', { Handler: handler({ daemonsetAffinity: NOT_ON_KARPENTER }) }],
    ['acts on nothing but maintenance', { Handler: handler({ enableSpotInterruptionDraining: false }) }],
  ])('passes where the handler %s', (_, resources) => {
    expect(judgeStack(rule, { ...LISTENS, ...resources }, spotPool).states).toEqual([PASS]);
  });

  test('passes where Karpenter listens to no queue', () => {
    expect(judgeStack(rule, { Karpenter: chart(), Handler: handler({}) }, spotPool).states).toEqual([PASS]);
  });

  test('does not apply where nothing is known of Karpenter, or there is no handler', () => {
    expect(judgeStack(rule, { Handler: handler({}) }, spotPool).outcomes).toEqual([]);
    expect(judgeStack(rule, LISTENS, spotPool).outcomes).toEqual([]);
  });

  test.each<[string, object]>([
    ['its queue is not in the templates', { ...LISTENS, Handler: handler({ ...BY_QUEUE, queueURL: 'https://sqs.eu-west-1.amazonaws.com/1/other' }) }],
    ['its values are not known', { ...LISTENS, Handler: openChart('aws-node-termination-handler') }],
    ['the values of Karpenter are not known', { Karpenter: openChart('karpenter'), Handler: handler({}) }],
  ])('is not evaluated where %s', (_, resources) => {
    expect(judgeStack(rule, resources, spotPool).states).toEqual([NOT_EVALUATED]);
  });
});

describe('KARP-508 rebalance-drain-loop', () => {
  const rule = new RebalanceDrainLoop();

  test.each<[string, object]>([
    ['by a queue, which gets them', hears(REBALANCE)],
    ['by the metadata of each instance', { Handler: handler({ enableRebalanceDraining: true }) }],
  ])('warns where the handler acts on recommendations %s', (_, resources) => {
    const { findings } = judgeStack(rule, resources, spotPool);
    expect(findings[0].message).toMatch(/of NodePool spot \(\d+ instance types on spot\) again/);
  });

  test.each<[string, object]>([
    ['recommendations do not come to its queue, whatever the setting for DaemonSets is', hears(SPOT, { ...BY_QUEUE, enableRebalanceDraining: true })],
    ['the handler only cordons', { Handler: handler({ enableRebalanceMonitoring: true }) }],
    ['the handler keeps off nodes of Karpenter', { Handler: handler({ enableRebalanceDraining: true, daemonsetAffinity: NOT_ON_KARPENTER }) }],
  ])('passes where %s', (_, resources) => {
    expect(judgeStack(rule, resources, spotPool).states).toEqual([PASS]);
  });

  test('does not apply where no NodePool launches spot', () => {
    expect(judgeStack(rule, hears(REBALANCE), onDemand).outcomes).toEqual([]);
  });

  test.each<[string, object, string[]]>([
    ['its values are not known', { Handler: openChart('aws-node-termination-handler') }, spotPool],
    ['its queue is not in the templates', { Handler: handler({ ...BY_QUEUE, queueURL: OPEN }) }, spotPool],
    ['it is not known what the NodePools launch', { Handler: handler({ enableRebalanceDraining: true }) }, [spotPool[1]]],
  ])('is not evaluated where %s', (_, resources, documents) => {
    expect(judgeStack(rule, resources, documents).states).toEqual([NOT_EVALUATED]);
  });
});

describe('KARP-510 nth-tag-check-ignores-karpenter-nodes', () => {
  const rule = new NthTagCheckIgnoresKarpenterNodes();
  const withHandler = (values: object, version?: string) =>
    ({ Karpenter: chart(), Handler: handler({ enableSqsTerminationDraining: true, ...values }, version) });
  const tagged = nodeClass('default', { tags: { 'aws-node-termination-handler/managed': 'true' } });

  test('fails where the instances do not have the tag', () => {
    const { findings } = judgeStack(rule, withHandler({}), [nodeClass(), nodePool('default')]);
    expect(findings[0].message).toContain('acts only on instances with the tag aws-node-termination-handler/managed, which those of 1 EC2NodeClass (default) do not have');
  });

  test('fails on the key of old, which newer charts do not read, and says so', () => {
    const { findings } = judgeStack(rule, withHandler({ checkASGTagBeforeDraining: false }), [nodeClass()]);
    expect(findings[0].message).toContain('checkASGTagBeforeDraining is not read by this chart');
  });

  test('fails with a chart that looks at Auto Scaling groups, even if the instances have the tag', () => {
    expect(judgeStack(rule, withHandler({}, '0.18.0'), [tagged]).findings[0].message).toContain('those of Karpenter are in none');
  });

  test('fails on a rendered Deployment', () => {
    const variables = { ENABLE_SQS_TERMINATION_DRAINING: 'true', QUEUE_URL: 'https://sqs.eu-west-1.amazonaws.com/1/nth' };
    const options = { controllerValues: { file: 'values.yaml', values: {} } };
    expect(judge(rule, [nodeClass(), renderedHandler(variables)], options).states).toEqual(['fail Deployment/nth']);
    expect(judge(rule, [nodeClass(), renderedHandler({ ...variables, CHECK_ASG_TAG_BEFORE_DRAINING: 'false' })], options).states).toEqual(['pass Deployment/nth']);
  });

  test.each<[string, object, string]>([
    ['the tag on the instances', withHandler({}), tagged],
    ['the tag of the cluster, which Karpenter writes', withHandler({ managedTag: 'kubernetes.io/cluster/prod' }), nodeClass()],
    ['no look at tags', withHandler({ checkTagBeforeDraining: false }), nodeClass()],
    ['no look at the tags of groups, in an old chart', withHandler({ checkASGTagBeforeDraining: false }, '0.18.0'), nodeClass()],
    ['a queue for Karpenter itself', { ...LISTENS, ...withHandler({}), Karpenter: LISTENS.Karpenter }, nodeClass()],
  ])('passes with %s', (_, resources, document) => {
    expect(judgeStack(rule, resources, [document]).states).toEqual([PASS]);
  });

  test('does not apply to a handler that asks the metadata of each instance, and without node classes', () => {
    expect(judgeStack(rule, { Handler: handler({}) }, [nodeClass()]).outcomes).toEqual([]);
    expect(judgeStack(rule, withHandler({})).outcomes).toEqual([]);
  });

  test.each<[string, object]>([
    ['nothing is known of Karpenter', { Handler: handler({ enableSqsTerminationDraining: true }) }],
    ['the values of Karpenter are not known', { ...withHandler({}), Karpenter: openChart('karpenter') }],
    ['its values are not known', { Handler: openChart('aws-node-termination-handler') }],
    ['it is not known whether it looks for a tag', withHandler({ checkTagBeforeDraining: OPEN })],
  ])('is not evaluated where %s', (_, resources) => {
    expect(judgeStack(rule, resources, [nodeClass()]).states).toEqual([NOT_EVALUATED]);
  });
});
