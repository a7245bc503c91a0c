import { asRecord } from '../../../contract';
import { eksctlClusters } from '../../cluster/node-groups';
import { ManifestObject } from '../../manifest/model';
import { EksCluster } from '../../template';
import { SubjectFinding } from '../define-rule';
import { RelatedField, RuleContext } from '../rule';

/** The blocks in which EKS accepts a range of Services. */
const PRIVATE = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'];
const SHORTEST = 12;
const LONGEST = 24;
/** The ranges that EKS chooses itself. */
const DEFAULTS = ['172.20.0.0/16', '10.100.0.0/16'];
/** The VPC that eksctl creates if the file names none. */
const VPC_OF_EKSCTL = '192.168.0.0/16';
const CIDR = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})\/(\d{1,2})$/;

interface Range {
  readonly first: number;
  readonly last: number;
  readonly length: number;
}

/** A range that is written, with its place. */
interface WrittenRange extends RelatedField {
  readonly cidr: unknown;
}

/**
 * Why EKS refuses the range of Services in a file of eksctl.
 *
 * @see https://docs.aws.amazon.com/eks/latest/APIReference/API_KubernetesNetworkConfigRequest.html
 */
export function servicesOfEksctl(object: ManifestObject): SubjectFinding | undefined {
  const { cidr, id, subnets } = asRecord(object.raw.vpc) ?? {};
  const isOwn = id === undefined && subnets === undefined;
  const path = ['kubernetesNetworkConfig', 'serviceIPv4CIDR'];
  const written = asRecord(object.raw.kubernetesNetworkConfig)?.serviceIPv4CIDR;
  const vpc = cidr ?? (isOwn ? VPC_OF_EKSCTL : undefined);
  return refusedRange(
    { object, path, label: '', cidr: written },
    { object, path: ['vpc', 'cidr'], label: '', cidr: vpc },
  );
}

/** Why EKS refuses the range of Services of a cluster in templates or Terraform. */
export function servicesOfTemplates(
  { resource }: EksCluster,
  { model: { aws, objects } }: RuleContext,
): SubjectFinding | undefined {
  const cidr = asRecord(resource.properties.KubernetesNetworkConfig)?.ServiceIpv4Cidr;
  const vpcs = [...aws.resources.values()].filter(({ type }) => type === 'AWS::EC2::VPC');
  const [vpc, ...others] = vpcs;
  const isOnly = others.length === 0 && aws.clusters.length === 1 && eksctlClusters(objects).length === 0;
  const path = ['Properties', 'KubernetesNetworkConfig', 'ServiceIpv4Cidr'];
  const own = isOnly ? vpc?.properties.CidrBlock : undefined;
  return refusedRange(
    { object: resource.object, path, label: '', cidr },
    { object: vpc?.object ?? resource.object, path: ['Properties', 'CidrBlock'], label: '', cidr: own },
  );
}

function refusedRange(services: WrittenRange, vpc: WrittenRange): SubjectFinding | undefined {
  const range = rangeOf(services.cidr);
  if (range === undefined) return undefined;
  const text = `the Services have addresses of ${services.cidr as string}`;
  const evidence = { serviceCidr: services.cidr, vpcCidr: vpc.cidr ?? null };
  const refused = 'EKS refuses the cluster';
  const isPrivate = PRIVATE.some((block) => isInside(range, rangeOf(block)!));
  if (!isPrivate || range.length < SHORTEST || range.length > LONGEST)
    return {
      path: services.path,
      message: `${text}, which is ${isPrivate ? `no block between /${SHORTEST} and /${LONGEST}` : `not inside of ${PRIVATE.join(', ')}`}: ${refused}`,
      remedy: 'write a block such as 172.20.0.0/16, or remove the field',
      evidence,
    };
  const network = rangeOf(vpc.cidr);
  if (network === undefined || !overlaps(range, network)) return undefined;
  const other = overlaps(network, rangeOf(DEFAULTS[0])!) ? DEFAULTS[1] : DEFAULTS[0];
  return {
    path: services.path,
    message: `${text}, which overlap with those of the VPC, ${vpc.cidr as string}: ${refused}`,
    remedy: `write a block outside of the VPC, such as ${other}, or remove the field: EKS then chooses one`,
    evidence,
    related: { ...vpc, label: `the VPC has ${vpc.cidr as string}` },
  };
}

function rangeOf(cidr: unknown): Range | undefined {
  const match = typeof cidr === 'string' ? CIDR.exec(cidr) : null;
  if (!match) return undefined;
  const [a, b, c, d, length] = match.slice(1).map(Number);
  if ([a, b, c, d].some((part) => part > 255) || length > 32) return undefined;
  const size = 2 ** (32 - length);
  const address = ((a * 256 + b) * 256 + c) * 256 + d;
  const first = address - (address % size);
  return { first, last: first + size - 1, length };
}

function overlaps(one: Range, other: Range): boolean {
  return one.first <= other.last && other.first <= one.last;
}

function isInside(inner: Range, outer: Range): boolean {
  return inner.first >= outer.first && inner.last <= outer.last;
}
