import { controllerRoleUsedAsNodeRole } from '../../../../src/validation/rules/permissions/controller-role-used-as-node-role';
import { nodeRoleNotAuthorisedToJoin } from '../../../../src/validation/rules/permissions/node-role-not-authorised-to-join';
import { nodeRoleSharedWithNodeGroup } from '../../../../src/validation/rules/permissions/node-role-shared-with-node-group';
import { passRoleWrongRole } from '../../../../src/validation/rules/permissions/pass-role-wrong-role';
import { judge, judgeStack, nodeClass } from '../judge';
import { applied, association, chart, CONTROLLER_SERVICE, get, OPEN, role, statement } from '../stack';

const KARPENTER = { Karpenter: chart({ settings: { clusterName: 'prod' } }), Identity: association('Role') };
const NODE_POLICIES = ['AmazonEKSWorkerNodePolicy', 'AmazonEC2ContainerRegistryPullOnly', 'AmazonEKS_CNI_Policy'].map(
  (name) => `arn:aws:iam::aws:policy/${name}`,
);
const nodeRole = (properties: object = { ManagedPolicyArns: NODE_POLICIES }) =>
  role('ec2.amazonaws.com', [], properties);

/** A template resource that applies a node class with this role. */
const classResource = (roleName: unknown = { Ref: 'NodeRole' }) =>
  applied([JSON.parse(nodeClass('default', { role: roleName }))]);

describe('KARP-602 passrole-wrong-role', () => {
  const rule = passRoleWrongRole;
  const TO_EC2 = { StringEquals: { 'iam:PassedToService': ['ec2.amazonaws.com'] } };
  const passing = (resource: unknown, condition: object | undefined = TO_EC2) => ({
    ...KARPENTER,
    NodeRole: nodeRole(),
    Other: nodeRole(),
    Class: classResource(),
    Role: role(CONTROLLER_SERVICE, [statement('iam:PassRole', resource, { condition })]),
  });

  test.each<[string, object]>([
    ['the node role', passing(get('NodeRole', 'Arn'))],
    ['any role', passing('*')],
    ['the node role to any service', passing(get('NodeRole', 'Arn'), {})],
    ['a role with a literal name', { ...passing('arn:aws:iam::1:role/nodes'), Class: classResource('nodes') }],
  ])('passes if Karpenter may pass %s', (_, resources) => {
    expect(judgeStack(rule, resources).states).toEqual(['pass EC2NodeClass/default']);
  });

  test('passes if one of several statements allows to pass the role to EC2', () => {
    const toLambda = { StringEquals: { 'iam:PassedToService': 'lambda.amazonaws.com' } };
    const statements = [toLambda, TO_EC2].map((condition) =>
      statement('iam:PassRole', get('NodeRole', 'Arn'), { condition }),
    );
    expect(judgeStack(rule, { ...passing('*'), Role: role(CONTROLLER_SERVICE, statements) }).states).toEqual([
      'pass EC2NodeClass/default',
    ]);
  });

  test('fails if Karpenter may pass only another role', () => {
    expect(judgeStack(rule, passing(get('Other', 'Arn'))).findings[0].message).toContain(
      "has role NodeRole, but Karpenter's role Role may pass only",
    );
  });

  test('fails if Karpenter may pass the role only to another service', () => {
    const condition = { StringEquals: { 'iam:PassedToService': 'lambda.amazonaws.com' } };
    expect(judgeStack(rule, passing(get('NodeRole', 'Arn'), condition)).findings[0].message).toContain(
      'may pass to lambda.amazonaws.com but not to EC2',
    );
  });

  test('does not apply if Karpenter may pass no role, which KARP-601 reports', () => {
    expect(
      judgeStack(rule, { ...passing('*'), Role: role(CONTROLLER_SERVICE, [statement('ec2:*')]) }).outcomes,
    ).toEqual([]);
  });

  test('fails for a policy that the templates attach to no role, if it launches instances', () => {
    const statements = [
      statement(['ec2:CreateFleet', 'ec2:RunInstances', 'iam:AddRoleToInstanceProfile']),
      statement('iam:PassRole', 'arn:aws:iam::1:role/KarpenterNodeRole-*', { condition: TO_EC2 }),
    ];
    const policy = (items: object[]) => ({
      Policy: { Type: 'AWS::IAM::ManagedPolicy', Properties: { PolicyDocument: { Statement: items } } },
      Class: classResource('eks-prod-nodes'),
    });
    expect(judgeStack(rule, policy(statements)).findings[0].message).toBe(
      "has role eks-prod-nodes, but Karpenter's policy Policy may pass only arn:aws:iam::1:role/KarpenterNodeRole-*: every launch fails",
    );
    expect(judgeStack(rule, policy(statements.slice(1))).outcomes).toEqual([]);
    expect(judgeStack(rule, { ...policy(statements), Class: classResource('KarpenterNodeRole-a') }).states).toEqual([
      'pass EC2NodeClass/default',
    ]);
  });

  test('is not evaluated if the role has another policy that the templates do not contain', () => {
    const properties = { ManagedPolicyArns: ['arn:aws:iam::111122223333:policy/karpenter-more'] };
    const statements = [statement('iam:PassRole', get('Other', 'Arn'), { condition: TO_EC2 })];
    const resources = { ...passing('*'), Role: role(CONTROLLER_SERVICE, statements, properties) };
    expect(judgeStack(rule, resources).states).toEqual(['not-evaluated EC2NodeClass/default']);
  });

  test('compares the name of the role if its account is known only at deployment', () => {
    const named = (name: string) => ({
      ...passing('arn:aws:iam::111122223333:role/KarpenterNodeRole-*'),
      NodeRole: role('ec2.amazonaws.com', [], { RoleName: name }),
    });
    expect(judgeStack(rule, named('eks-prod-nodes')).states).toEqual(['fail EC2NodeClass/default']);
    expect(judgeStack(rule, named('KarpenterNodeRole-prod')).states).toEqual(['pass EC2NodeClass/default']);
  });

  test('is not evaluated if the role is known only at deployment', () => {
    expect(judgeStack(rule, { ...passing('arn:aws:iam::1:role/nodes'), Class: classResource(OPEN) }).states).toEqual([
      'not-evaluated EC2NodeClass/default',
    ]);
  });
});

describe('KARP-603 controller-role-used-as-node-role', () => {
  const rule = controllerRoleUsedAsNodeRole;
  const withNodeRole = (resource: object, roleName?: unknown) => ({
    ...KARPENTER,
    Role: role(CONTROLLER_SERVICE),
    NodeRole: resource,
    Class: classResource(roleName),
  });
  const without = (name: string) => nodeRole({ ManagedPolicyArns: NODE_POLICIES.filter((arn) => !arn.endsWith(name)) });

  test('passes with a role that EC2 may assume and that has the node policies', () => {
    expect(judgeStack(rule, withNodeRole(nodeRole())).states).toEqual(['pass EC2NodeClass/default']);
  });

  test('compares the service of a trust policy whose domain is known only at deployment', () => {
    const trusting = (service: string) =>
      judgeStack(rule, withNodeRole(role({ 'Fn::Sub': service } as never, [], { ManagedPolicyArns: NODE_POLICIES })));
    expect(trusting('eks.${AWS::URLSuffix}').findings).toHaveLength(1);
    for (const service of ['ec2.${AWS::URLSuffix}', '${Service}']) expect(trusting(service).findings).toEqual([]);
  });

  test.each<[string, object, string]>([
    [
      'the role of the controller',
      withNodeRole(nodeRole(), { Ref: 'Role' }),
      'is the role of the Karpenter controller',
    ],
    [
      'a role that EC2 may not assume',
      withNodeRole(role('lambda.amazonaws.com', [], { ManagedPolicyArns: NODE_POLICIES })),
      'which EC2 may not assume',
    ],
    [
      'a role without the node policy',
      withNodeRole(without('AmazonEKSWorkerNodePolicy')),
      'has no policy to join a cluster',
    ],
    ['a role that may not pull images', withNodeRole(without('PullOnly')), 'has no policy to pull images'],
  ])('fails with %s', (_, resources, message) => {
    expect(judgeStack(rule, resources).findings[0].message).toContain(message);
  });

  test('is an error without the CNI policy if the templates make the cluster and its add-ons', () => {
    const add = (AddonName: string) => ({ Type: 'AWS::EKS::Addon', Properties: { ClusterName: 'prod', AddonName } });
    const cluster = { Type: 'AWS::EKS::Cluster', Properties: { Name: 'prod' } };
    const lacking = withNodeRole(without('AmazonEKS_CNI_Policy'));
    const resources = { ...lacking, Cluster: cluster, Agent: add('eks-pod-identity-agent') };
    const [finding] = judgeStack(rule, resources).findings;
    expect(finding.object).toMatchObject({ kind: 'AWS::IAM::Role' });
    expect(finding.evidence).toMatchObject({ nodeClasses: ['default'], stuckPools: [] });
    expect(finding.severity).toBeUndefined();
    expect(finding.related?.path).toEqual(['spec', 'role']);
  });

  test('warns without the CNI policy, except if the CNI has its own role', () => {
    const resources = withNodeRole(without('AmazonEKS_CNI_Policy'));
    expect(judgeStack(rule, resources).findings[0].severity).toBe('warning');
    expect(judgeStack(rule, { ...resources, Cni: association('Role', 'aws-node') }).states).toEqual([
      'pass EC2NodeClass/default',
    ]);
  });

  test.each<[string, object, string]>([
    [
      'passes if the CNI add-on has a role',
      { AddonName: 'vpc-cni', ServiceAccountRoleArn: get('Role', 'Arn') },
      'pass',
    ],
    [
      'passes if the CNI add-on has a pod identity association',
      { AddonName: 'vpc-cni', PodIdentityAssociations: [{ RoleArn: get('Role', 'Arn'), ServiceAccount: 'aws-node' }] },
      'pass',
    ],
    ['fails if the CNI add-on has neither', { AddonName: 'vpc-cni' }, 'fail'],
    [
      'fails if only another add-on has a role',
      { AddonName: 'aws-ebs-csi-driver', ServiceAccountRoleArn: get('Role', 'Arn') },
      'fail',
    ],
  ])('%s', (_, properties, state) => {
    const addon = { Type: 'AWS::EKS::Addon', Properties: { ClusterName: 'prod', ...properties } };
    expect(judgeStack(rule, { ...withNodeRole(without('AmazonEKS_CNI_Policy')), Addon: addon }).states).toEqual([
      `${state} ${state === 'fail' ? 'AWS::IAM::Role/NodeRole' : 'EC2NodeClass/default'}`,
    ]);
  });

  test('does not apply to manifests without templates', () => {
    expect(judge(rule, [nodeClass()]).outcomes).toEqual([]);
  });

  test.each<[string, object, string]>([
    [
      'a role that is not in the templates',
      withNodeRole(nodeRole(), 'elsewhere'),
      'role elsewhere is not in the templates',
    ],
    ['a role that is known only at deployment', withNodeRole(nodeRole(), OPEN), 'known only at deployment'],
    [
      'customer policies',
      withNodeRole(nodeRole({ ManagedPolicyArns: ['arn:aws:iam::1:policy/nodes'] })),
      'customer policies',
    ],
  ])('is not evaluated with %s', (_, resources, why) => {
    expect(judgeStack(rule, resources).whys[0]).toContain(why);
  });
});

describe('KARP-604 node-role-not-authorised-to-join', () => {
  const rule = nodeRoleNotAuthorisedToJoin;
  const cluster = (mode?: string) => ({
    Type: 'AWS::EKS::Cluster',
    Properties: { Name: 'prod', AccessConfig: mode === undefined ? undefined : { AuthenticationMode: mode } },
  });
  const entry = (type?: string) => ({
    Type: 'AWS::EKS::AccessEntry',
    Properties: { ClusterName: 'prod', PrincipalArn: get('NodeRole', 'Arn'), Type: type },
  });
  const setup = (parts: object) => ({ NodeRole: nodeRole(), Class: classResource(), ...parts });
  const awsAuth = (groups: string[], arn = '${NodeRole.Arn}') =>
    applied([
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'aws-auth', namespace: 'kube-system' },
        data: {
          mapRoles: { 'Fn::Sub': `[{"rolearn":"${arn}","groups":${JSON.stringify(groups)}}]`.replace(/"/g, '\\"') },
        },
      },
    ]);
  const GROUPS = ['system:bootstrappers', 'system:nodes'];
  const inPath = (resource: any) => ({ ...resource, Properties: { ...resource.Properties, Path: '/platform/' } });

  test('fails if the role differs from that of the templates by a typing error', () => {
    const named = (RoleName: unknown, service = 'ec2.amazonaws.com') => ({ NodeRole: role(service, [], { RoleName }) });
    const judged = (own: string, resources: object) =>
      judgeStack(nodeRoleNotAuthorisedToJoin, resources, [nodeClass('default', { role: own })]).findings;
    expect(judged('KarpenterNodeRole-orchard', named('KarpenterNodeRole-ochard'))).toMatchObject([
      {
        path: ['spec', 'role'],
        remedy: 'write KarpenterNodeRole-ochard, or name the role KarpenterNodeRole-orchard',
        related: { object: { name: 'NodeRole' }, path: ['Properties', 'RoleName'] },
      },
    ]);
    expect(judged('karpenter-noderole', named('karpenter-node-role'))).toHaveLength(1);
    for (const [own, resources] of [
      ['nodes-b', named('nodes-a')],
      ['nodes-prod', named('nodes-pro')],
      ['nodes-1', named('nodes-2')],
      ['nodes-orchard', named('nodes-ochard', 'pods.eks.amazonaws.com')],
      ['nodes-orchard', named(OPEN)],
      ['nodes-orchard', named(undefined)],
    ] as const)
      expect(judged(own, resources)).toEqual([]);
  });

  test.each<[string, object]>([
    ['an access entry for nodes', setup({ Cluster: cluster('API'), Entry: entry('EC2_LINUX') })],
    ['a mapping in aws-auth', setup({ Cluster: cluster(), Auth: awsAuth(GROUPS) })],
    [
      'a mapping in aws-auth among other ConfigMaps of the same namespace or name',
      setup({
        Others: applied([
          { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'coredns', namespace: 'kube-system' }, data: {} },
          { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'aws-auth', namespace: 'default' }, data: {} },
        ]),
        Cluster: cluster(),
        Auth: awsAuth(GROUPS),
      }),
    ],
    [
      'a mapping without the path of the role',
      setup({
        Cluster: cluster(),
        NodeRole: inPath(nodeRole()),
        Auth: awsAuth(GROUPS, 'arn:${AWS::Partition}:iam::${AWS::AccountId}:role/${NodeRole}'),
      }),
    ],
    [
      'the access entry that EKS creates for a node group',
      setup({
        Cluster: cluster('API'),
        Group: { Type: 'AWS::EKS::Nodegroup', Properties: { ClusterName: 'prod', NodeRole: get('NodeRole', 'Arn') } },
      }),
    ],
  ])('passes with %s', (_, resources) => {
    expect(judgeStack(rule, resources).states).toEqual(['pass EC2NodeClass/default']);
  });

  test('fails with a standard access entry, at its type', () => {
    const { states, findings } = judgeStack(rule, setup({ Cluster: cluster('API'), Entry: entry() }));
    expect(states).toEqual(['fail AWS::EKS::AccessEntry/Entry']);
    expect(findings[0].message).toContain('is STANDARD, but nodes of EC2NodeClass default need EC2_LINUX');
  });

  test('reports a standard access entry once for all node classes with its role', () => {
    const other = applied([JSON.parse(nodeClass('gpu', { role: { Ref: 'NodeRole' } }))]);
    const { states, findings } = judgeStack(rule, setup({ Cluster: cluster('API'), Entry: entry(), Other: other }));
    expect(states).toEqual(['fail AWS::EKS::AccessEntry/Entry']);
    expect(findings[0].message).toContain('nodes of EC2NodeClasses default and gpu need EC2_LINUX');
  });

  const ofImage = (fields: object) =>
    applied([JSON.parse(nodeClass('default', { role: { Ref: 'NodeRole' }, ...fields }))]);
  const windows = ofImage({ amiSelectorTerms: [{ alias: 'windows2022@latest' }] });

  test.each<[string, object]>([
    ['a custom AMI', { amiFamily: 'Custom', amiSelectorTerms: [{ id: 'ami-0123456789abcdef0' }] }],
    ['an alias that is known only at deployment', { amiSelectorTerms: [{ alias: OPEN }] }],
  ])('is not evaluated with a Windows access entry and %s, and fails with a standard entry', (_, image) => {
    const states = (type?: string) =>
      judgeStack(rule, setup({ Cluster: cluster('API'), Entry: entry(type), Class: ofImage(image) })).states;
    expect([states('EC2_WINDOWS'), states('EC2_LINUX'), states()].flat()).toEqual([
      'not-evaluated EC2NodeClass/default',
      'pass EC2NodeClass/default',
      'fail AWS::EKS::AccessEntry/Entry',
    ]);
  });

  test('fails with a Linux mapping if the nodes run Windows', () => {
    const mapped = (groups: string[]) =>
      judgeStack(rule, setup({ Cluster: cluster(), Auth: awsAuth(groups), Class: windows }));
    expect(mapped(GROUPS).findings[0].message).toContain('which aws-auth maps without eks:kube-proxy-windows');
    expect(mapped([...GROUPS, 'eks:kube-proxy-windows']).states).toEqual(['pass EC2NodeClass/default']);
  });

  test('fails with a Linux access entry if the nodes run Windows', () => {
    expect(
      judgeStack(rule, setup({ Cluster: cluster('API'), Entry: entry('EC2_LINUX'), Class: windows })).findings[0]
        .message,
    ).toContain('need EC2_WINDOWS');
  });

  test.each<[string, object, string]>([
    ['no access entry in mode API', setup({ Cluster: cluster('API') }), 'there is no access entry for it'],
    [
      'only a mapping in mode API',
      setup({ Cluster: cluster('API'), Auth: awsAuth(GROUPS) }),
      'there is no access entry for it',
    ],
    [
      'no mapping in aws-auth',
      setup({ Cluster: cluster(), Other: nodeRole(), Auth: awsAuth(GROUPS, '${Other.Arn}') }),
      'there is no access entry or aws-auth mapping for it',
    ],
    [
      'a mapping without its groups',
      setup({ Cluster: cluster(), Auth: awsAuth(['system:nodes']) }),
      'without system:bootstrappers',
    ],
    [
      'a mapping that includes the path of the role',
      setup({ Cluster: cluster(), Auth: awsAuth(GROUPS), NodeRole: inPath(nodeRole()) }),
      'maps by an ARN with a path',
    ],
  ])('fails with %s', (_, resources, message) => {
    expect(judgeStack(rule, resources).findings[0].message).toContain(message);
  });

  test('does not apply to manifests without templates', () => {
    expect(judge(rule, [nodeClass()]).outcomes).toEqual([]);
  });

  test.each<[string, object, string]>([
    ['a cluster that is not in the templates', setup({}), 'the cluster is not in the templates'],
    [
      'an aws-auth that is not in the templates',
      setup({ Cluster: cluster('API_AND_CONFIG_MAP') }),
      'aws-auth is not in the templates',
    ],
    [
      'a role that is not in the templates',
      setup({ Cluster: cluster('API'), Class: classResource('elsewhere') }),
      'role elsewhere is not in the templates',
    ],
    [
      'an access entry whose principal is known only at deployment',
      setup({
        Cluster: cluster('API'),
        Entry: { Type: 'AWS::EKS::AccessEntry', Properties: { ClusterName: 'prod', PrincipalArn: OPEN } },
      }),
      'known only at deployment',
    ],
  ])('is not evaluated with %s', (_, resources, why) => {
    expect(judgeStack(rule, resources).whys[0]).toContain(why);
  });
});

describe('KARP-605 node-role-shared-with-node-group', () => {
  const rule = nodeRoleSharedWithNodeGroup;
  const setup = (groupRole: string, mode?: string, roleName?: unknown) => ({
    Cluster: { Type: 'AWS::EKS::Cluster', Properties: { Name: 'prod', AccessConfig: { AuthenticationMode: mode } } },
    NodeRole: nodeRole(),
    Other: nodeRole(),
    Class: classResource(roleName),
    Group: { Type: 'AWS::EKS::Nodegroup', Properties: { ClusterName: 'prod', NodeRole: get(groupRole, 'Arn') } },
  });

  test('fails in mode CONFIG_MAP, and warns in mode API_AND_CONFIG_MAP', () => {
    const {
      findings: [finding],
    } = judgeStack(rule, setup('NodeRole', 'CONFIG_MAP'));
    expect(finding).toMatchObject({
      severity: undefined,
      message: expect.stringContaining('which node group Group also uses'),
    });
    expect(judgeStack(rule, setup('NodeRole', 'API_AND_CONFIG_MAP')).findings[0].severity).toBe('warning');
  });

  test('passes with separate roles, or in mode API', () => {
    expect(judgeStack(rule, setup('Other')).states).toEqual(['pass EC2NodeClass/default']);
    expect(judgeStack(rule, setup('NodeRole', 'API')).states).toEqual(['pass EC2NodeClass/default']);
  });

  test('does not apply without a node group', () => {
    expect(judgeStack(rule, { NodeRole: nodeRole(), Class: classResource() }).outcomes).toEqual([]);
  });

  test('is not evaluated if the role is not in the templates', () => {
    expect(judgeStack(rule, setup('NodeRole', 'CONFIG_MAP', OPEN)).states).toEqual([
      'not-evaluated EC2NodeClass/default',
    ]);
  });
});

describe('KARP-604 node-role-not-authorised-to-join, with mappings in manifests', () => {
  const arn = (name: string) => `arn:aws:iam::111122223333:role/${name}`;
  const groups = ['system:bootstrappers', 'system:nodes'];
  const eksctl = (name: string, of = groups, username = 'system:node:{{EC2PrivateDNSName}}') =>
    JSON.stringify({
      apiVersion: 'eksctl.io/v1alpha5',
      kind: 'ClusterConfig',
      metadata: { name: 'demo' },
      iamIdentityMappings: [{ arn: arn(name), username, groups: of }],
    });
  const awsAuth = (name: string) =>
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'aws-auth', namespace: 'kube-system' },
      data: { mapRoles: JSON.stringify([{ rolearn: arn(name), groups }]) },
    });
  test('fails at a user that is not the name of a node, once for all node classes', () => {
    const judged = (username: string) =>
      judge(nodeRoleNotAuthorisedToJoin, [
        nodeClass('default', { role: 'nodes' }),
        nodeClass('other', { role: 'nodes' }),
        eksctl('nodes', groups, username),
      ]).findings.map(({ path, fix }) => [path, fix?.edits]);
    const path = ['iamIdentityMappings', 0, 'username'];
    const edits = [{ operation: 'set', path, value: 'system:node:{{EC2PrivateDNSName}}' }];
    expect(judged('system:node:{{SessionName}}')).toEqual([[path, edits]]);
    expect(judged('karpenter-nodes')).toEqual([[path, edits]]);
    expect(judged('system:node:{{EC2PrivateDNSName}}')).toEqual([]);
    expect(judged('system:node:{{ .Values.user }}')).toEqual([]);
  });

  const remedies = (mapping: string, name = 'KarpenterNodeRole') =>
    judge(nodeRoleNotAuthorisedToJoin, [nodeClass('default', { role: name }), mapping]).findings.map(
      ({ remedy }) => remedy,
    );

  test.each([
    ['the file of eksctl', eksctl],
    ['aws-auth', awsAuth],
  ])('reports a misspelt role in %s', (_, mapping) => {
    expect(remedies(mapping('KarpenterNodeRoel'))).toEqual([
      `write ${arn('KarpenterNodeRole')}, or correct the role in the EC2NodeClass`,
    ]);
    expect(remedies(mapping('KarpenterNodeRole'))).toEqual([]);
    expect(remedies(mapping('managed-nodes'))).toEqual([]);
    expect(remedies(mapping('KarpenterNodeRoel'), '${ROLE}')).toEqual([]);
  });

  test('passes a mapping of a similar role that is not of nodes', () => {
    expect(remedies(eksctl('KarpenterNodeRoel', ['system:masters']))).toEqual([]);
  });
});

describe('KARP-604 node-role-not-authorised-to-join, if eksctl installs Karpenter', () => {
  const OWN = 'eksctl-KarpenterNodeRole-demo';
  const arn = (name: string) => `arn:aws:iam::111122223333:role/${name}`;
  const judged = (spec: object, cluster: object = {}, ...more: string[]) =>
    judge(nodeRoleNotAuthorisedToJoin, [
      nodeClass('default', spec),
      JSON.stringify({
        apiVersion: 'eksctl.io/v1alpha5',
        kind: 'ClusterConfig',
        metadata: { name: 'demo' },
        karpenter: { version: '1.8.1' },
        ...cluster,
      }),
      ...more,
    ]).findings;

  test('reports a role or an instance profile that eksctl does not create, and writes its own', () => {
    expect(judged({ role: 'KarpenterNodeRole-demo' })).toMatchObject([
      {
        path: ['spec', 'role'],
        severity: undefined,
        fix: { edits: [{ value: OWN }] },
        related: { object: { kind: 'ClusterConfig' }, path: ['karpenter'] },
      },
    ]);
    expect(judged({ role: 'nodes' })).toMatchObject([{ severity: 'warning' }]);
    expect(judged({ role: undefined, instanceProfile: 'KarpenterNodeInstanceProfile-demo' })).toMatchObject([
      { path: ['spec', 'instanceProfile'], fix: { edits: [{ value: 'eksctl-KarpenterNodeInstanceProfile-demo' }] } },
    ]);
  });

  test('passes the names of eksctl, mapped roles, and roles of node groups', () => {
    const mappings = [{ arn: arn('nodes'), groups: ['system:bootstrappers', 'system:nodes'] }];
    expect(judged({ role: OWN })).toEqual([]);
    expect(judged({ role: undefined, instanceProfile: 'eksctl-KarpenterNodeInstanceProfile-demo' })).toEqual([]);
    expect(judged({ role: 'nodes' }, { iamIdentityMappings: mappings })).toEqual([]);
    expect(
      judged({ role: 'nodes' }, { managedNodeGroups: [{ name: 'a', iam: { instanceRoleName: 'nodes' } }] }),
    ).toEqual([]);
    expect(judged({ role: '${ROLE}' })).toEqual([]);
    expect(judged({ role: 'nodes' }, { karpenter: undefined })).toEqual([]);
  });

  test('reports the mode API without an access entry, because eksctl maps the role in aws-auth', () => {
    const entries = [{ principalARN: arn(OWN), type: 'EC2_LINUX' }];
    expect(judged({ role: OWN }, { accessConfig: { authenticationMode: 'API' } })).toMatchObject([
      { object: { kind: 'ClusterConfig' }, fix: { edits: [{ value: 'API_AND_CONFIG_MAP' }] } },
    ]);
    expect(judged({ role: OWN }, { accessConfig: { authenticationMode: 'API', accessEntries: entries } })).toEqual([]);
    expect(judged({ role: OWN }, { accessConfig: { authenticationMode: 'API_AND_CONFIG_MAP' } })).toEqual([]);
  });
});
