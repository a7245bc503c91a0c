import { check, withKarpenterOfRepository } from '../../../../../src/validation';
import { karpenterTrace } from '../../../../../src/validation/manifest/source/karpenter-trace';
import { folderOfText } from '../../../../../src/validation/manifest/source/terraform/terraform-folders';
import { writtenResources } from '../../../../../src/validation/manifest/source/terraform/written-resources';
import { subnetsTooSmall } from '../../../../../src/validation/rules/instance-selection/addresses/subnets-too-small';
import { judgeStack, manifest, nodeClass, nodePool, types } from '../../judge';

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
});
