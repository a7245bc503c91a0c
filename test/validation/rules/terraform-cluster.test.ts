import { judge, judgeFiles, judgeStack, nodeClass, nodePool } from './judge';
import { Root, Rule, SourceFile, withKarpenterOfRepository } from '../../../src/validation';
import { karpenterTrace } from '../../../src/validation/manifest/source/karpenter-trace';
import { folderOfText } from '../../../src/validation/manifest/source/terraform/terraform-folders';
import { writtenNodeGroups } from '../../../src/validation/manifest/source/terraform/written-node-groups';
import { writtenResources } from '../../../src/validation/manifest/source/terraform/written-resources';
import { clusterDnsOutsideServices } from '../../../src/validation/rules/api/cluster-dns-outside-services';
import { clusterConfigRefused } from '../../../src/validation/rules/controller/cluster-config-refused';
import { controllerWithoutNode } from '../../../src/validation/rules/controller/controller-without-node';
import { terraformPlanFails } from '../../../src/validation/rules/controller/terraform-plan-fails';
import { autoscalerWithoutMetrics } from '../../../src/validation/rules/disruption/availability/autoscaler-without-metrics';
import { securityGroupWithoutEgress } from '../../../src/validation/rules/instance-selection/addresses/security-group-without-egress';
import { subnetWithoutWayOut } from '../../../src/validation/rules/instance-selection/addresses/subnet-without-way-out';
import { nodeRoleNotAuthorisedToJoin } from '../../../src/validation/rules/permissions/node-role-not-authorised-to-join';
import { podIdentityAgentMissing } from '../../../src/validation/rules/permissions/pod-identity-agent-missing';
import { selectorTagsDiffer } from '../../../src/validation/rules/permissions/selector-tags-differ';
import { storageDriverMissing } from '../../../src/validation/rules/storage/storage-driver-missing';

/** The findings of a rule about a Terraform file, beside a node class and other manifests. */
function findingsOf(rule: Rule, text: string, spec: object = {}, ...others: Array<string | SourceFile>) {
  const manifests = others.filter((other) => typeof other === 'string');
  const scripts = others.filter((other) => typeof other !== 'string');
  const path = 'k8s/main.tf';
  const file: SourceFile = {
    path: 'k8s/all.yaml',
    text: [nodeClass('default', { role: 'nodes', ...spec }), nodePool('default'), ...manifests].join('\n---\n'),
    isFound: true,
  };
  const scope = folderOfText(path, text);
  const trace = karpenterTrace({ path, text }, '.tf', {
    resources: writtenResources({ path, text }, scope),
    nodeGroups: writtenNodeGroups({ path, text }, scope),
  });
  const root: Root = { name: 'k8s', kind: 'files', sources: [file], notes: [] };
  return judgeFiles(rule, withKarpenterOfRepository([root], [file, ...trace, ...scripts])[0].sources).findings;
}

const cluster = (access: string) => `resource "aws_eks_cluster" "this" {\n  name = "demo"\n  ${access}\n}\n`;
const mode = (text: string) => `access_config {\n    authentication_mode = "${text}"\n  }`;
const ENTRY = `resource "aws_eks_access_entry" "node" {
  cluster_name  = aws_eks_cluster.this.name
  principal_arn = "arn:aws:iam::111122223333:role/nodes"
  type          = "EC2_LINUX"
}
`;
const eksModule = (args: string, version = '~> 20.0') =>
  `module "eks" {\n  source  = "terraform-aws-modules/eks/aws"\n  version = "${version}"\n  ${args}\n}\n`;

describe('KARP-921 cluster-config-refused, in Terraform and templates', () => {
  const judged = (text: string) => findingsOf(clusterConfigRefused, text);

  test('reports access entries of a cluster in the mode CONFIG_MAP, written or by default', () => {
    expect(judged(cluster(mode('CONFIG_MAP')) + ENTRY)).toMatchObject([
      {
        severity: undefined,
        message: expect.stringContaining('authentication_mode is CONFIG_MAP, which has no access entries'),
        related: { object: { name: 'aws_eks_access_entry.node' } },
      },
    ]);
    expect(judged(cluster('') + ENTRY)).toMatchObject([{ severity: 'warning' }]);
    const karpenter =
      'module "karpenter" {\n  source = "terraform-aws-modules/eks/aws//modules/karpenter"\n  version = "20.1.0"\n  cluster_name = module.eks.cluster_name\n}\n';
    expect(judged(eksModule('authentication_mode = "CONFIG_MAP"') + karpenter)).toHaveLength(1);
    expect(
      judged(eksModule('authentication_mode = "CONFIG_MAP"\n  access_entries = { a = { principal_arn = "x" } }')),
    ).toHaveLength(1);
    expect(judged(eksModule('') + karpenter)).toEqual([]);
    const own = karpenter.replace('cluster_name =', 'create_access_entry = false\n  cluster_name =');
    expect(judged(eksModule('authentication_mode = "CONFIG_MAP"') + own)).toEqual([]);
  });

  test('passes other modes, and a cluster without access entries', () => {
    expect(judged(cluster(mode('API')) + ENTRY)).toEqual([]);
    expect(judged(cluster(mode('CONFIG_MAP')))).toEqual([]);
    expect(judged(cluster('access_config {\n    authentication_mode = var.mode\n  }') + ENTRY)).toEqual([]);
    expect(judged(ENTRY)).toEqual([]);
  });

  test('reports a range of Services that overlaps with the VPC', () => {
    const network = (cidr: string) => cluster(`kubernetes_network_config {\n    service_ipv4_cidr = "${cidr}"\n  }`);
    const vpc = 'resource "aws_vpc" "a" {\n  cidr_block = "172.20.0.0/16"\n}\n';
    expect(judged(network('172.20.8.0/22') + vpc)).toMatchObject([
      { remedy: expect.stringContaining('10.100.0.0/16'), related: { object: { name: 'aws_vpc.a' } } },
    ]);
    expect(judged(network('10.100.0.0/16') + vpc)).toEqual([]);
    const module = 'module "vpc" {\n  source = "terraform-aws-modules/vpc/aws"\n  cidr = "10.0.0.0/8"\n}\n';
    expect(judged(eksModule('service_ipv4_cidr = "10.100.0.0/16"') + module)).toHaveLength(1);
    expect(judged(eksModule('service_ipv4_cidr = "10.100.0.0/16"') + module + vpc)).toEqual([]);
    expect(
      findingsOf(clusterDnsOutsideServices, network('172.20.0.0/16'), { kubelet: { clusterDNS: ['10.100.0.10'] } }),
    ).toMatchObject([{ remedy: 'write 172.20.0.10, or remove clusterDNS' }]);
  });

  test('writes another mode in a template', () => {
    const resources = {
      Cluster: { Type: 'AWS::EKS::Cluster', Properties: { AccessConfig: { AuthenticationMode: 'CONFIG_MAP' } } },
      Entry: {
        Type: 'AWS::EKS::AccessEntry',
        Properties: { ClusterName: { Ref: 'Cluster' }, PrincipalArn: 'x', Type: 'EC2_LINUX' },
      },
    };
    expect(judgeStack(clusterConfigRefused, resources).findings).toMatchObject([
      { path: ['Properties', 'AccessConfig', 'AuthenticationMode'], fix: { edits: [{ value: 'API_AND_CONFIG_MAP' }] } },
    ]);
  });
});

describe('KARP-604 node-role-not-authorised-to-join, in Terraform', () => {
  const role = (name: string) => `resource "aws_iam_role" "${name}" {\n  name = "${name}"\n}\n`;
  const judged = (text: string) => findingsOf(nodeRoleNotAuthorisedToJoin, text);
  const group = (arn: string) => `resource "aws_eks_node_group" "a" {\n  node_role_arn = ${arn}\n}\n`;
  const entry = ENTRY.replace('"arn:aws:iam::111122223333:role/nodes"', 'aws_iam_role.nodes.arn');

  test('warns about a role without an access entry, if the cluster reads access entries only', () => {
    expect(
      judged(cluster(mode('API')) + role('nodes') + role('admin') + group('aws_iam_role.admin.arn')),
    ).toMatchObject([{ severity: 'warning', path: ['spec', 'role'] }]);
    const other = entry.replace('aws_iam_role.nodes', 'aws_iam_role.admin');
    expect(judged(cluster(mode('API')) + role('nodes') + role('admin') + other)).toHaveLength(1);
  });

  test('passes a role with an entry, of a node group, of a module, and of other modes', () => {
    for (const text of [
      cluster(mode('API')) + role('nodes') + entry,
      cluster(mode('API')) + role('nodes') + group('aws_iam_role.nodes.arn'),
      cluster(mode('API')) + role('nodes') + group('var.role'),
      `${cluster(mode('API'))}${role('nodes')}module "access" {\n  source = "./access"\n  arn = aws_iam_role.nodes.arn\n}\n`,
      cluster(mode('API_AND_CONFIG_MAP')) + role('nodes'),
      role('nodes'),
    ])
      expect(judged(text)).toEqual([]);
  });
});

describe('KARP-604 node-role-not-authorised-to-join, with the Karpenter module', () => {
  const karpenter = (args: string) =>
    `module "karpenter" {\n  source = "terraform-aws-modules/eks/aws//modules/karpenter"\n  version = "~> 21.0"\n  ${args}\n}\n`;
  const judged = (args: string, more = '', role = '${module.karpenter.node_iam_role_name}') =>
    findingsOf(nodeRoleNotAuthorisedToJoin, eksModule('', '~> 21.0') + karpenter(args) + more, { role });
  const OFF = 'create_access_entry = false';

  test('fails if the module creates the role of nodes without an access entry', () => {
    expect(judged(OFF)).toMatchObject([
      { object: { name: 'module.karpenter' }, related: { object: { kind: 'EC2NodeClass' } } },
    ]);
    const named = `${OFF}\n  node_iam_role_name = "nodes"\n  node_iam_role_use_name_prefix = false`;
    expect(judged(named, '', 'nodes')).toHaveLength(1);
  });

  test('takes no name of a module for a pattern', () => {
    const odd = karpenter(OFF).replace('"karpenter" {', '"(a+)+(" {');
    const input = eksModule('', '~> 21.0') + odd;
    expect(findingsOf(nodeRoleNotAuthorisedToJoin, input, { role: '${module.aaaaaaaa.node_iam_role_name}' })).toEqual(
      [],
    );
  });

  test('says nothing if the nodes may join, or if the role is not that of the module', () => {
    const arn = 'principal_arn = module.karpenter.node_iam_role_arn\n}\n';
    for (const [args, more, role] of [
      [''],
      ['create_access_entry = var.entry'],
      [`${OFF}\n  create_node_iam_role = false`],
      [OFF, '', 'other'],
      [OFF, `resource "aws_eks_access_entry" "a" {\n  ${arn}`],
      [OFF, 'resource "aws_eks_access_entry" "a" {\n  principal_arn = var.arn\n}\n'],
      [OFF, `module "access" {\n  source = "./access"\n  ${arn}`],
      [OFF, 'resource "kubernetes_config_map" "aws_auth" {\n}\n'],
    ])
      expect(judged(args, more, role)).toEqual([]);
  });
});

describe('KARP-616 selector-tags-differ, with modules of Terraform', () => {
  const judged = (text: string) => findingsOf(selectorTagsDiffer, text);
  const vpc = (args = '') =>
    `module "vpc" {\n  source = "terraform-aws-modules/vpc/aws"\n  private_subnets = ["10.0.0.0/20"]\n  ${args}\n}\n`;
  const tags = (name: string, value = '"demo"') => `${name} = { "karpenter.sh/discovery" = ${value} }`;
  const groups = tags('node_security_group_tags');

  test('fails if the modules give the tag to no subnet or to no security group', () => {
    expect(judged(vpc() + eksModule(groups))).toMatchObject([
      {
        object: { name: 'module.vpc' },
        severity: undefined,
        remedy: 'add "karpenter.sh/discovery" = "demo" to private_subnet_tags in module.vpc',
        related: { path: ['spec', 'subnetSelectorTerms', 0, 'tags', 'karpenter.sh/discovery'] },
      },
    ]);
    const private_ = vpc(tags('private_subnet_tags'));
    expect(judged(private_ + eksModule('tags = { team = "a" }'))).toMatchObject([
      { remedy: 'add "karpenter.sh/discovery" = "demo" to node_security_group_tags in module.eks' },
    ]);
  });

  test('warns if nothing has the tag, because people may tag by hand', () => {
    expect(judged(vpc() + eksModule('')).map(({ severity }) => severity)).toEqual(['warning', 'warning']);
  });

  test('says nothing about tags and access that a script gives', () => {
    const scripted = (text: string) =>
      karpenterTrace({ path: 'tag.sh', text }, '.sh').flatMap(({ trace }) => trace?.scripted ?? []);
    const tagging = scripted('aws ec2 create-tags --resources "$ID" --tags Key=karpenter.sh/discovery,Value=demo\n');
    expect([tagging, scripted('eksctl create iamidentitymapping --arn "$ARN"\n')]).toEqual([['tags'], ['roles']]);
    const script = { path: 'tag.sh', text: '', trace: { scripted: tagging } };
    expect(findingsOf(selectorTagsDiffer, vpc() + eksModule(groups), {}, script)).toEqual([]);
  });

  test('says nothing if a tag may come from elsewhere', () => {
    const private_ = vpc(tags('private_subnet_tags'));
    for (const text of [
      private_ + eksModule(groups),
      private_ + eksModule(tags('tags')),
      vpc(tags('tags')) + eksModule(groups),
      vpc('tags = var.tags') + eksModule(groups),
      vpc('private_subnet_tags_per_az = { a = {} }') + eksModule(groups),
      private_ + eksModule('create_node_security_group = false'),
      `${vpc()}${eksModule(groups)}provider "aws" {\n  default_tags {\n    ${tags('tags')}\n  }\n}\n`,
      `${vpc()}${eksModule(groups)}resource "aws_ec2_tag" "a" {\n  resource_id = module.vpc.private_subnets[0]\n  key = "karpenter.sh/discovery"\n}\n`,
      `${vpc()}${eksModule(groups)}module "tags" {\n  source = "./tags"\n  subnets = module.vpc.private_subnets\n}\n`,
      `${vpc()}${eksModule(groups)}resource "null_resource" "a" {\n  triggers = { a = "aws ec2 create-tags" }\n}\n`,
      vpc() + vpc().replace('"vpc"', '"other"') + eksModule(groups),
      vpc(),
      eksModule(''),
    ])
      expect([text, judged(text).map(({ message }) => message)]).toEqual([text, []]);
  });
});

describe('KARP-272 security-group-without-egress', () => {
  const judged = (text: string, spec: object = {}) => findingsOf(securityGroupWithoutEgress, text, spec);
  const group = (name: string, more = '') =>
    `resource "aws_security_group" "${name}" {\n  name = "${name}"\n  ${more}\n  tags = { "karpenter.sh/discovery" = "demo" }\n}\n`;
  const EGRESS = 'egress {\n    protocol = "-1"\n    cidr_blocks = ["0.0.0.0/0"]\n  }';
  const rule = (type: string, id: string, more = '') =>
    `resource "${type}" "a" {\n  security_group_id = ${id}\n  ${more}\n}\n`;

  test('reports security groups of nodes that Terraform makes without a rule for outgoing traffic', () => {
    expect(judged(group('node'))).toMatchObject([
      {
        object: { name: 'aws_security_group.node' },
        message: expect.stringContaining('has no egress rule, and Terraform removes the one that AWS adds'),
        evidence: { nodeClasses: ['default'], consequence: 'never-joins' },
      },
    ]);
    const others = rule('aws_security_group_rule', 'aws_eks_cluster.a.vpc_config[0].cluster_security_group_id');
    expect(judged(group('node', 'egress = []') + group('more') + others)).toHaveLength(1);
    expect(judged(group('node') + rule('aws_security_group_rule', 'var.id', 'type = "ingress"'))).toHaveLength(1);
  });

  test('passes security groups with such a rule, and those that are not all known', () => {
    for (const text of [
      group('node', EGRESS),
      group('node') + group('more', EGRESS),
      group('node', 'dynamic "egress" {\n    for_each = var.rules\n    content {}\n  }'),
      group('node') + rule('aws_vpc_security_group_egress_rule', 'aws_security_group.node.id'),
      group('node') + rule('aws_security_group_rule', 'aws_security_group.node.id', 'type = "egress"'),
      group('node') + rule('aws_security_group_rule', 'each.value', 'type = each.key'),
      `${group('node')}resource "aws_ec2_tag" "a" {\n  resource_id = "sg-1"\n  key = "karpenter.sh/discovery"\n  value = "demo"\n}\n`,
      group('node').replace('"demo"', '"other"'),
      `${group('node')}module "rules" {\n  source = "./rules"\n  groups = [aws_security_group.node.id]\n}\n`,
    ])
      expect([text, judged(text).length]).toEqual([text, 0]);
    expect(judged(group('node'), { securityGroupSelectorTerms: [{ id: 'sg-0123456789abcdef0' }] })).toEqual([]);
  });
});

describe('KARP-270 subnet-without-way-out', () => {
  const judged = (text: string, spec: object = {}) => findingsOf(subnetWithoutWayOut, text, spec);
  const subnet = (name: string, more = '') =>
    `resource "aws_subnet" "${name}" {\n  count = 2\n  vpc_id = "vpc-1"\n  ${more}\n  tags = { "karpenter.sh/discovery" = "demo" }\n}\n` +
    `resource "aws_route_table_association" "${name}" {\n  count = 2\n  subnet_id = aws_subnet.${name}[count.index].id\n  route_table_id = aws_route_table.${name}.id\n}\n`;
  const table = (name: string, route = '') =>
    `resource "aws_route_table" "${name}" {\n  vpc_id = "vpc-1"\n  ${route}\n}\n`;
  const to = (target: string) => `route {\n    cidr_block = "0.0.0.0/0"\n    ${target}\n  }`;
  const NAT = 'resource "aws_nat_gateway" "a" {}\n';
  const toNat = to('nat_gateway_id = aws_nat_gateway.a.id');
  const toInternet = to('gateway_id = aws_internet_gateway.a.id');

  test('reports a route table without a route for all addresses, and selected subnets with it', () => {
    expect(judged(subnet('private') + table('private') + NAT)).toMatchObject([
      {
        object: { name: 'aws_route_table.private' },
        severity: undefined,
        remedy: 'add a route for 0.0.0.0/0 to the NAT gateway',
        related: { object: { kind: 'EC2NodeClass' } },
      },
    ]);
    expect(judged(subnet('private') + table('private', 'route = []'))).toMatchObject([{ severity: 'warning' }]);
    const peering = 'route {\n    cidr_block = "10.0.0.0/8"\n    vpc_peering_connection_id = "pcx-1"\n  }';
    expect(judged(subnet('private') + table('private', peering) + NAT)).toHaveLength(1);
  });

  test('reports a route to an internet gateway for nodes without public addresses', () => {
    const text = subnet('private') + table('private', toInternet);
    expect(judged(text)).toMatchObject([{ message: expect.stringContaining('leads to an internet gateway') }]);
    expect(judged(text, { associatePublicIPAddress: true })).toEqual([]);
    expect(judged(subnet('private', 'map_public_ip_on_launch = true') + table('private', toInternet))).toEqual([]);
  });

  test('reports a NAT gateway whose own packets have no way out', () => {
    const nat = (place: string, more = '') =>
      `resource "aws_nat_gateway" "a" {\n  subnet_id = aws_subnet.${place}[0].id\n  ${more}\n}\n`;
    const isPublic = 'map_public_ip_on_launch = true';
    const rest = subnet('private') + table('private', toNat) + subnet('public', isPublic).replace('"demo"', '"x"');
    const [finding, ...others] = judged(nat('private') + rest + table('public', toInternet));
    expect(finding).toMatchObject({
      object: { name: 'aws_nat_gateway.a' },
      message: expect.stringContaining('sends 0.0.0.0/0 to this NAT gateway itself'),
      remedy: 'put it into a subnet whose route table leads to an internet gateway, such as aws_subnet.public',
      evidence: { consequence: 'never-joins', nodeClasses: ['default'] },
    });
    expect(others).toEqual([]);
    const away = rest.replace(isPublic, '');
    expect(judged(nat('public') + away + table('public'))).toMatchObject([
      { message: expect.stringContaining('has no route to an internet gateway') },
    ]);
    for (const text of [
      nat('public') + rest + table('public', toInternet),
      nat('private', 'connectivity_type = "private"') + rest + table('public', toInternet),
      nat('other') + rest + table('public', toInternet),
      nat('private') + rest.replaceAll('"demo"', '"x"') + table('public', toInternet),
    ])
      expect(judged(text)).toEqual([]);
  });

  test('passes routes that lead out, or that cannot be read, and other subnets', () => {
    const route = (id: string) =>
      `resource "aws_route" "a" {\n  route_table_id = ${id}\n  destination_cidr_block = "0.0.0.0/0"\n  nat_gateway_id = aws_nat_gateway.a.id\n}\n`;
    for (const text of [
      subnet('private') + table('private', toNat) + NAT,
      subnet('private') + table('private') + route('aws_route_table.private.id'),
      subnet('private') + table('private') + route('var.table'),
      subnet('private') + table('private', 'dynamic "route" {\n    for_each = var.routes\n    content {}\n  }'),
      `${subnet('private')}${table('private')}resource "aws_vpc_endpoint" "s3" {}\n`,
      `${subnet('private')}${table('private')}module "nat" {\n  source = "./nat"\n  route_table_ids = [aws_route_table.private.id]\n}\n`,
      subnet('private').replace('= "demo"', '= "other"') + table('private'),
      table('private') + subnet('private').replace('aws_route_table.private.id', 'var.table'),
    ])
      expect(judged(text)).toEqual([]);
    const release = JSON.stringify({
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { name: 'karpenter' },
      spec: {
        destination: { namespace: 'karpenter' },
        source: {
          repoURL: 'public.ecr.aws/karpenter',
          chart: 'karpenter',
          targetRevision: '1.8.1',
          helm: { valuesObject: { settings: { isolatedVPC: true } } },
        },
      },
    });
    expect(findingsOf(subnetWithoutWayOut, subnet('private') + table('private'), {}, release)).toEqual([]);
  });

  test('reports private subnets of the VPC module without NAT, and intra subnets', () => {
    const vpc = (args: string) =>
      `module "vpc" {\n  source = "terraform-aws-modules/vpc/aws"\n  private_subnets = ["10.0.0.0/20"]\n  ${args}\n}\n`;
    const tags = (kind: string) => `${kind}_subnet_tags = { "karpenter.sh/discovery" = "demo" }`;
    expect(judged(vpc(tags('private')))).toMatchObject([{ severity: 'warning' }]);
    expect(judged(vpc(`enable_nat_gateway = true\n  ${tags('intra')}`))).toMatchObject([
      { remedy: 'tag the private subnets instead' },
    ]);
    expect(judged(vpc(`enable_nat_gateway = true\n  ${tags('private')}`))).toEqual([]);
    expect(judged(vpc(`enable_nat_gateway = var.nat\n  ${tags('private')}`))).toEqual([]);
    const endpoints = 'module "e" {\n  source = "terraform-aws-modules/vpc/aws//modules/vpc-endpoints"\n}\n';
    expect(judged(vpc(tags('private')) + endpoints)).toEqual([]);
  });

  test('reports public subnets of the VPC module, whose nodes have no public address', () => {
    const vpc = (args: string, value = '"demo"') =>
      `module "vpc" {\n  source = "terraform-aws-modules/vpc/aws"\n  version = "~> 5.0"\n  enable_nat_gateway = true\n  public_subnet_tags = { "karpenter.sh/discovery" = ${value} }\n  ${args}\n}\n`;
    expect(judged(vpc(''))).toMatchObject([
      { severity: undefined, remedy: expect.stringContaining('move the tag to private_subnet_tags') },
    ]);
    const both = vpc('private_subnet_tags = { "karpenter.sh/discovery" = "demo" }');
    expect(judged(both)).toMatchObject([{ severity: 'warning', remedy: 'remove the tag from public_subnet_tags' }]);
    expect(judged(vpc('', 'module.eks.cluster_name') + eksModule('cluster_name = "demo"'))).toHaveLength(1);
    for (const text of [
      vpc('', 'module.eks.cluster_name'),
      vpc('map_public_ip_on_launch = true'),
      vpc('map_public_ip_on_launch = var.map'),
      vpc('enable_ipv6 = true'),
      vpc('').replace('~> 5.0', '~> 3.0'),
      vpc('').replace('~> 5.0', '>= 3.0'),
    ])
      expect(judged(text)).toEqual([]);
    expect(judged(vpc(''), { associatePublicIPAddress: true })).toEqual([]);
  });

  test('reports route tables of templates, and NAT that eksctl does not create', () => {
    const resources = (gateway?: object) => ({
      Igw: { Type: 'AWS::EC2::InternetGateway' },
      Subnet: {
        Type: 'AWS::EC2::Subnet',
        Properties: { VpcId: 'v', Tags: [{ Key: 'karpenter.sh/discovery', Value: 'demo' }] },
      },
      Table: { Type: 'AWS::EC2::RouteTable', Properties: { VpcId: 'v' } },
      Link: {
        Type: 'AWS::EC2::SubnetRouteTableAssociation',
        Properties: { SubnetId: { Ref: 'Subnet' }, RouteTableId: { Ref: 'Table' } },
      },
      ...(gateway
        ? {
            Route: {
              Type: 'AWS::EC2::Route',
              Properties: { RouteTableId: { Ref: 'Table' }, DestinationCidrBlock: '0.0.0.0/0', ...gateway },
            },
          }
        : {}),
    });
    const manifests = [nodeClass(), nodePool('default')];
    const count = (gateway?: object) => judgeStack(subnetWithoutWayOut, resources(gateway), manifests).findings.length;
    expect([count(), count({ GatewayId: { Ref: 'Igw' } }), count({ NatGatewayId: 'nat-1' })]).toEqual([1, 1, 0]);
    const eksctl = (vpc: object, tags: object = { 'karpenter.sh/discovery': 'demo' }) =>
      JSON.stringify({
        apiVersion: 'eksctl.io/v1alpha5',
        kind: 'ClusterConfig',
        metadata: { name: 'demo', tags },
        vpc,
      });
    const judgedWith = (config: string) => judge(subnetWithoutWayOut, [...manifests, config]).findings;
    expect(judgedWith(eksctl({ nat: { gateway: 'Disable' } }))).toMatchObject([{ path: ['vpc', 'nat', 'gateway'] }]);
    for (const config of [
      eksctl({ nat: { gateway: 'Single' } }),
      eksctl({ nat: { gateway: 'Disable' } }, {}),
      eksctl({ nat: { gateway: 'Disable' }, subnets: { private: {} } }),
    ])
      expect(judgedWith(config)).toEqual([]);
  });
});

describe('KARP-922 terraform-plan-fails', () => {
  const judged = (text: string) => findingsOf(terraformPlanFails, text);
  const release = 'resource "helm_release" "k" {\n  chart = "karpenter"\n}\n';
  const manifest = (type: string, api: string) =>
    `resource "${type}" "a" {\n  manifest = {\n    apiVersion = "${api}"\n    kind = "NodePool"\n    metadata = { name = "a" }\n  }\n}\n`;

  test('warns about an object whose CRD the same configuration installs', () => {
    expect(judged(release + manifest('kubernetes_manifest', 'karpenter.sh/v1'))).toMatchObject([
      { object: { name: 'kubernetes_manifest.a' }, evidence: { release: 'helm_release.k' } },
    ]);
    expect(judged(manifest('kubernetes_manifest', 'karpenter.sh/v1'))).toEqual([]);
    expect(judged(release + manifest('kubernetes_manifest', 'batch/v1'))).toEqual([]);
    expect(judged(release + manifest('kubectl_manifest', 'karpenter.sh/v1'))).toEqual([]);
  });

  test('reports a token of ECR Public for another region, and names the right provider', () => {
    const provider = (region: string, alias = '') => `provider "aws" {\n  region = "${region}"\n  ${alias}\n}\n`;
    const token = (argument = '') => `data "aws_ecrpublic_authorization_token" "t" {\n  ${argument}\n}\n`;
    const virginia = provider('us-east-1', 'alias = "virginia"');
    expect(judged(provider('eu-west-1') + virginia + token())).toMatchObject([
      { object: { name: 'data.aws_ecrpublic_authorization_token.t' }, remedy: 'write provider = aws.virginia' },
    ]);
    expect(judged(provider('eu-west-1') + token())).toHaveLength(1);
    expect(judged(virginia.replace('us-east-1', 'eu-west-1') + token('provider = aws.virginia'))).toHaveLength(1);
    for (const text of [
      provider('eu-west-1') + virginia + token('provider = aws.virginia'),
      provider('us-east-1') + token(),
      provider('eu-west-1') + token('region = "us-east-1"'),
      provider('eu-west-1').replace('"eu-west-1"', 'var.region') + token(),
      token(),
    ])
      expect(judged(text)).toEqual([]);
  });
});

describe('KARP-825 and KARP-920, in Terraform', () => {
  const store = JSON.stringify({
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 'store' },
    spec: {
      selector: { matchLabels: { app: 'a' } },
      template: { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'a', image: 'a' }] } },
      volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: { storageClassName: 'gp2' } }],
    },
  });
  const judged = (text: string) => findingsOf(storageDriverMissing, text, {}, store);
  const addon = (name: string) =>
    `resource "aws_eks_addon" "${name}" {\n  cluster_name = aws_eks_cluster.this.name\n  addon_name = "${name}"\n}\n`;

  test('reports a driver that is not among the add-ons of the resources or of the EKS module', () => {
    expect(judged(cluster('') + addon('coredns'))).toMatchObject([
      { object: { kind: 'StatefulSet' }, evidence: { driver: 'ebs.csi.aws.com', addons: ['coredns'] } },
    ]);
    expect(judged(eksModule('cluster_addons = { coredns = {}, vpc-cni = { most_recent = true } }'))).toHaveLength(1);
    for (const text of [
      cluster(''),
      cluster('') + addon('coredns') + addon('aws-ebs-csi-driver'),
      eksModule('addons = { coredns = {}, aws-ebs-csi-driver = { most_recent = var.latest } }'),
      eksModule('cluster_addons = var.addons'),
      `${cluster('')}${addon('coredns')}module "ebs_csi_irsa" {\n  source = "./irsa"\n}\n`,
    ])
      expect(judged(text)).toEqual([]);
  });

  test('reports the labels of a node group beside Karpenter, except with Fargate', () => {
    const release = JSON.stringify({
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { name: 'karpenter' },
      spec: {
        destination: { namespace: 'karpenter' },
        source: {
          repoURL: 'public.ecr.aws/karpenter',
          chart: 'karpenter',
          targetRevision: '1.8.1',
          helm: { valuesObject: { nodeSelector: { role: 'infra' } } },
        },
      },
    });
    const group = 'resource "aws_eks_node_group" "a" {\n  labels = { role = "system" }\n}\n';
    const found = (text: string) => findingsOf(controllerWithoutNode, text, {}, release);
    expect(found(cluster('') + group)).toMatchObject([{ evidence: { wanted: 'role=infra', found: 'role=system' } }]);
    const profile =
      'resource "aws_eks_fargate_profile" "k" {\n  cluster_name = "demo"\n  selector {\n    namespace = "karpenter"\n  }\n}\n';
    expect(found(cluster('') + group + profile)).toEqual([]);
    const byModule = (args: string) => eksModule(`eks_managed_node_groups = { a = {} }\n  ${args}`);
    expect(found(byModule(''))).toHaveLength(1);
    expect(found(byModule('eks_managed_node_group_defaults = { labels = { role = "infra" } }'))).toEqual([]);
    expect(found(byModule('eks_managed_node_group_defaults = var.defaults'))).toEqual([]);
  });
});

describe('KARP-445 autoscaler-without-metrics, and KARP-615 pod-identity-agent-missing', () => {
  const addon = (name: string) =>
    `resource "aws_eks_addon" "${name}" {\n  cluster_name = aws_eks_cluster.this.name\n  addon_name = "${name}"\n}\n`;
  const autoscaler = (metrics?: object[]) =>
    JSON.stringify({
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'web' },
      spec: { scaleTargetRef: { kind: 'Deployment', name: 'web' }, maxReplicas: 5, metrics },
    });
  const scaled = JSON.stringify({
    apiVersion: 'keda.sh/v1alpha1',
    kind: 'ScaledObject',
    metadata: { name: 'jobs' },
    spec: {},
  });
  const judged = (text: string, ...manifests: string[]) => findingsOf(autoscalerWithoutMetrics, text, {}, ...manifests);

  test('reports autoscalers whose program is not among the add-ons, once for each program', () => {
    const text = cluster('') + addon('coredns');
    expect(judged(text, autoscaler(), autoscaler([{ type: 'Resource' }]).replace('web', 'api'), scaled)).toMatchObject([
      { evidence: { program: 'metrics-server', autoscalers: ['default/web', 'default/api'] } },
      { evidence: { program: 'keda' } },
    ]);
    for (const [other, ...manifests] of [
      [text + addon('metrics-server'), autoscaler()],
      [`${text}resource "helm_release" "k" {\n  chart = "keda"\n}\n`, scaled],
      [text, autoscaler([{ type: 'External' }])],
      [cluster(''), autoscaler()],
    ])
      expect(judged(other, ...manifests)).toEqual([]);
  });

  test('leaves metrics-server to eksctl, which installs it', () => {
    const config = (...names: string[]) =>
      JSON.stringify({
        apiVersion: 'eksctl.io/v1alpha5',
        kind: 'ClusterConfig',
        metadata: { name: 'demo' },
        addons: names.map((name) => ({ name })),
      });
    expect(judge(autoscalerWithoutMetrics, [config('coredns'), autoscaler(), scaled]).findings).toMatchObject([
      { object: { kind: 'ScaledObject' } },
    ]);
  });

  test('warns if the EKS module has add-ons, but not the agent for the association of the Karpenter module', () => {
    const karpenter =
      'module "karpenter" {\n  source = "terraform-aws-modules/eks/aws//modules/karpenter"\n  version = "21.0.0"\n  cluster_name = module.eks.cluster_name\n}\n';
    const release = JSON.stringify({
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { name: 'karpenter' },
      spec: {
        destination: { namespace: 'kube-system' },
        source: {
          repoURL: 'public.ecr.aws/karpenter',
          chart: 'karpenter',
          targetRevision: '1.8.1',
          helm: { valuesObject: {} },
        },
      },
    });
    const found = (args: string) =>
      findingsOf(podIdentityAgentMissing, eksModule(args, '~> 21.0') + karpenter, {}, release);
    expect(found('addons = { coredns = {} }')).toMatchObject([{ severity: 'warning' }]);
    expect(found('addons = { coredns = {}, eks-pod-identity-agent = { before_compute = true } }')).toEqual([]);
    expect(found('addons = var.addons')).toEqual([]);
    expect(found('')).toEqual([]);
  });
});
