import { readResources, readStacks } from './read';
import { readManifests } from '../../../src/validation';
import { readable } from '../../../src/validation/template';

const TRUST = {
  Statement: [{ Effect: 'Allow', Principal: { Service: 'ec2.amazonaws.com' }, Action: 'sts:AssumeRole' }],
};
const ALLOW = (action: string) => ({ Statement: { Effect: 'Allow', Action: action, Resource: '*' } });

describe('a role', () => {
  const resources = {
    Role: {
      Type: 'AWS::IAM::Role',
      Properties: {
        AssumeRolePolicyDocument: TRUST,
        Policies: [{ PolicyName: 'inline', PolicyDocument: ALLOW('ec2:RunInstances') }],
        ManagedPolicyArns: [{ Ref: 'FromRole' }, 'arn:aws:iam::aws:policy/AmazonEKSWorkerNodePolicy'],
      },
    },
    FromRole: { Type: 'AWS::IAM::ManagedPolicy', Properties: { PolicyDocument: ALLOW('ec2:CreateFleet') } },
    ToRole: {
      Type: 'AWS::IAM::Policy',
      Properties: { PolicyName: 'x', Roles: [{ Ref: 'Role' }], PolicyDocument: JSON.stringify(ALLOW('sqs:*')) },
    },
    Other: {
      Type: 'AWS::IAM::Policy',
      Properties: { PolicyName: 'y', Roles: ['other'], PolicyDocument: ALLOW('s3:*') },
    },
  };

  test('has its policies, whether the role or the policy declares the attachment', () => {
    const [{ policies, otherPolicies }] = readResources(resources).aws.roles;
    expect(policies.flatMap(({ statements }) => statements!.flatMap(({ actions }) => actions))).toEqual([
      'ec2:runinstances',
      'ec2:createfleet',
      'sqs:*',
    ]);
    expect(otherPolicies).toEqual(['arn:aws:iam::aws:policy/AmazonEKSWorkerNodePolicy']);
  });

  test('has the principals of its trust policy', () => {
    expect(readResources(resources).aws.roles[0].trust![0].principals).toEqual(['Service:ec2.amazonaws.com']);
  });

  test('has a policy without statements if the document is known only at deployment', () => {
    const open = {
      ...resources,
      ToRole: {
        Type: 'AWS::IAM::Policy',
        Properties: { PolicyName: 'x', Roles: [{ Ref: 'Role' }], PolicyDocument: { Ref: 'Document' } },
      },
    };
    expect(readResources(open).aws.roles[0].policies.at(-1)!.statements).toBeUndefined();
  });
});

test('reads policy conditions that CDK keeps in a custom resource', () => {
  const { aws } = readResources({
    Json: {
      Type: 'Custom::AWSCDKCfnJson',
      Properties: {
        Value: { 'Fn::Join': ['', ['{"', { Ref: 'Issuer' }, ':sub":"system:serviceaccount:kube-system:karpenter"}']] },
      },
    },
    Role: {
      Type: 'AWS::IAM::Role',
      Properties: {
        AssumeRolePolicyDocument: {
          Statement: [
            {
              Effect: 'Allow',
              Action: 'sts:AssumeRoleWithWebIdentity',
              Condition: { StringEquals: { 'Fn::GetAtt': ['Json', 'Value'] } },
            },
          ],
        },
      },
    },
  });
  const [{ conditions }] = aws.roles[0].trust!;
  expect(conditions.map(({ operator, key, values }) => [operator, readable(key), values])).toEqual([
    ['StringEquals', '<App/Issuer>:sub', ['system:serviceaccount:kube-system:karpenter']],
  ]);
});

test("reads the statements of a queue's policy", () => {
  const { aws } = readResources({
    Queue: { Type: 'AWS::SQS::Queue' },
    Policy: {
      Type: 'AWS::SQS::QueuePolicy',
      Properties: { Queues: [{ Ref: 'Queue' }], PolicyDocument: ALLOW('sqs:SendMessage') },
    },
    Deaf: { Type: 'AWS::SQS::Queue' },
  });
  expect(aws.queues.map(({ statements }) => statements!.length)).toEqual([1, 0]);
});

test('lists the aliases of a KMS key among its names', () => {
  const { aws } = readStacks({
    App: {
      Resources: {
        Key: { Type: 'AWS::KMS::Key', Properties: { KeyPolicy: ALLOW('kms:*') } },
        Alias: {
          Type: 'AWS::KMS::Alias',
          Properties: { AliasName: 'alias/ebs', TargetKeyId: { 'Fn::GetAtt': ['Key', 'Arn'] } },
        },
      },
    },
  });
  expect(aws.kmsKeys[0].names.map(readable)).toEqual(
    expect.arrayContaining(['alias/ebs', 'arn:<AWS::Partition>:kms:<AWS::Region>:<AWS::AccountId>:alias/ebs']),
  );
});

describe('a cluster', () => {
  test.each<[string, object, object]>([
    [
      'of aws-eks-v2',
      { Type: 'AWS::EKS::Cluster', Properties: { Version: '1.34', AccessConfig: { AuthenticationMode: 'API' } } },
      { version: '1.34', authenticationMode: 'API' },
    ],
    [
      'of aws-eks',
      {
        Type: 'Custom::AWSCDK-EKS-Cluster',
        Properties: { Config: { version: '1.33', accessConfig: { authenticationMode: 'API_AND_CONFIG_MAP' } } },
      },
      { version: '1.33', authenticationMode: 'API_AND_CONFIG_MAP' },
    ],
    ['without properties', { Type: 'AWS::EKS::Cluster', Properties: {} }, { authenticationMode: 'CONFIG_MAP' }],
  ])('%s has its version and authentication mode', (_, resource, facts) => {
    expect(readResources({ Cluster: resource }).aws.clusters[0]).toMatchObject(facts);
  });

  test('has the resources that name or reference it', () => {
    const cluster = { ClusterName: { Ref: 'Cluster' } };
    const { aws } = readResources({
      Cluster: { Type: 'AWS::EKS::Cluster', Properties: { Name: 'prod' } },
      Entry: { Type: 'AWS::EKS::AccessEntry', Properties: { ...cluster, PrincipalArn: 'arn', Type: 'EC2_LINUX' } },
      Group: {
        Type: 'AWS::EKS::Nodegroup',
        Properties: { ...cluster, NodeRole: 'arn', ScalingConfig: { MinSize: 2 }, Subnets: ['a', 'b'] },
      },
      Profile: {
        Type: 'Custom::AWSCDK-EKS-FargateProfile',
        Properties: { Config: { clusterName: { Ref: 'Cluster' }, selectors: [{ namespace: 'kube-system' }] } },
      },
    });
    expect([...aws.accessEntries, ...aws.nodeGroups, ...aws.fargateProfiles].map(({ cluster: name }) => name)).toEqual([
      'prod',
      'prod',
      'prod',
    ]);
    expect(aws.nodeGroups[0]).toMatchObject({ minSize: 2, subnets: 2 });
  });
});

test('reads a YAML template with short function forms and policies as JSON text', () => {
  const text = `AWSTemplateFormatVersion: "2010-09-09"
Parameters: { ClusterName: { Type: String } }
Resources:
  NodeRole:
    Type: AWS::IAM::Role
    Properties: { RoleName: !Sub "KarpenterNodeRole-\${ClusterName}" }
  Policy:
    Type: AWS::IAM::ManagedPolicy
    Properties:
      PolicyDocument: !Sub |
        { "Statement": [{ "Effect": "Allow", "Resource": "\${NodeRole.Arn}", "Action": "iam:PassRole",
          "Condition": { "StringEquals": { "aws:RequestTag/kubernetes.io/cluster/\${ClusterName}": "owned" } } }] }
  Queue: { Type: AWS::SQS::Queue, Properties: { QueueName: !Ref ClusterName } }
  Rule:
    Type: AWS::Events::Rule
    Properties: { EventPattern: { source: [aws.ec2] }, Targets: [{ Id: x, Arn: !GetAtt Queue.Arn }] }
`;
  const { aws, problems } = readManifests([{ path: 'cloudformation.yaml', text }]);
  expect(problems).toEqual([]);
  const [statement] = aws.policies[0].statements!;
  expect(statement.resources).toEqual([aws.roles[0].arn]);
  expect(statement.conditions.map(({ key }) => readable(key))).toEqual([
    'aws:RequestTag/kubernetes.io/cluster/<cloudformation/ClusterName>',
  ]);
  expect(aws.eventRules[0].targets).toEqual([aws.queues[0].arn]);
});
