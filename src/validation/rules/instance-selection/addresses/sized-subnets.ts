import { asRecord } from '../../../../contract';
import { eksctlClusters } from '../../../cluster/node-groups';
import { selectsEksctlCluster } from '../../../context/subnet-zones';
import { FieldPath, ManifestModel, ManifestObject, NodeClassManifest } from '../../../manifest/model';
import { PlainRecord, recordsOf } from '../../../manifest/records';
import { anyOf, selectsResource, Subnet } from '../../../template';

/** The subnets of a node class, with the sizes of their IPv4 blocks. */
export interface SizedSubnets {
  readonly object: ManifestObject;
  readonly path: FieldPath;
  readonly names: readonly string[];
  /** Undefined if a size is known only at deployment. */
  readonly prefixLengths?: readonly number[];
  /** Whether the class selects no others. */
  readonly isWhole: boolean;
}

export function subnetsOfClass(model: ManifestModel, { object }: NodeClassManifest): SizedSubnets | undefined {
  const terms = recordsOf(object.raw?.spec?.subnetSelectorTerms);
  const clusters = eksctlClusters(model.objects);
  return model.aws.subnets.length > 0
    ? ofTemplates(model, terms)
    : clusters.length === 1
      ? ofEksctl(clusters[0].object, terms)
      : undefined;
}

function ofTemplates({ aws }: ManifestModel, terms: readonly PlainRecord[]): SizedSubnets | undefined {
  const answers = aws.subnets.map((subnet) => anyOf(terms.map((term) => selectsResource(term, subnet))));
  const selected = aws.subnets.filter((_, index) => answers[index] === 'yes');
  const [first] = selected;
  if (first === undefined) return undefined;
  const isSized = (subnet: Subnet): subnet is Subnet & Required<Pick<Subnet, 'prefixLengths'>> =>
    subnet.prefixLengths !== undefined;
  return {
    object: first.resource.object,
    path: ['Properties', 'CidrBlock'],
    names: [...new Set(selected.map(({ resource }) => resource.object.name))],
    ...(selected.every(isSized) ? { prefixLengths: selected.flatMap(({ prefixLengths }) => prefixLengths) } : {}),
    isWhole: !answers.includes('unknown') && terms.every(({ id }) => id === undefined),
  };
}

const BLOCK = /^\d[\d.]*\/(\d{1,2})$/;
/** A VPC has at least so many parts, with a public and a private one in each zone. */
const FEWEST_PARTS = 8;
const DEFAULT_ZONES = 3;

/**
 * eksctl divides the block of the VPC into 8 parts, or into 16 for more than four zones.
 *
 * @see https://github.com/eksctl-io/eksctl/blob/v0.215.0/pkg/vpc/vpc.go
 */
function ofEksctl(object: ManifestObject, terms: readonly PlainRecord[]): SizedSubnets | undefined {
  const { cidr, id, subnets } = asRecord(object.raw.vpc) ?? {};
  const [, length] = BLOCK.exec(typeof cidr === 'string' ? cidr : '') ?? [];
  if (length === undefined || (id ?? subnets) !== undefined || !selectsEksctlCluster(object, terms)) return undefined;
  const zones = [object.raw.availabilityZones, object.raw.localZones].flatMap((list) =>
    Array.isArray(list) ? list : [],
  );
  const count = 2 * (zones.length || DEFAULT_ZONES);
  return {
    object,
    path: ['vpc', 'cidr'],
    names: [`of cluster ${object.name}`],
    prefixLengths: Array<number>(count).fill(Number(length) + (count <= FEWEST_PARTS ? 3 : 4)),
    isWhole: true,
  };
}
