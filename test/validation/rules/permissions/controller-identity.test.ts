import { controllerPolicies } from '../../../../src/contract';
import { controllerPolicyMissingAction } from '../../../../src/validation/rules/permissions/controller-policy-missing-action';
import { controllerPolicyTooBroad } from '../../../../src/validation/rules/permissions/controller-policy-too-broad';
import { roleNameOrPolicyTooLong } from '../../../../src/validation/rules/permissions/role-name-or-policy-too-long';
import { serviceAccountTrustMismatch } from '../../../../src/validation/rules/permissions/service-account-trust-mismatch';
import { judge, judgeStack, nodeClass, nodePool } from '../judge';
import { applied, association, chart, CONTROLLER_SERVICE, get, OPEN, role, statement } from '../stack';

const CHART = 'Custom::AWSCDK-EKS-HelmChart/Karpenter';
const SUBJECT = {
  partition: 'aws',
  region: 'eu-west-1',
  account: '123456789012',
  clusterName: 'prod',
  nodeRoles: ['arn:aws:iam::123456789012:role/KarpenterNodeRole'],
  interruptionQueue: 'arn:aws:sqs:eu-west-1:123456789012:prod',
};
const KARPENTER = { Karpenter: chart({ settings: { clusterName: 'prod' } }), Identity: association('Role') };
const NODE_POLICIES = ['AmazonEKSWorkerNodePolicy', 'AmazonEC2ContainerRegistryPullOnly', 'AmazonEKS_CNI_Policy'].map(
  (name) => `arn:aws:iam::aws:policy/${name}`,
);
const nodeRole = (properties: object = { ManagedPolicyArns: NODE_POLICIES }) =>
  role('ec2.amazonaws.com', [], properties);

/** A template resource that applies a node class with this role. */
const classResource = (roleName: unknown = { Ref: 'NodeRole' }) =>
  applied([JSON.parse(nodeClass('default', { role: roleName }))]);

/** The statements of Karpenter's own policies. */
function upstream(karpenterVersion: string): object[] {
  return controllerPolicies(SUBJECT, { karpenterVersion }).flatMap(({ statements }) => statements);
}

describe('KARP-601 controller-policy-missing-action', () => {
  const rule = controllerPolicyMissingAction;
  const withPolicies = (version: string, properties: object = {}) => ({
    ...KARPENTER,
    Karpenter: chart({}, { version: '1.12.0' }),
    Role: role(CONTROLLER_SERVICE, upstream(version), properties),
  });

  test("passes with Karpenter's own policies of the version", () => {
    expect(judgeStack(rule, withPolicies('1.12.0'), [nodeClass()]).states).toEqual(['pass AWS::IAM::Role/Role']);
  });

  test('fails with the policies of an older version and lists the missing actions', () => {
    const [{ message }] = judgeStack(rule, withPolicies('1.6.0'), [nodeClass()]).findings;
    expect(message).toContain('lacks 2 permissions that Karpenter 1.12.0 needs');
    expect(message).toContain('ec2:DescribeInstanceStatus and iam:ListInstanceProfiles');
  });

  test.each<[string, object]>([
    ['a role of the service account karpenter', { Role: role(CONTROLLER_SERVICE, []), Identity: association('Role') }],
    ['no role of the templates', {}],
  ])('names iam:PassRole if it is missing in a policy of %s, without a controller', (_, others) => {
    const withoutPassRole = upstream('1.0.0').filter((item: any) => !item.Action.includes('iam:PassRole'));
    const stack = (statements: object[]) => ({
      ...others,
      Policy: {
        Type: 'AWS::IAM::ManagedPolicy',
        Properties: {
          PolicyDocument: { Statement: statements },
          ...('Role' in others ? { Roles: [{ Ref: 'Role' }] } : {}),
        },
      },
    });
    const [{ remedy, evidence }] = judgeStack(rule, stack(withoutPassRole), [nodeClass()]).findings;
    expect(evidence.missing).toEqual(['iam:PassRole']);
    expect(remedy).toContain('allow iam:PassRole on the ARN of the role of the nodes');
    expect(judgeStack(rule, stack(upstream('1.0.0')), [nodeClass()]).findings).toEqual([]);
  });

  test.each([
    ['karpenter.sh/nodepool', 'karpenter.sh/provisioner-name'],
    ['karpenter.sh/nodepool', 'karpenter.sh/nodpool'],
    ['eks:eks-cluster-name', 'karpenter.sh/managed-by'],
  ])('names the condition that wants another tag than %s: %s', (tag, written) => {
    const text = JSON.stringify(upstream('1.12.0')).replaceAll(`RequestTag/${tag}`, `RequestTag/${written}`);
    const stack = { ...withPolicies('1.12.0'), Role: role(CONTROLLER_SERVICE, JSON.parse(text)) };
    const judged = (fields: object) =>
      judgeStack(rule, stack, [nodeClass('default', fields), nodePool('core')]).findings;
    expect(judged({})).toMatchObject([
      {
        remedy: `write ${tag} instead of ${written} in the condition`,
        evidence: {
          actions: expect.arrayContaining(['ec2:RunInstances', 'ec2:CreateFleet', 'ec2:CreateLaunchTemplate']),
        },
      },
    ]);
    expect(judged({ tags: { [written]: 'x' } })).toEqual([]);
  });

  test('names an account in the ARN of public parameters, which belong to none', () => {
    const text = JSON.stringify(upstream('1.12.0'));
    const withAccount = text.replaceAll('::parameter/aws/service', ':111122223333:parameter/aws/service');
    expect(withAccount).not.toBe(text);
    const stack = (statements: object[]) => ({ ...withPolicies('1.12.0'), Role: role(CONTROLLER_SERVICE, statements) });
    const { findings } = judgeStack(rule, stack(JSON.parse(withAccount)), [nodeClass()]);
    expect(findings.map(({ message }) => message)).toEqual([
      expect.stringContaining('with an account id in the ARN, but these parameters belong to no account'),
    ]);
    const all = { Effect: 'Allow', Action: 'ssm:GetParameter', Resource: '*' };
    expect(judgeStack(rule, stack([...JSON.parse(withAccount), all]), [nodeClass()]).findings).toEqual([]);
  });

  const judgedWith = (statements: object[], documents = [nodeClass(), nodePool('core')]) =>
    judgeStack(rule, { ...withPolicies('1.12.0'), Role: role(CONTROLLER_SERVICE, statements) }, documents).findings;
  const edited = (sid: string, edit: (statement: any) => object) =>
    upstream('1.12.0').map((item: any) => (item.Sid === sid ? edit(item) : item));
  const withoutType = (type: string) =>
    JSON.parse(JSON.stringify(upstream('1.12.0')).replaceAll(`:${type}/*`, ':fpga-image/*'));
  const TAGGED = 'AllowScopedEC2InstanceActionsWithTags';

  test.each<[string, object[], string, string]>([
    [
      'ec2:CreateFleet on what it creates',
      edited(TAGGED, (item) => ({ ...item, Action: ['ec2:RunInstances', 'ec2:CreateLaunchTemplate'] })),
      'ec2:CreateFleet on fleet, instance and volume',
      `add ec2:CreateFleet to the actions of statement ${TAGGED}`,
    ],
    [
      'ec2:RunInstances on what it creates',
      edited(TAGGED, (item) => ({ ...item, Action: ['ec2:CreateFleet', 'ec2:CreateLaunchTemplate'] })),
      'ec2:RunInstances on instance, volume, network-interface and spot-instances-request',
      `add ec2:RunInstances to the actions of statement ${TAGGED}`,
    ],
    [
      'network interfaces',
      withoutType('network-interface'),
      'ec2:RunInstances and ec2:CreateTags on network-interface',
      `add arn:aws:ec2:*:*:network-interface/* to the resources of statements ${TAGGED} and AllowScopedResourceCreationTagging`,
    ],
    [
      'images',
      withoutType('image'),
      'ec2:RunInstances and ec2:CreateFleet on image',
      'add arn:aws:ec2:*::image/* to the resources of statement AllowScopedEC2InstanceAccessActions',
    ],
    [
      'launch templates that exist',
      upstream('1.12.0').filter((item: any) => item.Sid !== 'AllowScopedEC2LaunchTemplateAccessActions'),
      'allow ec2:RunInstances and ec2:CreateFleet on launch-template only with tags that the call does not have',
      'in a statement without a condition on aws:RequestTag',
    ],
    [
      'instances that it terminates',
      edited('AllowScopedDeletion', (item) => ({ ...item, Resource: 'arn:aws:ec2:*:*:launch-template/*' })),
      'ec2:TerminateInstances on instance',
      'add arn:aws:ec2:*:*:instance/* to the resources of statement AllowScopedDeletion',
    ],
  ])('names the resource types of EC2 that a policy leaves out: %s', (_, statements, message, remedy) => {
    const findings = judgedWith(statements);
    expect(findings.map((finding) => finding.message)).toEqual([expect.stringContaining(message)]);
    expect(findings[0].remedy).toContain(remedy);
  });

  test('needs no resource type that Karpenter does not use, and believes resources that are known only at deployment', () => {
    const onDemand = { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['on-demand'] };
    const documents = [nodeClass(), nodePool('core', { requirements: [onDemand] })];
    expect(judgedWith(withoutType('spot-instances-request'), documents)).toEqual([]);
    expect(judgedWith(withoutType('snapshot'))).toEqual([]);
    expect(judgedWith(edited('AllowScopedEC2InstanceAccessActions', (item) => ({ ...item, Resource: OPEN })))).toEqual(
      [],
    );
    expect(
      judgedWith([...withoutType('volume'), statement(['ec2:*'], 'arn:aws:ec2:eu-west-1:123456789012:*')]),
    ).toEqual([]);
  });

  test("fails with the policies of another cluster, whose conditions Karpenter's requests do not meet", () => {
    const statements = controllerPolicies(
      { ...SUBJECT, clusterName: 'staging' },
      { karpenterVersion: '1.12.0' },
    ).flatMap((policy) => policy.statements);
    const [{ message, remedy, evidence }] = judgeStack(
      rule,
      { ...KARPENTER, Role: role(CONTROLLER_SERVICE, statements) },
      [nodeClass()],
    ).findings;
    expect(evidence.missing).toEqual(
      expect.arrayContaining([
        'ec2:CreateLaunchTemplate',
        'ec2:TerminateInstances',
        'eks:DescribeCluster',
        'iam:CreateInstanceProfile',
      ]),
    );
    expect(evidence.missing).not.toContain('ec2:DescribeSubnets');
    expect(message).toContain(
      '; some of its statements are limited to cluster staging, but Karpenter runs for cluster prod',
    );
    expect(remedy).toBe('write cluster prod in the conditions and resources of its policies');
  });

  test.each<[string, object]>([
    [
      'another tag value than Karpenter writes',
      { StringEquals: { 'aws:ResourceTag/kubernetes.io/cluster/prod': 'true' } },
    ],
    ['another cluster as the tag value', { StringLike: { 'aws:ResourceTag/eks:eks-cluster-name': 'staging-*' } }],
  ])('fails if the condition on deletion has %s', (_, condition) => {
    const statements = upstream('1.12.0').map((item: any) =>
      item.Sid === 'AllowScopedDeletion' ? { ...item, Condition: condition } : item,
    );
    expect(
      judgeStack(rule, { ...KARPENTER, Role: role(CONTROLLER_SERVICE, statements) }, [nodeClass()]).findings[0].evidence
        .missing,
    ).toEqual(['ec2:DeleteLaunchTemplate', 'ec2:TerminateInstances']);
  });

  test('passes with statements for several clusters and with conditions that the rule does not evaluate', () => {
    const other = controllerPolicies({ ...SUBJECT, clusterName: 'staging' }, { karpenterVersion: '1.12.0' }).flatMap(
      (policy) => policy.statements,
    );
    const states = (statements: object[]) =>
      judgeStack(rule, { ...KARPENTER, Role: role(CONTROLLER_SERVICE, statements) }, [nodeClass()]).states;
    expect(states([...other, ...upstream('1.12.0')])).toEqual(['pass AWS::IAM::Role/Role']);
    const conditions = [
      { StringEqualsIfExists: { 'aws:ResourceTag/eks:eks-cluster-name': 'staging' } },
      { StringEquals: { 'aws:PrincipalTag/team': 'x' } },
    ];
    for (const Condition of conditions)
      expect(states(upstream('1.12.0').map((item: any) => ({ ...item, Condition })))).toEqual([
        'pass AWS::IAM::Role/Role',
      ]);
  });

  test('requires no instance profile permissions if node classes name an instance profile', () => {
    const statements = upstream('1.12.0').filter(({ Sid }: any) => !Sid.startsWith('AllowScopedInstanceProfile'));
    const resources = { ...KARPENTER, Role: role(CONTROLLER_SERVICE, statements) };
    expect(
      judgeStack(rule, resources, [nodeClass('default', { role: undefined, instanceProfile: 'mine' })]).states,
    ).toEqual(['pass AWS::IAM::Role/Role']);
    expect(judgeStack(rule, resources, [nodeClass()]).findings[0].evidence.missing).toContain(
      'iam:CreateInstanceProfile',
    );
  });

  test.each<[string, Record<string, boolean>, string]>([
    ['not with NodeRepair only', { NodeRepair: true }, 'pass'],
    ['not with RebootForRepair only', { RebootForRepair: true }, 'pass'],
    ['with both feature gates', { NodeRepair: true, RebootForRepair: true }, 'fail'],
  ])('requires ec2:RebootInstances %s', (_, featureGates, state) => {
    const statements = JSON.parse(JSON.stringify(upstream('1.15.1')).replace(/"ec2:RebootInstances",/g, ''));
    const resources = {
      ...KARPENTER,
      Karpenter: chart({}, { version: '1.15.1' }),
      Role: role(CONTROLLER_SERVICE, statements),
    };
    expect(judgeStack(rule, resources, [nodeClass()], { featureGates }).states).toEqual([
      `${state} AWS::IAM::Role/Role`,
    ]);
  });

  test('passes with a policy for one region and narrower resources', () => {
    const statements = JSON.parse(JSON.stringify(upstream('1.12.0')).replace(/subnet\/\*/g, 'subnet/subnet-1'));
    expect(
      judgeStack(rule, { ...KARPENTER, Role: role(CONTROLLER_SERVICE, statements) }, [nodeClass()]).states,
    ).toEqual(['pass AWS::IAM::Role/Role']);
  });

  test('does not apply if the role is not in the templates', () => {
    expect(judgeStack(rule, { Karpenter: chart() }, [nodeClass()]).outcomes).toEqual([]);
  });

  test('is not evaluated if a policy is not in the templates', () => {
    expect(
      judgeStack(rule, withPolicies('1.6.0', { ManagedPolicyArns: ['arn:aws:iam::1:policy/more'] }), [nodeClass()])
        .states,
    ).toEqual(['not-evaluated AWS::IAM::Role/Role']);
  });
});

describe('KARP-606 service-account-trust-mismatch', () => {
  const rule = serviceAccountTrustMismatch;
  const CREATES = [statement(['ec2:CreateFleet'])];
  const podIdentity = { Karpenter: chart(), Role: role(CONTROLLER_SERVICE, CREATES), Identity: association('Role') };
  const irsa = (condition: object, principal: object = { Federated: 'arn:aws:iam::1:oidc-provider/oidc.eks' }) => ({
    Karpenter: chart({ serviceAccount: { annotations: { 'eks.amazonaws.com/role-arn': get('Role', 'Arn') } } }),
    Role: {
      Type: 'AWS::IAM::Role',
      Properties: {
        AssumeRolePolicyDocument: {
          Statement: [statement('sts:AssumeRoleWithWebIdentity', undefined, { principal, condition })],
        },
      },
    },
  });
  const trusts = (subject: string) =>
    irsa({ StringEquals: { 'oidc.eks:sub': subject, 'oidc.eks:aud': 'sts.amazonaws.com' } });

  test.each<[string, object]>([
    ['an association of EKS Pod Identity', podIdentity],
    ['a trust policy for its service account', trusts('system:serviceaccount:kube-system:karpenter')],
    [
      'a trust policy for every service account of the cluster',
      irsa({ StringEquals: { 'oidc.eks:aud': 'sts.amazonaws.com' } }),
    ],
    ['a trust policy with a wildcard', irsa({ StringLike: { 'oidc.eks:sub': 'system:serviceaccount:*:karpenter' } })],
  ])('passes with %s', (_, resources) => {
    expect(judgeStack(rule, resources).states).toEqual([`pass ${CHART}`]);
  });

  test.each<[string, object, string]>([
    [
      'an association with another namespace',
      { ...podIdentity, Identity: association('Role', 'karpenter', 'karpenter') },
      'its role is associated with karpenter/karpenter',
    ],
    [
      'a trust policy without sts:TagSession',
      {
        ...podIdentity,
        Role: {
          Type: 'AWS::IAM::Role',
          Properties: {
            AssumeRolePolicyDocument: {
              Statement: [statement('sts:AssumeRole', undefined, { principal: { Service: CONTROLLER_SERVICE } })],
            },
          },
        },
      },
      'does not allow sts:TagSession',
    ],
    [
      'a trust policy for another service account',
      trusts('system:serviceaccount:karpenter:karpenter'),
      'its trust policy allows only system:serviceaccount:karpenter:karpenter',
    ],
    [
      'another audience',
      irsa({
        StringEquals: { 'oidc.eks:sub': 'system:serviceaccount:kube-system:karpenter', 'oidc.eks:aud': 'other' },
      }),
      'its trust policy requires the audience other',
    ],
    ['a role for EC2', { ...irsa({}), Role: nodeRole() }, 'its trust policy allows no service account'],
    [
      'Pod Identity on Fargate',
      {
        ...podIdentity,
        Fargate: {
          Type: 'AWS::EKS::FargateProfile',
          Properties: { ClusterName: 'prod', Selectors: [{ Namespace: 'kube-system' }] },
        },
      },
      'runs on Fargate',
    ],
  ])('fails with %s', (_, resources, message) => {
    expect(judgeStack(rule, resources).findings[0].message).toContain(message);
  });

  test('fails if the chart and a manifest create the same service account', () => {
    const account = applied([
      { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'karpenter', namespace: 'kube-system' } },
    ]);
    expect(judgeStack(rule, { ...podIdentity, Account: account }).findings[0].message).toContain(
      'which another manifest also creates',
    );
    expect(
      judgeStack(rule, {
        ...podIdentity,
        Account: account,
        Karpenter: chart({ serviceAccount: { create: false, name: 'karpenter' } }),
      }).states,
    ).toEqual([`pass ${CHART}`]);
  });

  test('does not apply without a chart', () => {
    expect(judgeStack(rule, { Role: role(CONTROLLER_SERVICE) }).outcomes).toEqual([]);
  });

  test.each<[string, object, string]>([
    [
      'values that are known only at deployment',
      {
        Karpenter: {
          Type: 'Custom::AWSCDK-EKS-HelmChart',
          Properties: { ClusterName: 'prod', Chart: 'karpenter', Values: OPEN },
        },
      },
      'its values',
    ],
    ['no role in the input', { Karpenter: chart() }, 'the templates do not show how'],
    [
      'a role outside the templates',
      { Karpenter: chart({ serviceAccount: { annotations: { 'eks.amazonaws.com/role-arn': OPEN } } }) },
      'is not in the templates',
    ],
  ])('is not evaluated with %s', (_, resources, why) => {
    expect(judgeStack(rule, resources).whys[0]).toContain(why);
  });
});

describe('KARP-608 role-name-or-policy-too-long', () => {
  const rule = roleNameOrPolicyTooLong;
  const named = (name: unknown) => ({ NodeRole: nodeRole({ RoleName: name }) });
  const policy = (characters: number) => ({
    Policy: {
      Type: 'AWS::IAM::ManagedPolicy',
      Properties: { PolicyDocument: { Statement: [statement('ec2:RunInstances', 'x'.repeat(characters))] } },
    },
  });

  test('passes with names and policies within AWS limits', () => {
    const { states } = judgeStack(rule, { ...named('KarpenterNodeRole-prod'), ...policy(6000) });
    expect(states).toEqual(['pass AWS::IAM::Role/NodeRole', 'pass AWS::IAM::ManagedPolicy/Policy']);
  });

  test.each<[string, object, string]>([
    ['a role', named(`KarpenterNodeRole-${'c'.repeat(47)}`), 'at most 64 characters, got 65'],
    [
      'a queue',
      { Queue: { Type: 'AWS::SQS::Queue', Properties: { QueueName: 'q'.repeat(81) } } },
      'at most 80 characters, got 81',
    ],
    ['a managed policy', policy(6144), 'at most 6144 characters'],
    [
      'the inline policies of a role together',
      { Role: role('x', [statement('a', 'x'.repeat(6000)), statement('b', 'x'.repeat(6000))]) },
      'at most 10240 characters',
    ],
    [
      'a name that is too long in the region with the longest name',
      named({ 'Fn::Sub': `${'n'.repeat(51)}\${AWS::Region}` }),
      'got 65',
    ],
  ])('fails with too long a text: %s', (_, resources, message) => {
    expect(judgeStack(rule, resources).findings[0].message).toContain(message);
  });

  test('does not count the white space of a policy', () => {
    const text = JSON.stringify({ Statement: [statement('ec2:RunInstances', 'x')] }, undefined, 1).replace(
      /\n/g,
      ' '.repeat(1000),
    );
    expect(
      judgeStack(rule, { Policy: { Type: 'AWS::IAM::ManagedPolicy', Properties: { PolicyDocument: text } } }).states,
    ).toEqual(['pass AWS::IAM::ManagedPolicy/Policy']);
  });

  test('does not apply to generated names', () => {
    expect(judgeStack(rule, { NodeRole: nodeRole() }).outcomes).toEqual([]);
  });

  test("is not evaluated if the length depends on the cluster's name, and reports the length that is left", () => {
    expect(judgeStack(rule, named({ 'Fn::Sub': 'KarpenterNodeRole-${ClusterName}' })).whys[0]).toContain(
      '46 are left for it',
    );
  });
});

describe('KARP-609 controller-policy-too-broad', () => {
  const rule = controllerPolicyTooBroad;
  const setup = (...statements: object[]) => ({ ...KARPENTER, Role: role(CONTROLLER_SERVICE, statements) });

  test("passes with Karpenter's own policies", () => {
    expect(judgeStack(rule, setup(...upstream('1.12.0'))).states).toEqual(['pass AWS::IAM::Role/Role']);
  });

  test.each<[string, object, string]>([
    [
      'the termination of any instance',
      statement('ec2:TerminateInstances'),
      'can terminate any instance of the account',
    ],
    ['every action of EC2', statement('ec2:*'), 'ec2:TerminateInstances, ec2:RunInstances and ec2:CreateTags'],
    [
      'PassRole for any role',
      statement('iam:PassRole', '*', { condition: { StringEquals: { 'iam:PassedToService': 'ec2.amazonaws.com' } } }),
      'can give any role to an instance',
    ],
  ])('warns of %s', (_, broad, message) => {
    expect(judgeStack(rule, setup(broad)).findings[0].message).toContain(message);
  });

  test("warns of a node role that allows Karpenter's actions", () => {
    const resources = { NodeRole: role('ec2.amazonaws.com', [statement('ec2:RunInstances')]), Class: classResource() };
    expect(judgeStack(rule, resources).findings[0].message).toContain('is a node role but allows ec2:RunInstances');
  });

  test('does not apply if the role is not in the templates', () => {
    expect(judgeStack(rule, { Karpenter: chart() }, [nodePool('default')]).outcomes).toEqual([]);
  });

  test('is not evaluated if a resource is known only at deployment', () => {
    expect(judgeStack(rule, setup(statement('iam:PassRole', OPEN))).states).toEqual([
      'not-evaluated AWS::IAM::Role/Role',
    ]);
  });
});

describe('KARP-606 service-account-trust-mismatch, with a file of eksctl', () => {
  const ROLE = 'arn:aws:iam::111122223333:role/demo-karpenter';
  const release = (serviceAccount?: object) =>
    JSON.stringify({
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { name: 'karpenter' },
      spec: {
        destination: { namespace: 'kube-system' },
        source: {
          repoURL: 'public.ecr.aws/karpenter',
          chart: 'karpenter',
          targetRevision: '1.8.1',
          helm: { releaseName: 'karpenter', valuesObject: { settings: { clusterName: 'demo' }, serviceAccount } },
        },
      },
    });
  const found = (iam: object, serviceAccount?: object) =>
    judge(serviceAccountTrustMismatch, [
      nodeClass(),
      release(serviceAccount),
      JSON.stringify({ apiVersion: 'eksctl.io/v1alpha5', kind: 'ClusterConfig', metadata: { name: 'demo' }, iam }),
    ]).findings.map(({ path, remedy, fix }) => [path.join('.'), remedy, fix?.edits.length ?? 0]);
  const associated = (namespace: string, serviceAccountName: string) => ({
    podIdentityAssociations: [
      { namespace, serviceAccountName, roleName: 'demo-karpenter' },
      { namespace: 'dns', serviceAccountName: 'external-dns' },
    ],
  });
  const account = (namespace: string, more: object = { roleOnly: true }) => ({
    serviceAccounts: [{ metadata: { name: 'karpenter', namespace }, roleName: 'demo-karpenter', ...more }],
  });
  const annotated = (arn: string) => ({ annotations: { 'eks.amazonaws.com/role-arn': arn } });

  test('fails at the association or the account with another namespace or name', () => {
    expect(found(associated('karpenter', 'karpenter'))).toEqual([
      ['iam.podIdentityAssociations.0.namespace', 'write namespace: kube-system', 1],
    ]);
    expect(found(associated('karpenter', 'controller'), { name: 'other' })).toEqual([
      ['iam.podIdentityAssociations.0.namespace', 'write namespace: kube-system and serviceAccountName: other', 2],
    ]);
    expect(found(account('karpenter'), annotated(ROLE))).toEqual([
      ['iam.serviceAccounts.0.metadata.namespace', 'write namespace: kube-system', 1],
    ]);
  });

  test('fails if the chart lacks the annotation, or names another role', () => {
    const remedy = expect.stringContaining('role/demo-karpenter in serviceAccount.annotations');
    expect(found(account('kube-system'))).toMatchObject([[expect.stringMatching(/serviceAccount$/), remedy, 0]]);
    expect(found(account('kube-system'), annotated(`${ROLE}-2`))).toMatchObject([[expect.anything(), remedy, 0]]);
  });

  test('says nothing about accounts that are right, that are not the only ones, or that are unknown', () => {
    for (const [iam, serviceAccount] of [
      [associated('kube-system', 'karpenter')],
      [account('kube-system'), annotated(ROLE)],
      [account('kube-system', {})],
      [associated('${NAMESPACE}', 'karpenter')],
      [associated('karpenter', 'karpenter'), annotated('arn:aws:iam::111122223333:role/another')],
      [{ ...associated('karpenter', 'karpenter'), ...account('other') }],
    ] as const)
      expect(found(iam, serviceAccount)).toEqual([]);
  });
});
