import { dirname } from 'node:path';
import { asRecord, FieldPath } from '../../contract';
import { eksctlClusters } from '../cluster/node-groups';
import { DescribedSubnet, ManifestModel, ManifestObject, NodeClassManifest } from '../manifest/model';
import { PlainRecord, recordsOf, stringMapOf } from '../manifest/records';
import { anyOf, hasUnknown, selectsResource } from '../template';

/** The zones in which a node class has subnets. */
export interface SubnetZones {
  readonly zones: readonly string[];
  /** The field that says it. @default - the output of the AWS CLI, which is no object */
  readonly related?: { readonly object: ManifestObject; readonly path: FieldPath; readonly label: string };
}

/** Tags of the subnets of one cluster. */
const CLUSTER_TAGS = ['karpenter.sh/discovery', 'alpha.eksctl.io/cluster-name'];
const OWN_CLUSTER = /^\$\{(?:module|aws_eks_cluster)\./;

/**
 * The zones of all subnets that a node class may select. Undefined if others may exist: without a VPC in the files,
 * with several, or if a zone or a tag is known only at deployment.
 */
export function subnetZonesOf(model: ManifestModel, { object }: NodeClassManifest): SubnetZones | undefined {
  const terms = recordsOf(asRecord(object.raw.spec)?.subnetSelectorTerms);
  if (terms.length === 0 || recordsOf(object.raw.status?.subnets).length > 0) return undefined;
  const described = model.cluster?.subnets ?? [];
  if (described.length > 0) return zonesOfDescribed(described, terms);
  const clusters = eksctlClusters(model.objects);
  if (clusters.length === 0) return zonesOfTemplates(model, terms);
  const { subnets } = networkOf(model);
  return clusters.length > 1 || subnets.length > 0 ? undefined : zonesOfEksctl(clusters[0].object, terms);
}

/** Terraform files are read only if there are no templates. */
function networkOf({ aws, writtenAws = aws }: ManifestModel): ManifestModel['aws'] {
  return aws.hasTemplates ? aws : writtenAws;
}

/** The output of the AWS CLI has all subnets. */
function zonesOfDescribed(subnets: readonly DescribedSubnet[], terms: readonly PlainRecord[]): SubnetZones | undefined {
  const answers = subnets.map(({ id, tags, zone }) => ({
    zone,
    answer: anyOf(terms.map((term) => selectsResource(term, { name: id, tags }))),
  }));
  if (!answers.some(({ answer }) => answer === 'yes')) return undefined;
  return { zones: distinct(answers.filter(({ answer }) => answer !== 'no').map(({ zone }) => zone)) };
}

function zonesOfTemplates(model: ManifestModel, terms: readonly PlainRecord[]): SubnetZones | undefined {
  const aws = networkOf(model);
  if (aws !== model.writtenAws && aws.opaque.length > 0) return undefined;
  const vpcs = [...aws.resources.values()].filter(({ type }) => type === 'AWS::EC2::VPC');
  const answers = aws.subnets.map((subnet) => ({
    subnet,
    answer: anyOf(terms.map((term) => selectsResource(term, subnet))),
  }));
  const candidates = answers.filter(({ answer }) => answer !== 'no').map(({ subnet }) => subnet);
  const selected =
    answers.find(({ answer }) => answer === 'yes')?.subnet ?? candidates.find(({ tags }) => isForCluster(terms, tags));
  const folders = new Set(candidates.map(({ resource }) => dirname(resource.object.locate([]).file)));
  const isByTags = terms.every((term) => term.id === undefined && asRecord(term.tags) !== undefined);
  if (vpcs.length !== 1 || folders.size !== 1 || selected === undefined || !isByTags) return undefined;
  if (candidates.some((subnet) => subnet.zones === undefined)) return undefined;
  const zones = candidates.flatMap((subnet) => subnet.zones!);
  const field = selected.resource.properties.Zones === undefined ? 'AvailabilityZone' : 'Zones';
  return found(zones, selected.resource.object, ['Properties', field]);
}

/** Whether the value of the tag is the name of the cluster of the same files, as Terraform refers to it. */
function isForCluster(terms: readonly PlainRecord[], tags: Readonly<Record<string, string>> = {}): boolean {
  return terms.every((term) =>
    Object.entries(stringMapOf(term.tags)).some(
      ([key, value]) => CLUSTER_TAGS.includes(key) && Object.hasOwn(tags, key) && OWN_CLUSTER.test(value),
    ),
  );
}

/** Whether all terms select subnets by a tag that eksctl gives to those of its cluster. */
export function selectsEksctlCluster(object: ManifestObject, terms: readonly PlainRecord[]): boolean {
  const tags = new Map(
    Object.entries({ ...stringMapOf(object.raw.metadata?.tags), 'alpha.eksctl.io/cluster-name': object.name }),
  );
  return terms.every(
    (term) =>
      term.id === undefined &&
      Object.entries(stringMapOf(term.tags)).some(
        ([key, value]) => CLUSTER_TAGS.includes(key) && !hasUnknown(value) && tags.get(key) === value,
      ),
  );
}

/**
 * eksctl makes one public and one private subnet in each zone, and tags them with the tags of the cluster.
 *
 * @see https://docs.aws.amazon.com/eks/latest/eksctl/schema.html
 */
function zonesOfEksctl(object: ManifestObject, terms: readonly PlainRecord[]): SubnetZones | undefined {
  const raw = object.raw as PlainRecord;
  const { subnets, id } = asRecord(raw.vpc) ?? {};
  const { availabilityZones: own, localZones = [] } = raw;
  const zones: unknown[] = [...(Array.isArray(own) ? own : []), ...(Array.isArray(localZones) ? localZones : [])];
  const isKnown =
    Array.isArray(own) && own.length > 0 && zones.every((zone) => typeof zone === 'string' && !hasUnknown(zone));
  if (!isKnown || (subnets ?? id) !== undefined || !selectsEksctlCluster(object, terms)) return undefined;
  return found(zones as string[], object, ['availabilityZones']);
}

function found(zones: readonly string[], object: ManifestObject, path: FieldPath): SubnetZones {
  const all = distinct(zones);
  return { zones: all, related: { object, path, label: `the subnets are in ${all.join(', ')}` } };
}

function distinct(zones: readonly string[]): string[] {
  return [...new Set(zones)].sort();
}
