import { readResources, readStacks } from './read';
import { readManifests } from '../../../src/validation';
import { readable } from '../../../src/validation/template';
import { parseEmbeddedJson } from '../../../src/validation/template/embedded-json';
import { isLinear } from '../../support/linear-time';

/** The resolved value of a template expression, with readable tokens. */
function resolved(value: unknown, others: object = {}): unknown {
  const { aws } = readResources(
    {
      Queue: { Type: 'AWS::SQS::Queue' },
      Named: { Type: 'AWS::SQS::Queue', Properties: { QueueName: 'spot' } },
      It: { Type: 'Custom::It', Properties: { value } },
    },
    others,
  );
  return JSON.parse(readable(JSON.stringify(aws.resources.get('App/It')!.properties.value ?? null)));
}

function withOthers(
  cases: ReadonlyArray<[string, unknown, unknown, object?]>,
): Array<[string, unknown, unknown, object]> {
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
  test.each<[string, unknown, unknown, object]>(
    withOthers([
      ['Ref to a resource without a name', { Ref: 'Queue' }, '<App/Queue>'],
      ['GetAtt of an explicit name', { 'Fn::GetAtt': ['Named', 'QueueName'] }, 'spot'],
      ['GetAtt of a generated name', { 'Fn::GetAtt': 'Queue.QueueName' }, '<name of App/Queue>'],
      [
        'GetAtt of an ARN',
        { 'Fn::GetAtt': ['Named', 'Arn'] },
        'arn:<AWS::Partition>:sqs:<AWS::Region>:<AWS::AccountId>:spot',
      ],
      [
        'GetAtt of an attribute that a parameter names',
        { 'Fn::GetAtt': ['Named', { Ref: 'Attribute' }] },
        '<App/Named.$(Token(App/Attribute))>',
      ],
      [
        'GetAtt of an attribute that a mapping names',
        { 'Fn::GetAtt': ['Named', { 'Fn::FindInMap': ['Names', 'name', 'of'] }] },
        'spot',
        { Mappings: { Names: { name: { of: 'QueueName' } } } },
      ],
      ['Ref to a parameter', { Ref: 'Stage' }, '<App/Stage>'],
      ['Join', { 'Fn::Join': ['-', ['a', { Ref: 'Stage' }, 'b']] }, 'a-<App/Stage>-b'],
      ['Sub', { 'Fn::Sub': '${Named.QueueName}/${Stage}/${!Literal}' }, 'spot/<App/Stage>/${Literal}'],
      ['Sub with variables', { 'Fn::Sub': ['${Name}', { Name: { 'Fn::GetAtt': ['Named', 'QueueName'] } }] }, 'spot'],
      ['Select', { 'Fn::Select': ['1', ['a', 'b']] }, 'b'],
      ['Split of a known text', { 'Fn::Split': ['-', 'a-b'] }, ['a', 'b']],
      ['NoValue', [{ Ref: 'AWS::NoValue' }, 1], [1]],
      ['FindInMap', { 'Fn::FindInMap': ['Sizes', 'small', 'cpu'] }, '1', MAPPINGS],
      ['If with a true condition', { 'Fn::If': ['Yes', 1, 2] }, 1, CONDITIONS],
      ['If with a false condition', { 'Fn::If': ['No', 1, 2] }, 2, CONDITIONS],
      ['If with And', { 'Fn::If': ['Both', 1, 2] }, 2, CONDITIONS],
      ['If with Or', { 'Fn::If': ['Either', 1, 2] }, 1, CONDITIONS],
    ]),
  )('%s is evaluated', (_, value, result, others) => expect(resolved(value, others)).toEqual(result));

  test.each([
    ['If with a parameter', { 'Fn::If': ['Open', 1, 2] }],
    ['Split of an unknown text', { 'Fn::Split': ['/', { Ref: 'Stage' }] }],
    ['GetAZs, which needs the account', { 'Fn::GetAZs': '' }],
    ['ImportValue of an unknown export', { 'Fn::ImportValue': 'other' }],
  ])('%s becomes a token', (_, value) => expect(resolved(value, CONDITIONS)).toMatch(/^<.+>$/));

  test.each<[string, object]>([
    ['a name', { Role: { Type: 'AWS::IAM::Role', Properties: { RoleName: { a: {} } } } }],
    ['a tag', { Subnet: { Type: 'AWS::EC2::Subnet', Properties: { Tags: [{ Key: {}, Value: [{}] }] } } }],
    [
      'an action',
      {
        Policy: {
          Type: 'AWS::IAM::ManagedPolicy',
          Properties: { PolicyDocument: { Statement: [{ Effect: 'Allow', Action: [{}], Resource: {} }] } },
        },
      },
    ],
    [
      'the role of a node group',
      { Group: { Type: 'AWS::EKS::Nodegroup', Properties: { NodeRole: { 'Fn::Select': [{}, ['a']] } } } },
    ],
    [
      'a function',
      {
        Role: {
          Type: 'AWS::IAM::Role',
          Properties: { RoleName: { Ref: {} }, Path: { 'Fn::ImportValue': {} }, Description: { 'Fn::GetAtt': {} } },
        },
      },
    ],
  ])('treats an object where text is expected as unknown, in %s', (_, resources) => {
    expect(() => readResources(resources)).not.toThrow();
  });

  test('stops at circular references', () => {
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

  test('resolves an import to the export of the other stack', () => {
    const { aws } = readStacks({ Queues: queueStack, Users: user({ 'Fn::ImportValue': 'Queues:Arn' }) });
    expect(aws.resources.get('Users/It')!.properties.value).toBe(aws.queues[0].arn);
  });

  test('resolves an import to the export in the same account and region', () => {
    const accounts = ['111122223333', '444455556666'];
    const { aws } = readManifests(
      accounts.flatMap((account) =>
        Object.entries({ Queues: queueStack, Users: user({ 'Fn::ImportValue': 'Queues:Arn' }) }).map(
          ([name, template]) => ({
            path: `${name}${account}.template.json`,
            text: JSON.stringify(template),
            stack: { account, region: 'eu-west-1' },
          }),
        ),
      ),
      {},
    );
    expect(accounts.map((account) => aws.resources.get(`Users${account}/It`)!.properties.value)).toEqual(
      accounts.map((account) => `arn:aws:sqs:eu-west-1:${account}:spot`),
    );
  });

  test('resolves an output of a nested stack', () => {
    const nested = {
      Type: 'AWS::CloudFormation::Stack',
      Metadata: { 'aws:asset:path': 'Queues.template.json' },
      Properties: {},
    };
    const {
      Resources: { It },
    } = user({ 'Fn::GetAtt': ['Nested', 'Outputs.Arn'] });
    const { aws } = readStacks({ Queues: queueStack, Users: { Resources: { Nested: nested, It } } });
    expect(aws.resources.get('Users/It')!.properties.value).toBe(aws.queues[0].arn);
    expect(aws.opaque).toEqual([]);
  });

  test("resolves a parameter of a nested stack to the parent's value", () => {
    const nested = {
      Type: 'AWS::CloudFormation::Stack',
      Metadata: { 'aws:asset:path': 'Users.template.json' },
      Properties: { Parameters: { Stage: 'prod' } },
    };
    const { aws } = readStacks({ Parent: { Resources: { Nested: nested } }, Users: user({ Ref: 'Stage' }) });
    expect(aws.resources.get('Users/It')!.properties.value).toBe('prod');
  });

  test('treats a nested stack without a template as opaque, except those of the aws-eks library', () => {
    const nested = { Type: 'AWS::CloudFormation::Stack', Properties: {} };
    const { aws } = readResources({ Mine: nested, awscdkawseksKubectlProviderNestedStack: nested });
    expect(aws.opaque.map(({ id }) => id)).toEqual(['App/Mine']);
  });
});

test("derives the partition from the stack's region", () => {
  const { aws } = readStacks({ App: { Resources: { Queue: { Type: 'AWS::SQS::Queue' } } } }, { region: 'cn-north-1' });
  expect(aws.queues[0].arn).toMatch(/^arn:aws-cn:sqs:cn-north-1:/);
});

test('leaves out a resource whose condition is false', () => {
  const conditions = {
    Conditions: { No: { 'Fn::Equals': ['a', 'b'] }, Open: { 'Fn::Equals': [{ Ref: 'Stage' }, 'b'] } },
  };
  const { aws } = readResources(
    { Off: { Type: 'AWS::SQS::Queue', Condition: 'No' }, On: { Type: 'AWS::SQS::Queue', Condition: 'Open' } },
    conditions,
  );
  expect(aws.queues.map(({ resource }) => resource.id)).toEqual(['App/On']);
});

describe('a hostile text of Fn::Sub', () => {
  test.each<[string, string]>([
    ['variables that are not closed', '${'],
    ['tokens that are not closed', '${Token['],
    ['tokens that are closed by a bracket only', '${Token[a]'],
  ])('is resolved in linear time with %s', (_, part) => {
    expect(isLinear((count) => resolved({ 'Fn::Sub': part.repeat(count) }))).toBe(true);
  });

  test.each(['"\\', '${Token[', '"\\\n'])('is read as JSON in linear time with many %j', (part) => {
    expect(isLinear((count) => parseEmbeddedJson(`{${part.repeat(count)}`))).toBe(true);
  });
});

describe('a parameter for the name of the cluster', () => {
  const template = JSON.stringify({
    AWSTemplateFormatVersion: '2010-09-09',
    Parameters: { ClusterName: { Type: 'String' }, Zone: { Type: 'String' } },
    Resources: {
      Queue: { Type: 'AWS::SQS::Queue', Properties: { QueueName: { 'Fn::Sub': 'karpenter-${ClusterName}' } } },
      Other: { Type: 'AWS::SQS::Queue', Properties: { QueueName: { Ref: 'Zone' } } },
    },
  });
  const release = (values: object, kind = 'HelmRelease') => ({
    apiVersion: 'helm.toolkit.fluxcd.io/v2',
    kind,
    metadata: { name: 'karpenter' },
    spec: { values },
  });
  const cluster = (name: string) => ({ apiVersion: 'eksctl.io/v1alpha5', kind: 'ClusterConfig', metadata: { name } });
  const discovery = (tag: string) => ({
    apiVersion: 'karpenter.k8s.aws/v1',
    kind: 'EC2NodeClass',
    metadata: { name: 'default' },
    spec: { subnetSelectorTerms: [{ tags: { 'karpenter.sh/discovery': tag } }] },
  });
  const names = (...objects: object[]) =>
    readManifests([
      { path: 'karpenter.yaml', text: template },
      { path: 'objects.yaml', text: objects.map((object) => JSON.stringify(object)).join('\n---\n') },
    ]).aws.queues.map(({ name }) => readable(name));

  test('has the only name that the objects of the input have', () => {
    const [known, unknown] = ['karpenter-demo', 'karpenter-<karpenter/ClusterName>'];
    expect(names(cluster('demo'), discovery('demo'))).toEqual([known, '<karpenter/Zone>']);
    expect(names(release({ settings: { clusterName: 'demo' } }))[0]).toBe(known);
    for (const objects of [
      [discovery('demo')],
      [cluster('demo'), discovery('other')],
      [cluster('demo'), cluster('other')],
      [cluster('demo'), release({ settings: { clusterName: '${NAME}' } }), discovery('${NAME}')],
      [cluster('demo'), release({}, 'helm_release')],
    ])
      expect(names(...objects)[0]).toBe(unknown);
  });
});
