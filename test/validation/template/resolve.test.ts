import { readResources, readStacks } from './read';
import { readManifests } from '../../../src/validation/manifest';
import { readable } from '../../../src/validation/template';

/** What a value of a template comes to, for people. */
function resolved(value: unknown, others: object = {}): unknown {
  const { aws } = readResources({ Queue: { Type: 'AWS::SQS::Queue' }, Named: { Type: 'AWS::SQS::Queue', Properties: { QueueName: 'spot' } }, It: { Type: 'Custom::It', Properties: { value } } }, others);
  return JSON.parse(readable(JSON.stringify(aws.resources.get('App/It')!.properties.value ?? null)));
}

function withOthers(cases: ReadonlyArray<[string, unknown, unknown, object?]>): Array<[string, unknown, unknown, object]> {
  return cases.map(([name, value, result, others = {}]) => [name, value, result, others]);
}

describe('an intrinsic function', () => {
  const MAPPINGS = { Mappings: { Sizes: { small: { cpu: '1' } } } };
  const CONDITIONS = {
    Conditions: {
      Yes: { 'Fn::Equals': ['a', 'a'] },
      No: { 'Fn::Not': [{ Condition: 'Yes' }] },
      Open: { 'Fn::Equals': [{ Ref: 'Stage' }, 'prod'] },
      Both: { 'Fn::And': [{ Condition: 'Yes' }, { Condition: 'No' }] },
      Either: { 'Fn::Or': [{ Condition: 'Open' }, { Condition: 'Yes' }] },
    },
  };
  test.each<[string, unknown, unknown, object]>(withOthers([
    ['Ref to a resource without a name', { Ref: 'Queue' }, '<App/Queue>'],
    ['GetAtt of a name that is given', { 'Fn::GetAtt': ['Named', 'QueueName'] }, 'spot'],
    ['GetAtt of a name that is not', { 'Fn::GetAtt': 'Queue.QueueName' }, '<name of App/Queue>'],
    ['GetAtt of an ARN', { 'Fn::GetAtt': ['Named', 'Arn'] }, 'arn:<AWS::Partition>:sqs:<AWS::Region>:<AWS::AccountId>:spot'],
    ['GetAtt of an attribute that a parameter names', { 'Fn::GetAtt': ['Named', { Ref: 'Attribute' }] }, '<App/Named.$(Token(App/Attribute))>'],
    ['GetAtt of an attribute that a mapping names', { 'Fn::GetAtt': ['Named', { 'Fn::FindInMap': ['Names', 'name', 'of'] }] }, 'spot',
      { Mappings: { Names: { name: { of: 'QueueName' } } } }],
    ['Ref to a parameter', { Ref: 'Stage' }, '<App/Stage>'],
    ['Join', { 'Fn::Join': ['-', ['a', { Ref: 'Stage' }, 'b']] }, 'a-<App/Stage>-b'],
    ['Sub', { 'Fn::Sub': '${Named.QueueName}/${Stage}/${!Literal}' }, 'spot/<App/Stage>/${Literal}'],
    ['Sub with variables', { 'Fn::Sub': ['${Name}', { Name: { 'Fn::GetAtt': ['Named', 'QueueName'] } }] }, 'spot'],
    ['Select', { 'Fn::Select': ['1', ['a', 'b']] }, 'b'],
    ['Split of what is known', { 'Fn::Split': ['-', 'a-b'] }, ['a', 'b']],
    ['NoValue', [{ Ref: 'AWS::NoValue' }, 1], [1]],
    ['FindInMap', { 'Fn::FindInMap': ['Sizes', 'small', 'cpu'] }, '1', MAPPINGS],
    ['If on a condition that holds', { 'Fn::If': ['Yes', 1, 2] }, 1, CONDITIONS],
    ['If on one that does not', { 'Fn::If': ['No', 1, 2] }, 2, CONDITIONS],
    ['If on And', { 'Fn::If': ['Both', 1, 2] }, 2, CONDITIONS],
    ['If on Or', { 'Fn::If': ['Either', 1, 2] }, 1, CONDITIONS],
  ]))('%s is evaluated', (_, value, result, others) => expect(resolved(value, others)).toEqual(result));

  test.each([
    ['If on a parameter', { 'Fn::If': ['Open', 1, 2] }],
    ['Split of a text that is not known', { 'Fn::Split': ['/', { Ref: 'Stage' }] }],
    ['one that needs the account', { 'Fn::GetAZs': '' }],
    ['an import from elsewhere', { 'Fn::ImportValue': 'other' }],
  ])('%s stays open', (_, value) => expect(resolved(value, CONDITIONS)).toMatch(/^<.+>$/));

  test.each<[string, object]>([
    ['a name', { Role: { Type: 'AWS::IAM::Role', Properties: { RoleName: { a: {} } } } }],
    ['a tag', { Subnet: { Type: 'AWS::EC2::Subnet', Properties: { Tags: [{ Key: {}, Value: [{}] }] } } }],
    ['an action', { Policy: { Type: 'AWS::IAM::ManagedPolicy', Properties: { PolicyDocument: { Statement: [{ Effect: 'Allow', Action: [{}], Resource: {} }] } } } }],
    ['the role of a node group', { Group: { Type: 'AWS::EKS::Nodegroup', Properties: { NodeRole: { 'Fn::Select': [{}, ['a']] } } } }],
    ['a function', { Role: { Type: 'AWS::IAM::Role', Properties: { RoleName: { Ref: {} }, Path: { 'Fn::ImportValue': {} }, Description: { 'Fn::GetAtt': {} } } } }],
  ])('an object where a text belongs is as good as unknown in %s', (_, resources) => {
    expect(() => readResources(resources)).not.toThrow();
  });

  test('references in a circle end', () => {
    const circle = { Role: { Type: 'AWS::IAM::Role', Properties: { RoleName: { 'Fn::GetAtt': ['Role', 'Arn'] } } } };
    expect(readable(readResources(circle).aws.roles[0].arn)).toContain('circle');
  });
});

describe('references between templates', () => {
  const queueStack = {
    Resources: { Queue: { Type: 'AWS::SQS::Queue', Properties: { QueueName: 'spot' } } },
    Outputs: { Arn: { Value: { 'Fn::GetAtt': ['Queue', 'Arn'] }, Export: { Name: 'Queues:Arn' } } },
  };
  const user = (value: unknown) => ({ Resources: { It: { Type: 'Custom::It', Properties: { value } } } });

  test('an import is what the other stack exports', () => {
    const { aws } = readStacks({ Queues: queueStack, Users: user({ 'Fn::ImportValue': 'Queues:Arn' }) });
    expect(aws.resources.get('Users/It')!.properties.value).toBe(aws.queues[0].arn);
  });

  test('an import is what a stack of its own account and region exports', () => {
    const accounts = ['111122223333', '444455556666'];
    const { aws } = readManifests(accounts.flatMap((account) => Object.entries({ Queues: queueStack, Users: user({ 'Fn::ImportValue': 'Queues:Arn' }) })
      .map(([name, template]) => ({ path: `${name}${account}.template.json`, text: JSON.stringify(template), stack: { account, region: 'eu-west-1' } }))), {});
    expect(accounts.map((account) => aws.resources.get(`Users${account}/It`)!.properties.value)).toEqual(accounts.map((account) => `arn:aws:sqs:eu-west-1:${account}:spot`));
  });

  test('an output of a nested stack is its value', () => {
    const nested = { Type: 'AWS::CloudFormation::Stack', Metadata: { 'aws:asset:path': 'Queues.template.json' }, Properties: {} };
    const { Resources: { It } } = user({ 'Fn::GetAtt': ['Nested', 'Outputs.Arn'] });
    const { aws } = readStacks({ Queues: queueStack, Users: { Resources: { Nested: nested, It } } });
    expect(aws.resources.get('Users/It')!.properties.value).toBe(aws.queues[0].arn);
    expect(aws.opaque).toEqual([]);
  });

  test('a parameter of a nested stack is what its parent gives it', () => {
    const nested = { Type: 'AWS::CloudFormation::Stack', Metadata: { 'aws:asset:path': 'Users.template.json' }, Properties: { Parameters: { Stage: 'prod' } } };
    const { aws } = readStacks({ Parent: { Resources: { Nested: nested } }, Users: user({ Ref: 'Stage' }) });
    expect(aws.resources.get('Users/It')!.properties.value).toBe('prod');
  });

  test('a nested stack whose template is not there is opaque, unless aws-eks made it for itself', () => {
    const nested = { Type: 'AWS::CloudFormation::Stack', Properties: {} };
    const { aws } = readResources({ Mine: nested, awscdkawseksKubectlProviderNestedStack: nested });
    expect(aws.opaque.map(({ id }) => id)).toEqual(['App/Mine']);
  });
});

test('the region of a stack gives its partition', () => {
  const { aws } = readStacks({ App: { Resources: { Queue: { Type: 'AWS::SQS::Queue' } } } }, { region: 'cn-north-1' });
  expect(aws.queues[0].arn).toMatch(/^arn:aws-cn:sqs:cn-north-1:/);
});

test('a resource whose condition is known not to hold is no resource', () => {
  const conditions = { Conditions: { No: { 'Fn::Equals': ['a', 'b'] }, Open: { 'Fn::Equals': [{ Ref: 'Stage' }, 'b'] } } };
  const { aws } = readResources({ Off: { Type: 'AWS::SQS::Queue', Condition: 'No' }, On: { Type: 'AWS::SQS::Queue', Condition: 'Open' } }, conditions);
  expect(aws.queues.map(({ resource }) => resource.id)).toEqual(['App/On']);
});
