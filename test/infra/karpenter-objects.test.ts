import { Stack } from 'aws-cdk-lib';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import { InstanceType } from 'aws-cdk-lib/aws-ec2';
import { MachineImageType } from 'aws-cdk-lib/aws-eks';
import { ClusterProps } from 'aws-cdk-lib/aws-eks-v2';
import { InstanceProfile, Role } from 'aws-cdk-lib/aws-iam';
import { Alias, IKey, Key } from 'aws-cdk-lib/aws-kms';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import { ApiObject, Chart, Size, Testing } from 'cdk8s';
import { newClusterV1, newClusterV2, newStack, Resource, resourcesOf } from './fixtures';
import { Karpenter, KarpenterNodeClassOptions, KarpenterProps, NodeRole } from '../../src/infra';
import {
  AmiFamily,
  AmiSelectorTerm,
  BufferedPods,
  CapacityBuffer,
  CapacityReservationSelectorTerm,
  EC2NodeClass,
  NodeIdentity,
  NodeOverlay,
  NodePool,
  OverlayPrice,
  PlacementGroupSelector,
  SecurityGroupSelectorTerm,
  SubnetSelectorTerm,
} from '../../src/nodes';

const LINUX: KarpenterNodeClassOptions = { amiSelectorTerms: [AmiSelectorTerm.al2023('v20250915')] };

const BY_TAG = {
  amiSelectorTerms: [AmiSelectorTerm.al2023('v20250915')],
  subnetSelectorTerms: [SubnetSelectorTerm.byDiscoveryTag('shop')],
  securityGroupSelectorTerms: [SecurityGroupSelectorTerm.byDiscoveryTag('shop')],
};

interface Setup {
  readonly stack: Stack;
  readonly karpenter: Karpenter;
}

function setUp(
  props: Partial<KarpenterProps> = {},
  clusterProps: Partial<ClusterProps> = { clusterName: 'shop' },
): Setup {
  const stack = newStack();
  return {
    stack,
    karpenter: new Karpenter(stack, 'Karpenter', { cluster: newClusterV2(stack, clusterProps), ...props }),
  };
}

/** Objects of the manifests, with references as `<LogicalId>`. */
function objectsIn(stack: Stack): any[] {
  return Object.values(resourcesOf(stack, 'Custom::AWSCDK-EKS-KubernetesResource'))
    .flatMap(({ Properties: { Manifest } }) => {
      const parts = typeof Manifest === 'string' ? [Manifest] : Manifest['Fn::Join'][1];
      return JSON.parse(
        parts.map((part: any) => (typeof part === 'string' ? part : `<${Object.values(part).flat()[0]}>`)).join(''),
      );
    })
    .filter(({ apiVersion }) => apiVersion.startsWith('karpenter'));
}

function specOf(stack: Stack, kind: string): any {
  const found = objectsIn(stack).filter((object) => object.kind === kind);
  expect(found).toHaveLength(1);
  return found[0].spec;
}

function actionsIn(stack: Stack): string[] {
  return Object.values(resourcesOf(stack, 'AWS::IAM::ManagedPolicy'))
    .flatMap(({ Properties }) => Properties.PolicyDocument.Statement)
    .flatMap(({ Action }: any) => Action);
}

function statementIn(stack: Stack, sid: string): any {
  return Object.values(resourcesOf(stack, 'AWS::IAM::ManagedPolicy'))
    .flatMap(({ Properties }) => Properties.PolicyDocument.Statement)
    .find(({ Sid }: any) => Sid === sid);
}

/** All resources that are deleted after the resource, because it depends on them directly or indirectly. */
function deletedAfter(id: string, resources: Readonly<Record<string, Resource>>): Set<string> {
  const found = new Set<string>();
  const visit = (current: string) => {
    const resource = resources[current];
    const references = [...JSON.stringify(resource).matchAll(/"(?:Ref|Fn::GetAtt)":\[?"(\w+)"/g)].map(
      (match) => match[1],
    );
    for (const next of [...[resource.DependsOn ?? []].flat(), ...references]) {
      if (resources[next] && !found.has(next)) {
        found.add(next);
        visit(next);
      }
    }
  };
  visit(id);
  return found;
}

describe('addNodeClass', () => {
  test("refers to the node role, the private subnets and the cluster's security group", () => {
    const { stack, karpenter } = setUp();
    karpenter.addNodeClass('default', LINUX);
    const [role] = Object.keys(resourcesOf(stack, 'AWS::IAM::Role')).filter((id) => id.startsWith('KarpenterNodes'));
    expect(specOf(stack, 'EC2NodeClass')).toMatchObject({
      role: `<${role}>`,
      subnetSelectorTerms: expect.arrayContaining([{ id: expect.stringMatching(/^<Cluster.*PrivateSubnet1/) }]),
      securityGroupSelectorTerms: [{ id: expect.stringMatching(/^<Cluster/) }],
    });
  });

  test('names the object like the construct', () => {
    const { stack, karpenter } = setUp();
    expect(karpenter.addNodeClass('default', LINUX).name).toBe('default');
    expect(karpenter.addNodeClass('second', { ...LINUX, metadata: { name: 'other' } }).name).toBe('other');
    expect(
      objectsIn(stack)
        .map(({ metadata }) => metadata.name)
        .sort(),
    ).toEqual(['default', 'other']);
  });

  test('creates another resource for another name, so that the old object is deleted', () => {
    const idsWith = (name?: string) => {
      const { stack, karpenter } = setUp();
      const metadata = name === undefined ? undefined : { name };
      karpenter.addNodePool('general', {
        nodeClass: karpenter.addNodeClass('linux', { ...LINUX, metadata }),
        metadata,
      });
      return Object.keys(resourcesOf(stack, 'Custom::AWSCDK-EKS-KubernetesResource')).filter((id) =>
        /^Karpenter(Class|Pool)/.test(id),
      );
    };
    expect(idsWith('general')).toEqual([expect.stringMatching(/^KarpenterClasslinuxgeneral/), idsWith()[1]]);
    expect(idsWith('other')).toEqual([
      expect.stringMatching(/^KarpenterClasslinuxother/),
      expect.stringMatching(/^KarpenterPoolgeneralother/),
    ]);
  });

  test.each(['General', 'a_b', 'x'.repeat(254)])('rejects the id %s, which is not a valid object name', (id) => {
    const { karpenter } = setUp();
    expect(() => karpenter.addNodeClass(id, LINUX)).toThrow(
      `Stack/Karpenter/id: must be a DNS name, because it names the object in the cluster, got "${id}"; write lower-case letters, digits`,
    );
    expect(karpenter.addNodeClass(id, { ...LINUX, metadata: { name: 'other' } }).name).toBe('other');
  });

  test('deploys changes that are made after the call', () => {
    const { stack, karpenter } = setUp();
    karpenter.addNodeClass('default', LINUX).addTag('team', 'shop');
    expect(specOf(stack, 'EC2NodeClass').tags).toEqual({ team: 'shop' });
  });

  test('reports problems of the object at synth', () => {
    const { stack, karpenter } = setUp();
    const nodeClass = karpenter.addNodeClass('default', { ...LINUX, tags: { late: stack.stackName } });
    expect(() => nodeClass.addTag('kubernetes.io/cluster/shop', 'owned')).toThrow('kubernetes.io/cluster/shop');
    expect(() => Template.fromStack(stack)).toThrow('kubernetes.io/cluster/shop');
  });

  test('uses an instance profile in an isolated VPC, in which Karpenter cannot create one', () => {
    const { stack, karpenter } = setUp({ isolatedVpc: true });
    karpenter.addNodeClass('default', LINUX);
    const [profile] = Object.keys(resourcesOf(stack, 'AWS::IAM::InstanceProfile')).filter((id) =>
      id.startsWith('KarpenterNodes'),
    );
    const spec = specOf(stack, 'EC2NodeClass');
    expect({ role: spec.role, profile: spec.instanceProfile }).toEqual({ role: undefined, profile: `<${profile}>` });
    expect(actionsIn(stack).filter((action) => action.startsWith('iam:'))).toEqual(['iam:PassRole']);
  });

  test('allows passing the role of a given instance profile, and gives it cluster access', () => {
    const { stack, karpenter } = setUp();
    const { role } = new NodeRole(stack, 'Own', { cluster: newReferenceTo(stack) });
    karpenter.addNodeClass('default', { ...LINUX, instanceProfile: new InstanceProfile(stack, 'Profile', { role }) });
    expect(statementIn(stack, 'AllowPassingInstanceRole').Resource).toContainEqual(stack.resolve(role.roleArn));
    expect(
      Object.values(resourcesOf(stack, 'AWS::EKS::AccessEntry')).map(({ Properties }) => Properties.PrincipalArn),
    ).toContainEqual(stack.resolve(role.roleArn));
  });

  test('warns about an instance profile whose role is unknown', () => {
    const { stack, karpenter } = setUp();
    const instanceProfile = InstanceProfile.fromInstanceProfileName(stack, 'Profile', 'nodes');
    karpenter.addNodeClass('default', { ...LINUX, instanceProfile });
    karpenter.addNodeClass('known', { ...LINUX, instanceProfile, nodeRole: Role.fromRoleName(stack, 'Role', 'nodes') });
    const warnings = Annotations.fromStack(stack).findWarning(
      '/Stack/Karpenter',
      Match.stringLikeRegexp('default: the role of the instance profile nodes is unknown'),
    );
    expect(warnings).toHaveLength(1);
    expect(Annotations.fromStack(stack).findWarning('/Stack/Karpenter', Match.stringLikeRegexp('^known: '))).toEqual(
      [],
    );
  });

  test('gives Windows nodes access with their own role', () => {
    const { stack, karpenter } = setUp();
    karpenter.addNodeClass('linux', LINUX);
    const windows = new NodeRole(stack, 'Windows', { cluster: newReferenceTo(stack) });
    karpenter.addNodeClass('windows', { amiSelectorTerms: [AmiSelectorTerm.windows2022()], nodeRole: windows.role });
    const types = Object.values(resourcesOf(stack, 'AWS::EKS::AccessEntry')).map(({ Properties }) => Properties.Type);
    expect(types).toEqual(expect.arrayContaining(['EC2_LINUX', 'EC2_WINDOWS']));
    expect(statementIn(stack, 'AllowPassingInstanceRole').Resource).toHaveLength(2);
  });

  test('keeps the access entry of a role when another EC2NodeClass is removed, because a role can have only one', () => {
    const entriesOf = (names: readonly string[]) => {
      const { stack, karpenter } = setUp();
      for (const name of names)
        karpenter.addNodeClass(name, { ...LINUX, nodeRole: Role.fromRoleName(stack, name, name) });
      return Object.entries(resourcesOf(stack, 'AWS::EKS::AccessEntry')).map(([id, { Properties }]) => [
        id,
        JSON.stringify(Properties.PrincipalArn),
      ]);
    };
    expect(entriesOf(['first', 'second'])).toEqual(expect.arrayContaining(entriesOf(['second'])));
  });

  test('creates one access entry for a role that is imported twice', () => {
    const { stack, karpenter } = setUp();
    for (const name of ['first', 'second'])
      karpenter.addNodeClass(name, { ...LINUX, nodeRole: Role.fromRoleName(stack, name, 'nodes') });
    expect(
      Object.values(resourcesOf(stack, 'AWS::EKS::AccessEntry')).filter(({ Properties }) =>
        JSON.stringify(Properties.PrincipalArn).includes('role/nodes'),
      ),
    ).toHaveLength(1);
  });

  test('rejects one role for Windows and Linux nodes', () => {
    const { stack, karpenter } = setUp();
    karpenter.addNodeClass('linux', LINUX);
    karpenter.addNodeClass('windows', { amiSelectorTerms: [AmiSelectorTerm.windows2022()] });
    expect(() => Template.fromStack(stack)).toThrow(
      'Windows and Linux nodes must not share a role, ' +
        'got Stack/Karpenter/linux (AL2023), Stack/Karpenter/windows (Windows2022); give one of these EC2NodeClasses its own NodeRole',
    );
  });
});

describe('permissions that depend on EC2NodeClasses', () => {
  test('include instance profiles for a role, but no capacity reservations and placement groups if unused', () => {
    const { stack, karpenter } = setUp();
    karpenter.addNodeClass('default', LINUX);
    expect(actionsIn(stack)).toContain('iam:CreateInstanceProfile');
    expect(actionsIn(stack)).not.toEqual(expect.arrayContaining(['ec2:DescribeCapacityReservations']));
    expect(JSON.stringify(statementIn(stack, 'AllowScopedEC2InstanceAccessActions').Resource)).not.toMatch(
      /capacity-reservation|placement-group/,
    );
  });

  test('exclude writes to instance profiles if each EC2NodeClass has one', () => {
    const { stack, karpenter } = setUp({ isolatedVpc: true }, { clusterName: 'shop' });
    karpenter.addNodeClass('default', LINUX);
    expect(statementIn(stack, 'AllowScopedInstanceProfileCreationActions')).toBeUndefined();
    expect(statementIn(stack, 'AllowPassingInstanceRole')).toBeDefined();
  });

  test.each<[string, KarpenterNodeClassOptions, string, string]>([
    [
      'capacity reservations',
      { ...LINUX, capacityReservationSelectorTerms: [CapacityReservationSelectorTerm.byId('cr-0123456789abcdef0')] },
      'ec2:DescribeCapacityReservations',
      'capacity-reservation',
    ],
    [
      'a placement group',
      { ...LINUX, placementGroupSelector: PlacementGroupSelector.byName('cluster') },
      'ec2:DescribePlacementGroups',
      'placement-group',
    ],
  ])('include %s', (_, options, action, resource) => {
    const { stack, karpenter } = setUp();
    karpenter.addNodeClass('default', options);
    expect(actionsIn(stack)).toContain(action);
    expect(JSON.stringify(statementIn(stack, 'AllowScopedEC2InstanceAccessActions').Resource)).toContain(resource);
  });

  test('include a key that encrypts volumes', () => {
    const { stack, karpenter } = setUp();
    const key = new Key(stack, 'Key');
    karpenter.addNodeClass('default', {
      ...LINUX,
      blockDeviceMappings: [{ deviceName: '/dev/xvda', ebs: { volumeSize: Size.gibibytes(30), kmsKeyId: key.keyArn } }],
    });
    expect(stack.resolve(key.keyArn)).toEqual(statementIn(stack, 'AllowVolumeKeys').Resource);
    expect(statementIn(stack, 'AllowVolumeKeyGrants').Condition.Bool).toEqual({ 'kms:GrantIsForAWSResource': 'true' });
  });

  test('include a key by its alias', () => {
    const { stack, karpenter } = setUp();
    karpenter.addNodeClass('default', {
      ...LINUX,
      blockDeviceMappings: [
        { deviceName: '/dev/xvda', ebs: { volumeSize: Size.gibibytes(30), kmsKeyId: 'alias/volumes' } },
      ],
    });
    expect(statementIn(stack, 'AllowVolumeKeysByAlias').Condition).toMatchObject({
      'ForAnyValue:StringEquals': { 'kms:ResourceAliases': ['alias/volumes'] },
    });
  });

  test.each<[string, (key: Key, alias: Alias) => string]>([
    ['its id', ({ keyId }) => keyId],
    ['the name of its alias', (_, { aliasName }) => aliasName],
    ['the ARN of its alias', (_, { keyArn }) => keyArn],
  ])('include the ARN of a key of the app that is referred to by %s', (_, nameOf) => {
    const { stack, karpenter } = setUp();
    const key = new Key(stack, 'Key');
    const kmsKeyId = nameOf(key, new Alias(stack, 'Alias', { aliasName: 'alias/volumes', targetKey: key }));
    karpenter.addNodeClass('default', {
      ...LINUX,
      blockDeviceMappings: [{ deviceName: '/dev/xvda', ebs: { volumeSize: Size.gibibytes(30), kmsKeyId } }],
    });
    expect(statementIn(stack, 'AllowVolumeKeys').Resource).toEqual(stack.resolve(key.keyArn));
  });

  test('include the key of an alias in volumeKeys', () => {
    const stack = newStack();
    const key = new Key(stack, 'Key');
    const volumeKeys: IKey[] = [new Alias(stack, 'Alias', { aliasName: 'alias/volumes', targetKey: key })];
    new Karpenter(stack, 'Karpenter', {
      cluster: newClusterV2(stack, { clusterName: 'shop' }),
      permissions: { volumeKeys },
    });
    expect(statementIn(stack, 'AllowVolumeKeys').Resource).toEqual(stack.resolve(key.keyArn));
  });

  test('include an image parameter of the app whose name begins with a slash', () => {
    const { stack, karpenter } = setUp();
    const image = new StringParameter(stack, 'Image', {
      parameterName: '/images/golden',
      stringValue: 'ami-0123456789abcdef0',
    });
    karpenter.addNodeClass('own', {
      amiFamily: AmiFamily.AL2023,
      amiSelectorTerms: [AmiSelectorTerm.bySsmParameter(image.parameterName)],
    });
    expect(statementIn(stack, 'AllowImageParameters').Resource).toEqual(stack.resolve(image.parameterArn));
  });

  test('include an image parameter that is not in the app', () => {
    const { stack, karpenter } = setUp();
    karpenter.addNodeClass('own', {
      amiFamily: AmiFamily.AL2023,
      amiSelectorTerms: [AmiSelectorTerm.bySsmParameter('/images/golden')],
    });
    expect(JSON.stringify(statementIn(stack, 'AllowImageParameters').Resource)).toContain(':parameter/images/golden');
  });

  test('include a feature that is set in the property permissions', () => {
    const { stack, karpenter } = setUp({ permissions: { capacityReservations: true } });
    karpenter.addNodeClass('default', LINUX);
    expect(actionsIn(stack)).toContain('ec2:DescribeCapacityReservations');
  });
});

describe('teardown', () => {
  test('deletes NodePools, then EC2NodeClasses, then charts, then everything that they need', () => {
    const { stack, karpenter } = setUp({}, {});
    karpenter.addNodePool('general', { nodeClass: karpenter.addNodeClass('default', LINUX) });
    const resources = Template.fromStack(stack).toJSON().Resources as Record<string, Resource>;
    const idOf = (prefix: string) => Object.keys(resources).find((id) => id.startsWith(prefix))!;
    const [pool, nodeClass, controller, crds] = [
      'KarpenterPoolgeneral',
      'KarpenterClassdefault',
      'KarpenterChartsController',
      'KarpenterChartsCrds',
    ].map(idOf);
    expect(deletedAfter(pool, resources)).toContain(nodeClass);
    expect(deletedAfter(nodeClass, resources)).toContain(controller);
    expect(deletedAfter(controller, resources)).toContain(crds);
    const prerequisites = Object.keys(resources).filter(
      (id) => id.startsWith('Karpenter') && !id.startsWith('KarpenterCharts') && ![pool, nodeClass].includes(id),
    );
    expect([...deletedAfter(controller, resources)]).toEqual(expect.arrayContaining(prerequisites));
    const network = Object.keys(resources).filter((id) =>
      ['AWS::EC2::NatGateway', 'AWS::EC2::Route', 'AWS::EKS::Nodegroup'].includes(resources[id].Type),
    );
    expect([...deletedAfter(controller, resources)]).toEqual(expect.arrayContaining(network));
  });

  test('deletes the service-linked role of Spot after the last node, because EC2 refuses it before', () => {
    const { stack, karpenter } = setUp({ spotServiceLinkedRole: true });
    karpenter.addNodeClass('default', LINUX);
    const resources = Template.fromStack(stack).toJSON().Resources as Record<string, Resource>;
    const idOf = (prefix: string) => Object.keys(resources).find((id) => id.startsWith(prefix))!;
    expect(deletedAfter(idOf('KarpenterClassdefault'), resources)).toContain(idOf('KarpenterSpotServiceLinkedRole'));
  });

  test('deletes aws-auth after the last node, which could not terminate its pods without access', () => {
    const stack = newStack();
    const karpenter = new Karpenter(stack, 'Karpenter', { cluster: newClusterV1(stack, { clusterName: 'shop' }) });
    karpenter.addNodeClass('default', LINUX);
    const resources = Template.fromStack(stack).toJSON().Resources as Record<string, Resource>;
    const idOf = (prefix: string) => Object.keys(resources).find((id) => id.startsWith(prefix))!;
    expect(deletedAfter(idOf('KarpenterClassdefault'), resources)).toContain(idOf('ClusterAwsAuth'));
  });

  test("deletes Auto Scaling groups of the cluster after Karpenter's nodes, because the controller may run there", () => {
    const stack = newStack();
    const cluster = newClusterV1(stack, { clusterName: 'shop', defaultCapacity: 0 });
    const karpenter = new Karpenter(stack, 'Karpenter', { cluster });
    karpenter.addNodeClass('default', LINUX);
    cluster.addAutoScalingGroupCapacity('System', {
      instanceType: new InstanceType('m7i.large'),
      machineImageType: MachineImageType.BOTTLEROCKET,
    });
    const resources = Template.fromStack(stack).toJSON().Resources as Record<string, Resource>;
    const idOf = (prefix: string) => Object.keys(resources).find((id) => id.startsWith(prefix))!;
    const [group] = Object.keys(resources).filter((id) => resources[id].Type === 'AWS::AutoScaling::AutoScalingGroup');
    expect(deletedAfter(idOf('KarpenterClassdefault'), resources)).toContain(group);
  });

  test('creates no dependency cycle if the cluster is in another stack', () => {
    const { stack, karpenter: first } = setUp({}, {});
    expect(first.node.path).toBe('Stack/Karpenter');
    const other = new Stack(stack.node.root, 'Other', { env: { account: stack.account, region: stack.region } });
    const cluster = newClusterV2(
      new Stack(stack.node.root, 'Clusters', { env: { account: stack.account, region: stack.region } }),
    );
    const karpenter = new Karpenter(other, 'Karpenter', { cluster });
    karpenter.addNodePool('general', { nodeClass: karpenter.addNodeClass('default', LINUX) });
    expect(
      objectsIn(other)
        .map(({ kind }) => kind)
        .sort(),
    ).toEqual(['EC2NodeClass', 'NodePool']);
  });
});

describe('addChart', () => {
  test('deploys cdk8s objects after Karpenter', () => {
    const { stack, karpenter } = setUp();
    const chart = new Chart(Testing.app(), 'more');
    new NodeOverlay(chart, 'cheaper', { weight: 10, price: OverlayPrice.fixed(0.1) });
    new NodePool(chart, 'pool', { nodeClass: EC2NodeClass.fromEC2NodeClassName(chart, 'class', 'default') });
    karpenter.addChart('More', chart);
    expect(
      objectsIn(stack)
        .map(({ kind }) => kind)
        .sort(),
    ).toEqual(['NodeOverlay', 'NodePool']);
  });

  test('creates a resource for each Karpenter object, because kubectl does not prune a removed NodePool', () => {
    const { stack, karpenter } = setUp();
    const chart = new Chart(Testing.app(), 'more', { namespace: 'shop' });
    const nodeClass = new EC2NodeClass(chart, 'class', {
      ...BY_TAG,
      identity: NodeIdentity.role('nodes'),
      metadata: { name: 'main' },
    });
    new CapacityBuffer(chart, 'spare', {
      metadata: { name: 'spare' },
      pods: BufferedPods.deployment('web'),
      percentage: 20,
    });
    for (const name of ['a', 'b']) new NodePool(chart, name, { nodeClass, metadata: { name } });
    for (const name of ['one', 'two'])
      new ApiObject(chart, name, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
    karpenter.addChart('More', chart);
    const resources = Template.fromStack(stack).toJSON().Resources as Record<string, Resource>;
    const ids = Object.keys(resources).filter((id) => id.startsWith('KarpenterChartMore'));
    expect(ids.map((id) => id.replace(/KarpenterChartMore(.*).{8}/, '$1')).sort()).toEqual([
      'CapacityBuffershopspare',
      'EC2NodeClassmain',
      'NodePoola',
      'NodePoolb',
      'Objects',
    ]);
    const idOf = (part: string) => ids.find((id) => id.includes(part))!;
    const [nodeClassId, poolId, otherObjectsId, bufferId] = [
      'EC2NodeClass',
      'NodePoola',
      'Objects',
      'CapacityBuffer',
    ].map(idOf);
    expect([...deletedAfter(poolId, resources)]).toContain(nodeClassId);
    expect([...deletedAfter(otherObjectsId, resources)]).toContain(poolId);
    expect([...deletedAfter(bufferId, resources)]).toContain(otherObjectsId);
    expect([...deletedAfter(nodeClassId, resources)]).toContain(
      Object.keys(resources).find((id) => id.startsWith('KarpenterChartsController')),
    );
  });

  test('rejects objects and labels that are added after the call', () => {
    const { stack, karpenter } = setUp();
    const chart = new Chart(Testing.app(), 'more');
    const early = new NodePool(chart, 'early', {
      nodeClass: EC2NodeClass.fromEC2NodeClassName(chart, 'class', 'default'),
      metadata: { name: 'early' },
    });
    karpenter.addChart('More', chart);
    new ApiObject(chart, 'late', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'late' } });
    early.apiObject.metadata.addLabel('team', 'shop');
    expect(() => Template.fromStack(stack)).toThrow(
      /NodePool early\/metadata\.labels: must be set before the object is deployed.*\n.*ConfigMap late: must be added before addChart is called, got it later/,
    );
  });

  test('deploys annotations that are added after the call', () => {
    const { stack, karpenter } = setUp();
    karpenter.addNodeClass('default', LINUX).apiObject.metadata.addAnnotation('team', 'shop');
    expect(objectsIn(stack)[0].metadata).toMatchObject({ name: 'default', annotations: { team: 'shop' } });
  });

  test('allows what EC2NodeClasses of the chart need in addition to those of addNodeClass', () => {
    const { stack, karpenter } = setUp();
    karpenter.addNodeClass('default', LINUX);
    const chart = new Chart(Testing.app(), 'more');
    const reserved = [CapacityReservationSelectorTerm.byId('cr-0123456789abcdef0')];
    new EC2NodeClass(chart, 'reserved', {
      ...BY_TAG,
      identity: NodeIdentity.role('nodes'),
      capacityReservationSelectorTerms: reserved,
    });
    karpenter.addChart('More', chart);
    expect(actionsIn(stack)).toContain('ec2:DescribeCapacityReservations');
    expect(actionsIn(stack)).not.toContain('ec2:DescribePlacementGroups');
  });
});

function newReferenceTo(stack: Stack) {
  return stack.node.findChild('Cluster') as any;
}
