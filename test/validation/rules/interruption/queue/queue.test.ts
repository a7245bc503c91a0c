import { karpenterEvents } from '../../../../../src/contract';
import { eventRuleMissing } from '../../../../../src/validation/rules/interruption/queue/event-rule-missing';
import { queuePolicyOrEncryptionBlocksEvents } from '../../../../../src/validation/rules/interruption/queue/queue-policy-or-encryption-blocks-events';
import { queueSetButMissingOrUnpermitted } from '../../../../../src/validation/rules/interruption/queue/queue-set-but-missing-or-unpermitted';
import { deployment, judge, judgeStack, nodeClass, nodePool, oneOf } from '../../judge';
import {
  association,
  chart,
  CONTROLLER_SERVICE,
  eventRule,
  EVENTBRIDGE,
  get,
  handler,
  LISTENS,
  listensTo,
  OPEN,
  queue,
  queuePolicy,
  role,
  statement,
} from '../../stack';

describe('KARP-502 queue-set-but-missing-or-unpermitted', () => {
  const rule = queueSetButMissingOrUnpermitted;
  const reader = (...actions: string[]) => ({
    ...LISTENS,
    Role: role(CONTROLLER_SERVICE, [statement(actions, get('Queue', 'Arn'))]),
    Identity: association('Role'),
  });

  test('passes if the queue exists and the role may read it', () => {
    expect(judgeStack(rule, reader('sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueUrl')).states).toEqual([
      'pass Custom::AWSCDK-EKS-HelmChart/Karpenter',
    ]);
  });

  test('fails if the role lacks a permission on the queue', () => {
    expect(judgeStack(rule, reader('sqs:ReceiveMessage', 'sqs:DeleteMessage')).findings[0].message).toContain(
      'because role Role does not allow sqs:GetQueueUrl on it',
    );
  });

  test('fails if the permission is on another queue', () => {
    const resources = {
      ...reader(),
      Other: queue(),
      Role: role(CONTROLLER_SERVICE, [statement('sqs:*', get('Other', 'Arn'))]),
    };
    expect(judgeStack(rule, resources).findings[0].evidence).toEqual({
      missing: ['sqs:GetQueueUrl', 'sqs:ReceiveMessage', 'sqs:DeleteMessage'],
    });
  });

  test('fails if a statement denies a needed action', () => {
    const resources = {
      ...reader(),
      Role: role(CONTROLLER_SERVICE, [statement('sqs:*'), statement('sqs:DeleteMessage', '*', { effect: 'Deny' })]),
    };
    expect(judgeStack(rule, resources).findings[0].evidence).toEqual({ missing: ['sqs:DeleteMessage'] });
  });

  test.each<[string, unknown, string]>([
    ["a queue's URL", { Ref: 'Queue' }, 'is the URL of queue Queue'],
    ["a queue's ARN", get('Queue', 'Arn'), 'is the ARN of queue Queue'],
    ['a literal URL', 'https://sqs.eu-west-1.amazonaws.com/1/prod', 'must be the name of a queue'],
    ['a name that no queue has', 'prod', 'the templates have no queue of that name'],
  ])('fails if the setting is %s', (_, name, message) => {
    expect(judgeStack(rule, { Queue: queue(), Karpenter: listensTo(name) }).findings[0].message).toContain(message);
  });

  test('fails if the setting is empty and a queue receives the interruption events', () => {
    const resources = {
      Karpenter: chart(),
      Queue: queue(),
      Rule: eventRule('Queue', { source: ['aws.ec2'], 'detail-type': ['EC2 Spot Instance Interruption Warning'] }),
    };
    expect(judgeStack(rule, resources).findings[0].message).toContain(
      'but queue Queue receives the interruption events',
    );
  });

  test('finds nothing if the Karpenter of another cluster reads the queue', () => {
    const spotRule = eventRule('Queue', {
      source: ['aws.ec2'],
      'detail-type': ['EC2 Spot Instance Interruption Warning'],
    });
    const other = chart(
      { settings: { interruptionQueue: { 'Fn::GetAtt': ['Queue', 'QueueName'] } } },
      { cluster: 'other' },
    );
    expect(judgeStack(rule, { Karpenter: chart(), Other: other, Queue: queue(), Rule: spotRule }).findings).toEqual([]);
  });

  describe('with a queue that the role of pods outside the templates may read, as in GitOps', () => {
    const spotRule = eventRule('Queue', {
      source: ['aws.ec2'],
      'detail-type': ['EC2 Spot Instance Interruption Warning'],
    });
    const gitops = {
      Queue: queue(),
      Rule: spotRule,
      OtherRole: role(CONTROLLER_SERVICE, [statement('sqs:ReceiveMessage', get('Queue', 'Arn'))]),
    };
    const own = (statements: object[]) => ({
      Karpenter: chart(),
      Role: role(CONTROLLER_SERVICE, statements),
      Identity: association('Role'),
    });

    test('finds nothing if the controller has another role', () => {
      expect(judgeStack(rule, { ...gitops, ...own([statement('ec2:RunInstances')]) }).outcomes).toEqual([]);
    });

    test('finds nothing if the role of the controller may read all queues', () => {
      expect(judgeStack(rule, { ...gitops, ...own([statement('sqs:*')]) }).outcomes).toEqual([]);
    });

    test('is not evaluated if the role of the controller is not known', () => {
      const { whys } = judgeStack(rule, { ...gitops, Karpenter: chart() });
      expect(whys).toEqual([
        'whether role OtherRole, which may read queue Queue, is the role of this controller is not in the templates',
      ]);
    });
  });

  test('fails if the setting is empty and only the role of the controller may read the queue', () => {
    const spotRule = eventRule('Queue', {
      source: ['aws.ec2'],
      'detail-type': ['EC2 Spot Instance Interruption Warning'],
    });
    const resources = {
      Karpenter: chart(),
      Queue: queue(),
      Rule: spotRule,
      Role: role(CONTROLLER_SERVICE, [statement('sqs:*')]),
      Identity: association('Role'),
    };
    expect(judgeStack(rule, resources).states).toEqual(['fail Custom::AWSCDK-EKS-HelmChart/Karpenter']);
  });

  test('does not apply if AWS Node Termination Handler reads the queue', () => {
    const spotRule = eventRule('Queue', {
      source: ['aws.ec2'],
      'detail-type': ['EC2 Spot Instance Interruption Warning'],
    });
    expect(
      judgeStack(rule, {
        Karpenter: chart(),
        Queue: queue(),
        Rule: spotRule,
        Handler: handler({ queueURL: { Ref: 'Queue' } }),
      }).outcomes,
    ).toEqual([]);
  });

  test('does not apply to queues without interruption events', () => {
    expect(
      judgeStack(rule, { Karpenter: chart(), Orders: queue(), Rule: eventRule('Orders', { source: ['shop'] }) })
        .outcomes,
    ).toEqual([]);
  });

  test('does not apply without templates, or without a queue and the setting', () => {
    expect(
      judge(rule, [nodePool('default')], {
        controllerValues: { file: 'values.yaml', values: { settings: { interruptionQueue: 'x' } } },
      }).outcomes,
    ).toEqual([]);
    expect(judgeStack(rule, { Karpenter: chart() }).outcomes).toEqual([]);
  });

  test.each<[string, object, string]>([
    [
      'a name that is known only at deployment',
      { Queue: queue(), Karpenter: listensTo(OPEN) },
      'known only at deployment',
    ],
    ['a queue that may be declared elsewhere', { Karpenter: listensTo('prod') }, 'may be declared elsewhere'],
    ['a role that is not in the templates', LISTENS, 'is not in the templates'],
    [
      'a policy that is not in the templates',
      {
        ...reader(),
        Role: role(CONTROLLER_SERVICE, [], { ManagedPolicyArns: ['arn:aws:iam::1:policy/ours'] }),
      },
      'a policy of role Role is not in the templates',
    ],
  ])('is not evaluated with %s', (_, resources, why) => {
    expect(judgeStack(rule, resources).whys[0]).toContain(why);
  });

  const deployed = (queueOf: object) => {
    const env = [{ name: 'INTERRUPTION_QUEUE', ...queueOf }];
    return deployment('karpenter', {
      containers: [{ name: 'controller', image: 'public.ecr.aws/karpenter/controller:1.12.0', env }],
    });
  };

  test('without templates, rejects only an ARN, a URL and what SQS takes for no name', () => {
    for (const name of ['prod', 'prod.fifo', 'p'.repeat(80), '${QUEUE}'])
      expect(judge(rule, [deployed({ value: name })]).findings).toEqual([]);
    for (const name of ['Karpenter prod', 'karpenter/prod', 'p'.repeat(81)])
      expect(judge(rule, [deployed({ value: name })]).findings[0].message).toContain('which SQS takes for no name');
    expect(judge(rule, [deployed({ value: 'arn:aws:sqs:eu-west-1:1:prod' })]).findings[0].message).toContain(
      'must be the name of a queue',
    );
  });

  test.each([
    ['https://sqs.eu-west-1.amazonaws.com/1/prod', 'must be the name of a queue', 'write prod'],
    ['${aws_sqs_queue.karpenter.url}', 'the URL of a queue, not its name', 'write ${aws_sqs_queue.karpenter.name}'],
    ['${aws_sqs_queue.karpenter[0].arn}', 'the ARN of a queue', 'write ${aws_sqs_queue.karpenter[0].name}'],
    ['${aws_sqs_queue.karpenter.id}', 'the URL of a queue', 'write ${aws_sqs_queue.karpenter.name}'],
    ['${module.karpenter.queue_arn}', 'the ARN of a queue', 'write ${module.karpenter.queue_name}'],
  ])('rejects %s in Helm values of the options', (interruptionQueue, message, remedy) => {
    const options = { controllerValues: { file: 'values.yaml', values: { settings: { interruptionQueue } } } };
    const { findings } = judge(rule, [nodePool('default')], options);
    expect(findings.map(({ message: text, remedy: instead }) => [text, instead])).toEqual([
      [expect.stringContaining(message), remedy],
    ]);
  });

  test.each(['${aws_sqs_queue.karpenter.name}', '${module.karpenter.queue_name}', '${local.queue}'])(
    'says nothing about %s in Helm values of the options',
    (interruptionQueue) => {
      const options = { controllerValues: { file: 'values.yaml', values: { settings: { interruptionQueue } } } };
      expect(judge(rule, [nodePool('default')], options).outcomes).toEqual([]);
    },
  );

  test('says that Karpenter launches nothing before 1.4.0, and only receives no notice from then on', () => {
    const messageFor = (version: string) =>
      judge(rule, [
        deployment('karpenter', {
          containers: [
            {
              name: 'controller',
              image: `public.ecr.aws/karpenter/controller:${version}`,
              env: [{ name: 'INTERRUPTION_QUEUE', value: 'arn:aws:sqs:eu-west-1:1:prod' }],
            },
          ],
        }),
      ]).findings[0].message;
    expect(messageFor('1.3.8')).toContain('panics at start');
    expect(messageFor('1.4.0')).toContain('receives no interruption notice');
  });

  test('is not evaluated if a ConfigMap sets the name', () => {
    const open = deployed({ valueFrom: { configMapKeyRef: { name: 'karpenter', key: 'queue' } } });
    expect(judgeStack(rule, { Queue: queue() }, [open]).whys[0]).toContain('known only at deployment');
  });
});

describe('KARP-503 event-rule-missing', () => {
  const rule = eventRuleMissing;
  const events = karpenterEvents('1.12.0').filter(({ rule: name }) => name !== 'CapacityReservationInterruptionRule');
  type Change = (type: string, resource: any) => object | undefined;
  const rules = (change: Change = (_, resource) => resource) =>
    Object.fromEntries(
      events.flatMap(({ rule: name, pattern }) => {
        const resource = change(pattern['detail-type'][0], eventRule('Queue', pattern));
        return resource ? [[name, resource]] : [];
      }),
    );
  const spot = 'EC2 Spot Instance Interruption Warning';
  const changed = (properties: object) =>
    rules((type, resource) =>
      type === spot ? { ...resource, Properties: { ...resource.Properties, ...properties } } : resource,
    );
  const failures = (resources: object, documents: string[] = []) =>
    judgeStack(rule, { ...LISTENS, ...resources }, documents).findings.map(
      ({ message, severity }) => `${severity}: ${message}`,
    );

  test('passes with the EventBridge rules of the contract', () => {
    const { states } = judgeStack(rule, { ...LISTENS, ...rules() });
    expect(states).toEqual(events.map(() => 'pass AWS::SQS::Queue/Queue'));
  });

  test('passes with wider rules', () => {
    expect(
      failures({
        Health: eventRule('Queue', { source: ['aws.health'] }),
        Ec2: eventRule('Queue', { source: ['aws.ec2'] }),
      }),
    ).toEqual([]);
  });

  test('fails if a rule is missing; as info for rebalance recommendations', () => {
    const { description: says } = events.find(({ pattern }) => pattern['detail-type'][0] === spot)!;
    expect(failures(rules((type, resource) => (type === spot ? undefined : resource)))).toEqual([
      `error: no EventBridge rule delivers "${spot}" to this queue: Karpenter does not learn that ${says}`,
    ]);
    expect(failures(rules((type, resource) => (type.includes('Rebalance') ? undefined : resource)))[0]).toMatch(
      /^info: /,
    );
  });

  test('reports a missing spot rule as info if no NodePool may launch spot', () => {
    const pool = nodePool('on-demand', { requirements: [oneOf('karpenter.sh/capacity-type', 'on-demand')] });
    expect(
      failures(
        rules((type, resource) => (type === spot ? undefined : resource)),
        [nodeClass(), pool],
      )[0],
    ).toMatch(/^info: /);
  });

  test('requires a rule for capacity reservation interruptions if a node class selects reservations', () => {
    const reserving = nodeClass('default', { capacityReservationSelectorTerms: [{ tags: { a: 'b' } }] });
    expect(failures(rules(), [reserving])[0]).toContain('"EC2 Capacity Reservation Instance Interruption Warning"');
  });

  test.each<[string, object, string]>([
    [
      'a typing error',
      { EventPattern: { source: ['aws.ec2'], 'detail-type': ['C2 Spot Instance Interruption Warning'] } },
      'matches "C2 Spot Instance Interruption Warning"',
    ],
    [
      'another case',
      { EventPattern: { source: ['aws.ec2'], 'detail-type': ['EC2 Spot Instance Interruption warning'] } },
      'but the event is called',
    ],
    ['a rule that is disabled', { State: 'DISABLED' }, 'is disabled'],
    ['a custom event bus', { EventBusName: 'mine' }, 'AWS sends these events to the default bus only'],
    ['the wrong source', { EventPattern: { source: ['aws.health'], 'detail-type': [spot] } }, 'filters out'],
  ])('fails on %s, with the reason', (_, properties, message) => {
    expect(failures(changed(properties))[0]).toContain(message);
  });

  test('does not apply if the queue is not in the templates', () => {
    expect(judgeStack(rule, { Karpenter: listensTo('prod') }).outcomes).toEqual([]);
  });

  test('is not evaluated if the target of a rule is known only at deployment', () => {
    const elsewhere = { Rule: eventRule('Queue', { source: ['aws.ec2'] }, { Targets: [{ Id: 'queue', Arn: OPEN }] }) };
    const { states, whys } = judgeStack(rule, { ...LISTENS, ...elsewhere });
    expect(new Set(states)).toEqual(new Set(['not-evaluated AWS::SQS::Queue/Queue']));
    expect(whys).toContain(`an EventBridge rule for ${spot} may be declared outside these templates`);
  });

  test('fails on a rule without targets if another one has the queue twice, even with unknown targets', () => {
    const target = { Id: 'queue', Arn: get('Queue', 'Arn') };
    const other = { Other: eventRule('Queue', { source: ['aws.s3'] }, { Targets: [{ Id: 'other', Arn: OPEN }] }) };
    const twice = (targets: object[]) =>
      rules((type, resource) => {
        const Targets = type === spot ? [] : type.includes('Health') ? targets : [target];
        return { ...resource, Properties: { ...resource.Properties, Targets } };
      });
    const [finding, ...others] = judgeStack(rule, { ...LISTENS, ...other, ...twice([target, target]) }).findings;
    expect(others).toEqual([]);
    expect(finding.message).toMatch(/^rule SpotInterruptionRule has no target, and rule \w+ has this queue twice/);
    expect(finding.remedy).toBe('move this target to rule SpotInterruptionRule');
    expect(judgeStack(rule, { ...LISTENS, ...other, ...twice([target]) }).findings).toEqual([]);
  });

  test('is not evaluated if a pattern is known only at deployment', () => {
    expect(judgeStack(rule, { ...LISTENS, ...changed({ EventPattern: OPEN }) }).whys).toEqual([
      `whether an EventBridge rule delivers ${spot} to it is known only at deployment`,
    ]);
  });

  test('is not evaluated if a pattern has a filter that the rule does not evaluate', () => {
    const pattern = { source: [{ prefix: 'aws.' }], 'detail-type': [spot] };
    expect(judgeStack(rule, { ...LISTENS, ...changed({ EventPattern: pattern }) }).whys).toHaveLength(1);
  });
});

describe('KARP-503 event-rule-missing, with a misspelt detail type', () => {
  const rule = eventRuleMissing;
  const spot = (...types: string[]) => eventRule('Queue', { source: ['aws.ec2'], 'detail-type': types });
  const judged = (resources: object) =>
    judgeStack(rule, resources).findings.filter(({ evidence }) => /Spot/.test(String(evidence.detailType)));

  test.each([
    'EC2 Spot Interruption Warning',
    'EC2 Spot Instance Interuption Warning',
    'EC2 spot instance interruption warning',
    'Spot Instance Interruption Warning',
  ])('reports %s at the rule, with the right name', (written) => {
    for (const karpenter of [LISTENS, { Queue: queue() }]) {
      const [finding, ...others] = judged({
        ...karpenter,
        Spot: spot('EC2 Instance Rebalance Recommendation', written),
      });
      expect(others).toEqual([]);
      expect(finding).toMatchObject({
        object: { name: 'Spot' },
        path: ['Properties', 'EventPattern', 'detail-type', 1],
        remedy: 'write detail-type: EC2 Spot Instance Interruption Warning',
      });
      expect(finding.message).toContain(`rule Spot matches "${written}"`);
    }
  });

  test.each([
    'AWS Health Abuse Event',
    'EC2 Spot Instance Request Fulfillment',
    'EC2 Fast Launch State-change Notification',
  ])('takes the event %s for no misspelt one', (written) => {
    expect(judgeStack(rule, { Queue: queue(), Rule: spot(written) }).outcomes).toEqual([]);
  });

  test('says nothing about a queue that no controller reads, if another rule delivers the event', () => {
    const resources = {
      Queue: queue(),
      Bad: spot('EC2 Spot Interruption Warning'),
      Good: spot('EC2 Spot Instance Interruption Warning'),
    };
    expect(judgeStack(rule, resources).outcomes).toEqual([]);
  });
});

describe('KARP-504 queue-policy-or-encryption-blocks-events', () => {
  const rule = queuePolicyOrEncryptionBlocksEvents;
  const maySend = (condition?: object) =>
    queuePolicy('Queue', statement('sqs:SendMessage', get('Queue', 'Arn'), { principal: EVENTBRIDGE, condition }));
  const key = (...actions: string[]) => ({
    Type: 'AWS::KMS::Key',
    Properties: { KeyPolicy: { Statement: [statement(actions, '*', { principal: EVENTBRIDGE })] } },
  });
  const encrypted = (name: unknown) => ({ ...LISTENS, Policy: maySend(), Queue: queue({ KmsMasterKeyId: name }) });
  const messages = (resources: object) => judgeStack(rule, resources).findings.map(({ message }) => message);
  const twoRules = {
    Spot: eventRule('Queue', { source: ['aws.ec2'] }),
    Health: eventRule('Queue', { source: ['aws.health'] }),
  };

  test.each<[string, object]>([
    ['a policy for EventBridge', { ...LISTENS, Policy: maySend() }],
    [
      'a policy for the ARN of the rule',
      { ...LISTENS, Policy: maySend({ ArnEquals: { 'aws:SourceArn': 'arn:aws:events:eu-west-1:1:rule/x' } }) },
    ],
    [
      'a policy for the ARN of each rule',
      {
        ...LISTENS,
        ...twoRules,
        Policy: maySend({ ArnEquals: { 'aws:SourceArn': [get('Spot', 'Arn'), get('Health', 'Arn')] } }),
      },
    ],
    [
      'a policy for all rules of the account',
      {
        ...LISTENS,
        ...twoRules,
        Policy: maySend({
          ArnLike: {
            'aws:SourceArn': { 'Fn::Sub': 'arn:${AWS::Partition}:events:${AWS::Region}:${AWS::AccountId}:rule/*' },
          },
          StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } },
        }),
      },
    ],
    [
      'a policy that denies requests without TLS',
      {
        ...LISTENS,
        Policy: queuePolicy(
          'Queue',
          statement('sqs:SendMessage', '*', { principal: EVENTBRIDGE }),
          statement('sqs:*', '*', {
            principal: '*',
            effect: 'Deny',
            condition: { Bool: { 'aws:SecureTransport': 'false' } },
          }),
        ),
      },
    ],
    [
      'a policy that refers to the queue by a URL with its name',
      {
        ...LISTENS,
        Queue: queue({ QueueName: 'prod' }),
        Policy: {
          Type: 'AWS::SQS::QueuePolicy',
          Properties: {
            ...(maySend() as any).Properties,
            Queues: [{ 'Fn::Sub': 'https://sqs.${AWS::Region}.${AWS::URLSuffix}/${AWS::AccountId}/prod' }],
          },
        },
      },
    ],
    ['a policy that requires TLS', { ...LISTENS, Policy: maySend({ Bool: { 'aws:SecureTransport': 'true' } }) }],
    [
      'a key that EventBridge may use',
      { ...encrypted(get('Key', 'Arn')), Key: key('kms:GenerateDataKey*', 'kms:Decrypt') },
    ],
  ])('passes with %s', (_, resources) => {
    expect(judgeStack(rule, resources).states).toEqual(['pass AWS::SQS::Queue/Queue']);
  });

  test('fails at the policy that denies calls with TLS', () => {
    const denying = (action: string, condition: object) => ({
      ...LISTENS,
      Policy: queuePolicy(
        'Queue',
        statement('sqs:SendMessage', '*', { principal: EVENTBRIDGE }),
        statement(action, '*', { principal: { AWS: '*' }, effect: 'Deny', condition }),
      ),
    });
    const tls = (value: unknown) => ({ Bool: { 'aws:SecureTransport': value } });
    const found = (...args: Parameters<typeof denying>) => judgeStack(rule, denying(...args)).findings;
    expect(found('sqs:*', tls('true'))).toMatchObject([
      {
        path: ['Properties', 'PolicyDocument', 'Statement', 1],
        message: expect.stringContaining('denies sqs:* on queue Queue to everyone who uses TLS'),
      },
    ]);
    expect(found('sqs:ReceiveMessage', tls(true))).toHaveLength(1);
    expect(found('sqs:PurgeQueue', tls('true'))).toEqual([]);
    expect(found('sqs:*', tls('false'))).toEqual([]);
    expect(found('sqs:*', { ...tls('true'), StringEquals: { 'aws:PrincipalAccount': '1' } })).toEqual([]);
  });

  test.each<[string, object, string]>([
    ['no policy', LISTENS, 'no policy that lets events.amazonaws.com send'],
    [
      'a policy for another service',
      {
        ...LISTENS,
        Policy: queuePolicy('Queue', statement('sqs:SendMessage', '*', { principal: { Service: 's3.amazonaws.com' } })),
      },
      'no policy',
    ],
    ['a FIFO queue', { ...LISTENS, Policy: maySend(), Queue: queue({ FifoQueue: true }) }, 'FIFO'],
    ['the AWS managed key', encrypted('alias/aws/sqs'), 'alias/aws/sqs'],
    [
      'a policy that denies everyone',
      {
        ...LISTENS,
        Policy: queuePolicy(
          'Queue',
          statement('sqs:*', '*', { principal: '*' }),
          statement('sqs:*', '*', { principal: '*', effect: 'Deny' }),
        ),
      },
      'denies sqs:SendMessage to everyone',
    ],
    [
      'a policy for only one of two rules',
      { ...LISTENS, ...twoRules, Policy: maySend({ ArnEquals: { 'aws:SourceArn': get('Spot', 'Arn') } }) },
      'does not let Health send',
    ],
    [
      'a policy for a rule with another target',
      {
        ...LISTENS,
        ...twoRules,
        Other: eventRule('Dead', {}),
        Policy: maySend({ ArnLike: { 'aws:SourceArn': get('Other', 'Arn') } }),
      },
      'does not let Health and Spot send',
    ],
    [
      'a key that EventBridge may not use',
      { ...encrypted({ Ref: 'Key' }), Key: key('kms:Decrypt') },
      'does not allow kms:GenerateDataKey to events.amazonaws.com',
    ],
  ])('fails with %s', (_, resources, message) => {
    expect(messages(resources)[0]).toContain(message);
  });

  test('does not apply to a queue that Karpenter does not listen to', () => {
    expect(judgeStack(rule, { Queue: queue(), Karpenter: chart() }).outcomes).toEqual([]);
  });

  test.each<[string, object]>([
    [
      'a policy that is known only at deployment',
      {
        ...LISTENS,
        Policy: { Type: 'AWS::SQS::QueuePolicy', Properties: { Queues: [{ Ref: 'Queue' }], PolicyDocument: OPEN } },
      },
    ],
    ['a key that is not in the templates', encrypted('arn:aws:kms:eu-west-1:1:key/x')],
    [
      'a policy whose queue is known only at deployment',
      {
        ...LISTENS,
        Policy: { Type: 'AWS::SQS::QueuePolicy', Properties: { ...(maySend() as any).Properties, Queues: [OPEN] } },
      },
    ],
    [
      'a Deny statement with a condition',
      {
        ...LISTENS,
        Policy: queuePolicy(
          'Queue',
          statement('sqs:*', '*', { principal: EVENTBRIDGE }),
          statement('sqs:*', '*', {
            principal: '*',
            effect: 'Deny',
            condition: { StringNotEquals: { 'aws:PrincipalOrgID': 'o-1' } },
          }),
        ),
      },
    ],
    [
      'a condition that the rule does not evaluate',
      { ...LISTENS, Policy: maySend({ StringEquals: { 'aws:PrincipalTag/x': 'y' } }) },
    ],
  ])('is not evaluated with %s', (_, resources) => {
    expect(judgeStack(rule, resources).states).toEqual(['not-evaluated AWS::SQS::Queue/Queue']);
  });
});
