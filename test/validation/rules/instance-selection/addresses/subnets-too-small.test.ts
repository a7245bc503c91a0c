import { check, withKarpenterOfRepository } from '../../../../../src/validation';
import { karpenterTrace } from '../../../../../src/validation/manifest/source/karpenter-trace';
import { folderOfText } from '../../../../../src/validation/manifest/source/terraform/terraform-folders';
import { writtenResources } from '../../../../../src/validation/manifest/source/terraform/written-resources';
import { subnetsTooSmall } from '../../../../../src/validation/rules/instance-selection/addresses/subnets-too-small';
import { deployment, judge, judgeStack, manifest, nodeClass, nodePool, types } from '../../judge';

const rule = subnetsTooSmall;
const POOL = nodePool('default', { requirements: [types('m5.large')] });

function states(cidr: unknown, ...others: string[]): readonly string[] {
  const Tags = [{ Key: 'karpenter.sh/discovery', Value: 'demo' }];
  const subnet = { Type: 'AWS::EC2::Subnet', Properties: { VpcId: 'vpc-1', CidrBlock: cidr, Tags } };
  return judgeStack(rule, { A: subnet }, [nodeClass(), POOL, ...others]).states;
}

/** The findings of a Terraform file beside the class. */
function findingsIn(text: string) {
  const path = 'terraform/main.tf';
  const sources = [{ path: 'k8s/all.yaml', text: `${nodeClass()}\n---\n${POOL}`, isFound: true }];
  const files = karpenterTrace({ path, text }, '.tf', {
    resources: writtenResources({ path, text }, folderOfText(path, text)),
  });
  const root = { name: 'k8s', kind: 'files' as const, sources, notes: [] };
  const [{ sources: all }] = withKarpenterOfRepository([root], [...sources, ...files]);
  return check(all).findings.filter(({ rule: id }) => id === rule.id);
}

const subnets = (cidr: string) => `locals { vpc = "10.0.0.0/16" }
resource "aws_subnet" "private" {
  count      = 3
  vpc_id     = aws_vpc.this.id
  cidr_block = ${cidr}
  tags       = { "karpenter.sh/discovery" = "demo" }
}
`;
const vpcModule = (blocks: string) => `module "vpc" {
  source              = "terraform-aws-modules/vpc/aws"
  private_subnets     = ${blocks}
  private_subnet_tags = { "karpenter.sh/discovery" = "demo" }
}
`;

describe('KARP-268 subnets-too-small', () => {
  test('reports subnets of CloudFormation by the addresses that a node takes', () => {
    for (const cidr of ['10.0.0.0/28', '10.0.0.0/27']) expect(states(cidr)).toEqual(['fail AWS::EC2::Subnet/A']);
    for (const cidr of ['10.0.0.0/26', '10.0.0.0/20']) expect(states(cidr)).toEqual(['pass EC2NodeClass/default']);
  });

  test.each([
    ['cidrsubnet of a literal', subnets('cidrsubnet("10.0.0.0/16", 12, count.index)'), 5],
    ['cidrsubnet of a local', subnets('cidrsubnet(local.vpc, 12, count.index + 1)'), 5],
    ['a list of a module', vpcModule('["10.0.0.0/28", "10.0.0.16/28"]'), 3],
    ['cidrsubnets of equal sizes', vpcModule('slice(cidrsubnets("10.0.0.0/16", 12, 12, 12), 0, 2)'), 3],
    ['a computed list of a module', vpcModule('[for k, v in local.azs : cidrsubnet("10.0.0.0/20", 8, k)]'), 3],
  ])('reports Terraform subnets by %s, at their line', (_, text, line) => {
    const [finding, ...others] = findingsIn(text);
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ location: { file: 'terraform/main.tf', line }, severity: 'warning' });
    expect(finding.message).toContain(
      '/28, which leaves 11 addresses each for nodes and pods: the VPC CNI takes 20 for',
    );
  });

  test('passes Terraform subnets that are large enough, or of another size than the input says', () => {
    expect(findingsIn(subnets('cidrsubnet(local.vpc, 4, count.index)'))).toEqual([]);
    expect(findingsIn(subnets('cidrsubnet(var.vpc, 12, count.index)'))).toEqual([]);
    expect(findingsIn(vpcModule('var.private_subnets'))).toEqual([]);
    expect(findingsIn(vpcModule('cidrsubnets("10.0.0.0/16", 12, 4)'))).toEqual([]);
    expect(findingsIn(subnets('"10.0.0.0/28"').replace('vpc_id', 'ipv6_cidr_block = "::/64"\n  vpc_id'))).toEqual([]);
  });

  test('is not evaluated if a size is unknown, and does not apply if pods have other addresses', () => {
    expect(states({ Ref: 'Block' })).toEqual(['not-evaluated EC2NodeClass/default']);
    expect(states('10.0.0.0/28', manifest('crd.k8s.amazonaws.com/v1alpha1', 'ENIConfig', 'a', {}))).toEqual([]);
  });

  const eksctl = (cidr: string, env: object = {}, vpc: object = {}) =>
    JSON.stringify({
      apiVersion: 'eksctl.io/v1alpha5',
      kind: 'ClusterConfig',
      metadata: { name: 'demo', tags: { 'karpenter.sh/discovery': 'demo' } },
      vpc: { cidr, ...vpc },
      addons: [{ name: 'vpc-cni', configurationValues: JSON.stringify({ env }) }],
    });
  const web = deployment('web', {}, { requests: { cpu: '1500m' }, replicas: 20 });
  const found = (...documents: string[]) => judge(rule, [nodeClass(), POOL, web, ...documents]).findings;

  test('reports a block of eksctl that leaves each subnet one node, or all of them less than the plan takes', () => {
    expect(found(eksctl('10.0.0.0/24'))).toMatchObject([
      { path: ['vpc', 'cidr'], message: expect.stringContaining('/27, which leaves 27 addresses each') },
    ]);
    expect(found(eksctl('10.0.0.0/23'))).toMatchObject([
      { path: ['vpc', 'cidr'], evidence: { addresses: 354, taken: 400, nodes: 20 } },
    ]);
    expect(found(eksctl('10.0.0.0/22'))).toEqual([]);
    expect(found(eksctl('10.0.0.0/24', {}, { subnets: {} }))).toEqual([]);
  });

  test('counts the addresses that settings of the VPC CNI keep ready', () => {
    const at = (env: object, cidr = '10.0.0.0/22') =>
      found(eksctl(cidr, env)).map(({ path, evidence, remedy }) => [path[0], evidence?.taken, remedy]);
    const lower = (name: string) => `lower ${name}, or give nodes and pods subnets of /20 to /24`;
    expect(at({ MINIMUM_IP_TARGET: '50' })).toEqual([]);
    expect(at({ WARM_IP_TARGET: '25', MINIMUM_IP_TARGET: '10' }, '10.0.0.0/23')).toEqual([
      ['vpc', 580, expect.stringContaining('larger block')],
    ]);
    expect(at({ WARM_PREFIX_TARGET: '2', ENABLE_PREFIX_DELEGATION: 'true' })).toEqual([
      ['addons', 980, lower('WARM_PREFIX_TARGET')],
    ]);
    for (const env of [{ WARM_IP_TARGET: '2' }, { WARM_ENI_TARGET: '${ENIS}' }])
      expect(at(env, '10.0.0.0/23')).toEqual([]);
  });
});
