import { deployment, judge, judgeStack, nodeClass, nodePool, oneOf } from './helper';
import { association, chart, CONTROLLER_SERVICE, eventRule, EVENTBRIDGE, get, handler, LISTENS, listensTo, OPEN, queue, queuePolicy, role, statement } from './stack';
import { karpenterEvents } from '../../../src/contract';
import { EventRuleMissing } from '../../../src/validation/rules/event-rule-missing';
import { QueuePolicyOrEncryptionBlocksEvents } from '../../../src/validation/rules/queue-policy-or-encryption-blocks-events';
import { QueueSetButMissingOrUnpermitted } from '../../../src/validation/rules/queue-set-but-missing-or-unpermitted';

describe('KARP-502 queue-set-but-missing-or-unpermitted', () => {
  const rule = new QueueSetButMissingOrUnpermitted();
  const reader = (...actions: string[]) => ({ ...LISTENS, Role: role(CONTROLLER_SERVICE, [statement(actions, get('Queue', 'Arn'))]), Identity: association('Role') });

  test('passes where the queue is there and may be read', () => {
    expect(judgeStack(rule, reader('sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueUrl')).states).toEqual(['pass Custom::AWSCDK-EKS-HelmChart/Karpenter']);
  });

  test('fails where the role lacks a permission on it', () => {
    expect(judgeStack(rule, reader('sqs:ReceiveMessage', 'sqs:DeleteMessage')).findings[0].message).toContain('role Role allows no sqs:GetQueueUrl on it');
  });

  test('fails where the permission is on another queue', () => {
    const resources = { ...reader(), Other: queue(), Role: role(CONTROLLER_SERVICE, [statement('sqs:*', get('Other', 'Arn'))]) };
    expect(judgeStack(rule, resources).findings[0].evidence).toEqual({ missing: ['sqs:GetQueueUrl', 'sqs:ReceiveMessage', 'sqs:DeleteMessage'] });
  });

  test('fails where a statement denies it', () => {
    const resources = { ...reader(), Role: role(CONTROLLER_SERVICE, [statement('sqs:*'), statement('sqs:DeleteMessage', '*', { effect: 'Deny' })]) };
    expect(judgeStack(rule, resources).findings[0].evidence).toEqual({ missing: ['sqs:DeleteMessage'] });
  });

  test.each<[string, unknown, string]>([
    ['the URL of a queue', { Ref: 'Queue' }, 'is the URL of queue Queue'],
    ['its ARN', get('Queue', 'Arn'), 'is the ARN of queue Queue'],
    ['a URL that is written out', 'https://sqs.eu-west-1.amazonaws.com/1/prod', 'must be the name of a queue'],
    ['the name of no queue', 'prod', 'the templates have no queue of that name'],
  ])('fails on %s', (_, name, message) => {
    expect(judgeStack(rule, { Queue: queue(), Karpenter: listensTo(name) }).findings[0].message).toContain(message);
  });

  test('fails where a queue gets the interruptions and nobody reads it', () => {
    const resources = { Karpenter: chart(), Queue: queue(), Rule: eventRule('Queue', { 'source': ['aws.ec2'], 'detail-type': ['EC2 Spot Instance Interruption Warning'] }) };
    expect(judgeStack(rule, resources).findings[0].message).toContain('though queue Queue gets the interruptions');
  });

  test('does not apply where Karpenter of another cluster of the app reads the queue that gets them', () => {
    const spotRule = eventRule('Queue', { 'source': ['aws.ec2'], 'detail-type': ['EC2 Spot Instance Interruption Warning'] });
    const other = chart({ settings: { interruptionQueue: { 'Fn::GetAtt': ['Queue', 'QueueName'] } } }, { cluster: 'other' });
    expect(judgeStack(rule, { Karpenter: chart(), Other: other, Queue: queue(), Rule: spotRule }).findings).toEqual([]);
  });

  test('does not apply where AWS Node Termination Handler reads the queue that gets them', () => {
    const spotRule = eventRule('Queue', { 'source': ['aws.ec2'], 'detail-type': ['EC2 Spot Instance Interruption Warning'] });
    expect(judgeStack(rule, { Karpenter: chart(), Queue: queue(), Rule: spotRule, Handler: handler({ queueURL: { Ref: 'Queue' } }) }).outcomes).toEqual([]);
  });

  test('does not apply to queues of other uses, which get no interruptions', () => {
    expect(judgeStack(rule, { Karpenter: chart(), Orders: queue(), Rule: eventRule('Orders', { source: ['shop'] }) }).outcomes).toEqual([]);
  });

  test('does not apply to manifests without templates, nor where there is neither a queue nor its name', () => {
    expect(judge(rule, [nodePool('default')], { controllerValues: { file: 'values.yaml', values: { settings: { interruptionQueue: 'x' } } } }).outcomes).toEqual([]);
    expect(judgeStack(rule, { Karpenter: chart() }).outcomes).toEqual([]);
  });

  test.each<[string, object, string]>([
    ['a name that is known only at deployment', { Queue: queue(), Karpenter: listensTo(OPEN) }, 'known only at deployment'],
    ['a queue that may be elsewhere', { Karpenter: listensTo('prod') }, 'may be elsewhere'],
    ['a role that is not in the templates', LISTENS, 'is not in the templates'],
    ['a policy that is not in the templates', {
      ...reader(), Role: role(CONTROLLER_SERVICE, [], { ManagedPolicyArns: ['arn:aws:iam::1:policy/ours'] }),
    }, 'a policy of role Role is not in the templates'],
  ])('is not evaluated on %s', (_, resources, why) => {
    expect(judgeStack(rule, resources).whys[0]).toContain(why);
  });

  const deployed = (queueOf: object) => {
    const env = [{ name: 'INTERRUPTION_QUEUE', ...queueOf }];
    return deployment('karpenter', { containers: [{ name: 'controller', image: 'public.ecr.aws/karpenter/controller:1.12.0', env }] });
  };

  test('without templates looks at the form of the name alone', () => {
    expect(judge(rule, [deployed({ value: 'prod' })]).outcomes).toEqual([]);
    expect(judge(rule, [deployed({ value: 'arn:aws:sqs:eu-west-1:1:prod' })]).findings[0].message).toContain('must be the name of a queue');
  });

  test('is not evaluated where a ConfigMap gives the name to a Deployment', () => {
    const open = deployed({ valueFrom: { configMapKeyRef: { name: 'karpenter', key: 'queue' } } });
    expect(judgeStack(rule, { Queue: queue() }, [open]).whys[0]).toContain('known only at deployment');
  });
});

describe('KARP-503 event-rule-missing', () => {
  const rule = new EventRuleMissing();
  const events = karpenterEvents('1.12.0').filter(({ rule: name }) => name !== 'CapacityReservationInterruptionRule');
  type Change = (type: string, made: any) => object | undefined;
  const rules = (change: Change = (_, made) => made) => Object.fromEntries(events.flatMap(({ rule: name, pattern }) => {
    const made = change(pattern['detail-type'][0], eventRule('Queue', pattern));
    return made ? [[name, made]] : [];
  }));
  const spot = 'EC2 Spot Instance Interruption Warning';
  const changed = (properties: object) =>
    rules((type, made) => type === spot ? { ...made, Properties: { ...made.Properties, ...properties } } : made);
  const failures = (resources: object, documents: string[] = []) =>
    judgeStack(rule, { ...LISTENS, ...resources }, documents).findings.map(({ message, severity }) => `${severity}: ${message}`);

  test('passes with the rules of the contract', () => {
    const { states } = judgeStack(rule, { ...LISTENS, ...rules() });
    expect(states).toEqual(events.map(() => 'pass AWS::SQS::Queue/Queue'));
  });

  test('passes with wider rules', () => {
    expect(failures({ Health: eventRule('Queue', { source: ['aws.health'] }), Ec2: eventRule('Queue', { source: ['aws.ec2'] }) })).toEqual([]);
  });

  test('fails where a rule is missing, for a rebalance recommendation only in passing', () => {
    expect(failures(rules((type, made) => type === spot ? undefined : made))).toEqual([
      `error: no rule of EventBridge brings "${spot}" to this queue: Karpenter never hears that EC2 takes a spot instance back in two minutes`,
    ]);
    expect(failures(rules((type, made) => type.includes('Rebalance') ? undefined : made))[0]).toMatch(/^info: /);
  });

  test('needs no rule for spot where no NodePool may launch it', () => {
    const pool = nodePool('on-demand', { requirements: [oneOf('karpenter.sh/capacity-type', 'on-demand')] });
    expect(failures(rules((type, made) => type === spot ? undefined : made), [nodeClass(), pool])[0]).toMatch(/^info: /);
  });

  test('wants to hear of interrupted capacity reservations where a node class selects some', () => {
    const reserving = nodeClass('default', { capacityReservationSelectorTerms: [{ tags: { a: 'b' } }] });
    expect(failures(rules(), [reserving])[0]).toContain('"EC2 Capacity Reservation Instance Interruption Warning"');
  });

  test.each<[string, object, string]>([
    ['a mistake of typing', { EventPattern: { 'source': ['aws.ec2'], 'detail-type': ['C2 Spot Instance Interruption Warning'] } }, 'waits for "C2 Spot Instance Interruption Warning"'],
    ['another case', { EventPattern: { 'source': ['aws.ec2'], 'detail-type': ['EC2 Spot Instance Interruption warning'] } }, 'and the event is called'],
    ['a rule that is disabled', { State: 'DISABLED' }, 'is disabled'],
    ['a bus of its own', { EventBusName: 'mine' }, 'events of AWS come to the default bus'],
    ['the wrong source', { EventPattern: { 'source': ['aws.health'], 'detail-type': [spot] } }, 'do not pass'],
  ])('fails on %s, and says so', (_, properties, message) => {
    expect(failures(changed(properties))[0]).toContain(message);
  });

  test('does not apply where the queue is not in the templates', () => {
    expect(judgeStack(rule, { Karpenter: listensTo('prod') }).outcomes).toEqual([]);
  });

  test('is not evaluated where a rule may have the queue as its target', () => {
    const elsewhere = { Rule: eventRule('Queue', { source: ['aws.ec2'] }, { Targets: [{ Id: 'queue', Arn: OPEN }] }) };
    const { states, whys } = judgeStack(rule, { ...LISTENS, ...elsewhere });
    expect(new Set(states)).toEqual(new Set(['not-evaluated AWS::SQS::Queue/Queue']));
    expect(whys).toContain(`a rule for ${spot} may be where the templates do not show it`);
  });

  test('is not evaluated where a pattern is known only at deployment', () => {
    expect(judgeStack(rule, { ...LISTENS, ...changed({ EventPattern: OPEN }) }).whys).toEqual([`whether a rule brings it ${spot} is known only at deployment`]);
  });

  test('is not evaluated where a rule has a filter that is not read', () => {
    const pattern = { 'source': [{ prefix: 'aws.' }], 'detail-type': [spot] };
    expect(judgeStack(rule, { ...LISTENS, ...changed({ EventPattern: pattern }) }).whys).toHaveLength(1);
  });
});

describe('KARP-504 queue-policy-or-encryption-blocks-events', () => {
  const rule = new QueuePolicyOrEncryptionBlocksEvents();
  const maySend = (condition?: object) => queuePolicy('Queue', statement('sqs:SendMessage', get('Queue', 'Arn'), { principal: EVENTBRIDGE, condition }));
  const key = (...actions: string[]) => ({ Type: 'AWS::KMS::Key', Properties: { KeyPolicy: { Statement: [statement(actions, '*', { principal: EVENTBRIDGE })] } } });
  const encrypted = (name: unknown) => ({ ...LISTENS, Policy: maySend(), Queue: queue({ KmsMasterKeyId: name }) });
  const messages = (resources: object) => judgeStack(rule, resources).findings.map(({ message }) => message);
  const twoRules = { Spot: eventRule('Queue', { source: ['aws.ec2'] }), Health: eventRule('Queue', { source: ['aws.health'] }) };

  test.each<[string, object]>([
    ['a policy for EventBridge', { ...LISTENS, Policy: maySend() }],
    ['one that names the rule', { ...LISTENS, Policy: maySend({ ArnEquals: { 'aws:SourceArn': 'arn:aws:events:eu-west-1:1:rule/x' } }) }],
    ['one that names each rule', { ...LISTENS, ...twoRules, Policy: maySend({ ArnEquals: { 'aws:SourceArn': [get('Spot', 'Arn'), get('Health', 'Arn')] } }) }],
    ['one for all rules of an account', { ...LISTENS, ...twoRules, Policy: maySend({ ArnLike: { 'aws:SourceArn': { 'Fn::Sub': 'arn:${AWS::Partition}:events:${AWS::Region}:${AWS::AccountId}:rule/*' } }, StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } }) }],
    ['one that denies what comes without TLS', { ...LISTENS, Policy: queuePolicy('Queue', statement('sqs:SendMessage', '*', { principal: EVENTBRIDGE }), statement('sqs:*', '*', { principal: '*', effect: 'Deny', condition: { Bool: { 'aws:SecureTransport': 'false' } } })) }],
    ['one for the queue by its written URL', { ...LISTENS, Queue: queue({ QueueName: 'prod' }), Policy: { Type: 'AWS::SQS::QueuePolicy', Properties: { ...(maySend() as any).Properties, Queues: [{ 'Fn::Sub': 'https://sqs.${AWS::Region}.${AWS::URLSuffix}/${AWS::AccountId}/prod' }] } } }],
    ['one that wants TLS', { ...LISTENS, Policy: maySend({ Bool: { 'aws:SecureTransport': 'true' } }) }],
    ['a key that lets EventBridge use it', { ...encrypted(get('Key', 'Arn')), Key: key('kms:GenerateDataKey*', 'kms:Decrypt') }],
  ])('passes with %s', (_, resources) => {
    expect(judgeStack(rule, resources).states).toEqual(['pass AWS::SQS::Queue/Queue']);
  });

  test.each<[string, object, string]>([
    ['no policy', LISTENS, 'no policy that lets events.amazonaws.com send'],
    ['a policy for somebody else', { ...LISTENS, Policy: queuePolicy('Queue', statement('sqs:SendMessage', '*', { principal: { Service: 's3.amazonaws.com' } })) }, 'no policy'],
    ['a FIFO queue', { ...LISTENS, Policy: maySend(), Queue: queue({ FifoQueue: true }) }, 'FIFO'],
    ['the key of AWS', encrypted('alias/aws/sqs'), 'alias/aws/sqs'],
    ['a policy that denies everyone', { ...LISTENS, Policy: queuePolicy('Queue', statement('sqs:*', '*', { principal: '*' }), statement('sqs:*', '*', { principal: '*', effect: 'Deny' })) }, 'denies everyone to send'],
    ['a policy for the one rule of two', { ...LISTENS, ...twoRules, Policy: maySend({ ArnEquals: { 'aws:SourceArn': get('Spot', 'Arn') } }) }, 'does not let Health send'],
    ['a policy for a rule that fills another queue', { ...LISTENS, ...twoRules, Other: eventRule('Dead', {}), Policy: maySend({ ArnLike: { 'aws:SourceArn': get('Other', 'Arn') } }) }, 'does not let Health and Spot send'],
    ['a key that does not let EventBridge use it', { ...encrypted({ Ref: 'Key' }), Key: key('kms:Decrypt') }, 'does not let events.amazonaws.com take kms:GenerateDataKey'],
  ])('fails with %s', (_, resources, message) => {
    expect(messages(resources)[0]).toContain(message);
  });

  test('does not apply to a queue that Karpenter does not listen to', () => {
    expect(judgeStack(rule, { Queue: queue(), Karpenter: chart() }).outcomes).toEqual([]);
  });

  test.each<[string, object]>([
    ['a policy that is known only at deployment', { ...LISTENS, Policy: { Type: 'AWS::SQS::QueuePolicy', Properties: { Queues: [{ Ref: 'Queue' }], PolicyDocument: OPEN } } }],
    ['a key that is not in the templates', encrypted('arn:aws:kms:eu-west-1:1:key/x')],
    ['a policy of a queue that is known only at deployment', { ...LISTENS, Policy: { Type: 'AWS::SQS::QueuePolicy', Properties: { ...(maySend() as any).Properties, Queues: [OPEN] } } }],
    ['a statement that denies under a condition', { ...LISTENS, Policy: queuePolicy('Queue', statement('sqs:*', '*', { principal: EVENTBRIDGE }), statement('sqs:*', '*', { principal: '*', effect: 'Deny', condition: { StringNotEquals: { 'aws:PrincipalOrgID': 'o-1' } } })) }],
    ['a condition that is not read', { ...LISTENS, Policy: maySend({ StringEquals: { 'aws:PrincipalTag/x': 'y' } }) }],
  ])('is not evaluated with %s', (_, resources) => {
    expect(judgeStack(rule, resources).states).toEqual(['not-evaluated AWS::SQS::Queue/Queue']);
  });
});
