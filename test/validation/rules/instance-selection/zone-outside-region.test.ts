import { regionOfZoneId } from '../../../../src/catalog';
import { check, withKarpenterOfRepository } from '../../../../src/validation';
import { karpenterTrace } from '../../../../src/validation/manifest/source/karpenter-trace';
import { folderOfText } from '../../../../src/validation/manifest/source/terraform/terraform-folders';
import { writtenResources } from '../../../../src/validation/manifest/source/terraform/written-resources';
import { zoneOutsideRegion } from '../../../../src/validation/rules/instance-selection/zone-outside-region';
import { deployment, judge, judgeStack, nodeClass, nodePool } from '../judge';

const rule = zoneOutsideRegion;
const ZONE = 'topology.kubernetes.io/zone';
const inPlaces = (key: string, ...values: string[]) =>
  nodePool('far', { requirements: [{ key, operator: 'In', values }] });

describe('KARP-216 zone-outside-region', () => {
  test.each([['us-east-1a'], ['us-east-1f'], ['us-east-1-bos-1a']])(
    'passes a zone of the region, or a Local Zone of it: %s',
    (zone) => {
      expect(judge(rule, [nodeClass(), inPlaces(ZONE, zone)], { region: 'us-east-1' }).states).toEqual([
        'pass NodePool/far',
      ]);
    },
  );

  test('reports a region that does not exist, with the nearest one', () => {
    const { findings } = judge(rule, [nodeClass(), inPlaces('topology.kubernetes.io/region', 'us-est-1')], {
      region: 'us-east-1',
    });
    expect(findings).toMatchObject([
      {
        message: 'requires us-est-1, which does not exist: the NodePool launches no nodes',
        remedy: 'write us-east-1 instead of us-est-1',
        path: ['spec', 'template', 'spec', 'requirements', 0, 'values', 0],
        evidence: { values: ['us-est-1'], region: 'us-east-1' },
      },
    ]);
  });

  test('says that several values are zone IDs', () => {
    const { findings } = judge(rule, [nodeClass(), inPlaces(ZONE, 'us-east-1a', 'use1-az1', 'use1-az2')], {
      region: 'us-east-1',
    });
    expect(findings[0].message).toMatch(/^requires use1-az1 and use1-az2, which are zone IDs, not names of zones: /);
    expect(findings[0].path.slice(-2)).toEqual(['values', 1]);
  });

  test('reports another region than that of the cluster', () => {
    const { findings } = judge(rule, [nodeClass(), inPlaces('topology.kubernetes.io/region', 'eu-west-1')], {
      region: 'us-east-1',
    });
    expect(findings[0].message).toBe(
      'requires eu-west-1, which is another region, and the cluster is in us-east-1: the NodePool launches no nodes',
    );
  });

  test('reports a template label with a zone of another region', () => {
    const { findings } = judge(rule, [nodeClass(), nodePool('far', { labels: { [ZONE]: 'eu-west-1a' } })], {
      region: 'us-east-1',
    });
    expect(findings[0].path).toEqual(['spec', 'template', 'metadata', 'labels', ZONE]);
  });

  test('passes over NodePools and pods that name no zone, and over pods that allow a zone of the region, too', () => {
    const either = {
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [
              { matchExpressions: [{ key: ZONE, operator: 'In', values: ['us-east-1a', 'eu-west-1a'] }] },
            ],
          },
        },
      },
    };
    expect(
      judge(rule, [nodeClass(), nodePool('any'), deployment('web', either)], { region: 'us-east-1' }).states,
    ).toEqual([]);
  });

  test('reports a pod that requires a zone of another region, at its selector', () => {
    const { findings } = judge(
      rule,
      [nodeClass(), nodePool('any'), deployment('web', { nodeSelector: { [ZONE]: 'eu-west-1a' } })],
      { region: 'us-east-1' },
    );
    expect(findings).toMatchObject([
      {
        message:
          'its pods require eu-west-1a, which is in eu-west-1, and the cluster is in us-east-1: no node can be there, so they stay Pending',
        path: ['spec', 'template', 'spec', 'nodeSelector', ZONE],
      },
    ]);
  });
});

describe('KARP-216 with values of another key', () => {
  test.each([
    ['topology.kubernetes.io/region', ['us-east-1a', 'us-east-1b'], ZONE],
    ['topology.kubernetes.io/region', ['us-east-1a'], ZONE],
  ])('names the right key for %s In %j', (key, values, meant) => {
    const { findings } = judge(rule, [nodeClass(), inPlaces(key, ...values)], { region: 'us-east-1' });
    expect(findings).toMatchObject([
      {
        remedy: `write the key ${meant} instead of ${key}`,
        fix: { safe: true, edits: [{ operation: 'set', value: meant }] },
      },
    ]);
  });

  test.each([
    ['use1-az1', 'us-east-1'],
    ['apne1-az4', 'ap-northeast-1'],
    ['usgw1-az2', 'us-gov-west-1'],
  ])('names the region of the zone ID %s', (id, region) => {
    expect(regionOfZoneId(id)).toBe(region);
    expect(regionOfZoneId('zzz9-az1')).toBeUndefined();
  });

  describe('volumes', () => {
    const storageClass = (...zones: string[]) => `apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: { name: fast }
provisioner: ebs.csi.aws.com
volumeBindingMode: WaitForFirstConsumer
allowedTopologies:
  - matchLabelExpressions: [{ key: topology.ebs.csi.aws.com/zone, values: [${zones.join(', ')}] }]
`;
    const volume = (zone: string) => `apiVersion: v1
kind: PersistentVolume
metadata: { name: data }
spec:
  nodeAffinity:
    required:
      nodeSelectorTerms:
        - matchExpressions: [{ key: topology.kubernetes.io/zone, operator: In, values: [${zone}] }]
`;
    const claim = `apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data }
spec: { storageClassName: fast, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
`;
    const findingsOf = (...documents: string[]) =>
      judge(rule, [nodeClass(), inPlaces(ZONE, 'us-east-1a', 'us-east-1b'), ...documents], { region: 'us-east-1' })
        .findings;

    test('of a StorageClass in another region are an error if a claim uses the class', () => {
      const [finding] = findingsOf(storageClass('eu-west-1a', 'eu-west-1b'), claim);
      expect(finding).toMatchObject({
        severity: 'error',
        remedy: 'write us-east-1a and us-east-1b instead of eu-west-1a and eu-west-1b, or remove allowedTopologies',
        path: ['allowedTopologies', 0, 'matchLabelExpressions', 0, 'values'],
        fix: { edits: [{ value: ['us-east-1a', 'us-east-1b'] }] },
      });
      expect(findingsOf(storageClass('eu-west-1a'))[0].severity).toBe('warning');
    });

    test('in zones without a NodePool are a warning, and pass if one zone has a NodePool', () => {
      expect(findingsOf(storageClass('us-east-1d'), claim)).toMatchObject([
        {
          severity: 'warning',
          message:
            'creates volumes only in us-east-1d, and the NodePools launch nodes in us-east-1a and us-east-1b: no node of Karpenter can mount them',
        },
      ]);
      expect(findingsOf(storageClass('us-east-1d', 'us-east-1a'), claim)).toEqual([]);
    });

    test('that exist are reported by their zone', () => {
      expect(findingsOf(volume('eu-west-1a'))[0]).toMatchObject({
        message: expect.stringContaining('is a volume in eu-west-1a, which is in eu-west-1'),
        remedy: 'create the volume in a zone of the NodePools, us-east-1a or us-east-1b, for example from a snapshot',
      });
      expect(findingsOf(volume('us-east-1b'))).toEqual([]);
    });

    test('that pods wait for are reported with these pods, whose finding has the zone to allow', () => {
      const bound = claim.replace('storageClassName: fast', 'storageClassName: fast, volumeName: data');
      const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }];
      expect(findingsOf(volume('us-east-1d'))).toHaveLength(1);
      expect(findingsOf(volume('us-east-1d'), bound, deployment('db', { volumes }))).toEqual([]);
    });
  });
});

describe('KARP-216 with the subnets of the cluster', () => {
  const subnet = (zone: unknown, vpc: string, discovery = 'demo') => ({
    Type: 'AWS::EC2::Subnet',
    Properties: {
      VpcId: { Ref: vpc },
      AvailabilityZone: zone,
      Tags: [{ Key: 'karpenter.sh/discovery', Value: discovery }],
    },
  });
  const VPC = { Type: 'AWS::EC2::VPC', Properties: {} };
  const STACK = { Vpc: VPC, A: subnet('us-east-1a', 'Vpc'), B: subnet('us-east-1b', 'Vpc') };
  const inStack = (stack: object, ...zones: string[]) =>
    judgeStack(rule, stack, [nodeClass(), inPlaces(ZONE, ...zones)], { region: 'us-east-1' }).findings;

  /** The findings of a Terraform file beside a NodePool. */
  function inTerraform(text: string, ...zones: string[]) {
    const path = 'main.tf';
    const sources = [{ path: 'k8s/all.yaml', text: `${nodeClass()}\n---\n${inPlaces(ZONE, ...zones)}`, isFound: true }];
    const files = karpenterTrace({ path, text }, '.tf', {
      resources: writtenResources({ path, text }, folderOfText(path, text)),
    });
    const root = { name: 'k8s', kind: 'files' as const, sources, notes: [] };
    const [{ sources: all }] = withKarpenterOfRepository([root], [...sources, ...files]);
    return check(all).findings.filter(({ rule: id }) => id === rule.id);
  }

  test('reports a NodePool whose zones have no subnet in a template, with the zones that have one', () => {
    expect(inStack(STACK, 'us-east-1c')).toMatchObject([
      {
        message: 'requires us-east-1c, where EC2NodeClass default selects no subnet: the NodePool launches no nodes',
        remedy: 'write us-east-1a or us-east-1b instead of us-east-1c, or add subnets in that zone',
        severity: 'error',
        fix: { safe: false, edits: [{ value: ['us-east-1a', 'us-east-1b'] }] },
        related: { object: { name: 'A' }, label: 'the subnets are in us-east-1a, us-east-1b' },
      },
    ]);
  });

  test('warns of some zones without a subnet, and removes them if all other zones are there', () => {
    expect(inStack(STACK, 'us-east-1a', 'us-east-1b', 'us-east-1c')).toMatchObject([
      {
        remedy: 'remove us-east-1c, or add subnets in that zone',
        severity: 'warning',
        fix: { safe: true, edits: [{ value: ['us-east-1a', 'us-east-1b'] }] },
      },
    ]);
    expect(inStack(STACK, 'us-east-1a', 'us-east-1b')).toEqual([]);
  });

  test.each<[string, object]>([
    ['without the VPC', { A: STACK.A }],
    ['with several VPCs', { ...STACK, Other: VPC }],
    ['with a zone known only at deployment', { ...STACK, C: subnet({ Ref: 'Zone' }, 'Vpc') }],
    ['with a tag known only at deployment', { ...STACK, C: subnet({ Ref: 'Zone' }, 'Vpc', '${Name}') }],
    ['with no subnet that the class selects', { Vpc: VPC, A: subnet('us-east-1a', 'Vpc', 'other') }],
    ['with a nested stack', { ...STACK, Nested: { Type: 'AWS::CloudFormation::Stack', Properties: {} } }],
  ])('says nothing %s', (_, stack) => {
    expect(inStack(stack, 'us-east-1c')).toEqual([]);
  });

  const TAGS = '{ "karpenter.sh/discovery" = "demo" }';
  const vpcModule = (azs: string, more = '') => `module "vpc" {
  source              = "terraform-aws-modules/vpc/aws"
  azs                 = ${azs}
  private_subnet_tags = ${TAGS}
}
${more}`;
  const RESOURCES = `locals { zones = ["us-east-1a", "us-east-1b"] }
resource "aws_vpc" "this" {}
resource "aws_subnet" "private" {
  count             = 2
  vpc_id            = aws_vpc.this.id
  availability_zone = local.zones[count.index]
  tags              = ${TAGS}
}
`;

  test('reads the zones of all subnets in Terraform, and of the VPC module', () => {
    for (const [text, line] of [[RESOURCES, 6] as const, [vpcModule('["us-east-1a", "us-east-1b"]'), 3] as const]) {
      expect(inTerraform(text, 'us-east-1b')).toEqual([]);
      expect(inTerraform(text, 'us-east-1c')).toMatchObject([
        { severity: 'error', related: { location: { file: 'main.tf', line } } },
      ]);
    }
  });

  test.each([
    ['zones that only AWS knows', vpcModule('slice(data.aws_availability_zones.all.names, 0, 3)')],
    ['zone IDs', vpcModule('["use1-az1"]')],
    [
      'another module of networks',
      vpcModule('["us-east-1a"]', 'module "more" {\n  source = "acme/dynamic-subnets/aws"\n}\n'),
    ],
    ['a number of subnets that only Terraform knows', RESOURCES.replace('= 2', '= var.number')],
  ])('says nothing about %s', (_, text) => {
    expect(inTerraform(text, 'us-east-1c')).toEqual([]);
  });

  test('reads the zones of eksctl, unless the subnets exist already', () => {
    const cluster = (more: string) =>
      `apiVersion: eksctl.io/v1alpha5\nkind: ClusterConfig\nmetadata: { name: demo, region: us-east-1, tags: { karpenter.sh/discovery: demo } }\navailabilityZones: [us-east-1a, us-east-1b]${more}`;
    const findings = (more: string) => judge(rule, [nodeClass(), inPlaces(ZONE, 'us-east-1c'), cluster(more)]).findings;
    expect(findings('')).toMatchObject([{ severity: 'error', related: { path: ['availabilityZones'] } }]);
    expect(findings('\nvpc: { id: vpc-1 }')).toEqual([]);
  });
});
