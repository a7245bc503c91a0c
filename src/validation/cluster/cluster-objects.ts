import { FieldProblem, formatFieldPath, formatValue, rejected } from '../../contract';
import { valueText } from '../../model';
import { InitialCluster, DescribedReservation, DescribedSubnet, ManifestObject, SourceFile } from '../manifest/model';
import { ProblemLog, READING_RULES } from '../manifest/problem-log';
import { PlainRecord, recordsOf, stringMapOf } from '../manifest/records';
import { readObjects } from '../manifest/source/kubernetes-objects';

/** The contents of the cluster files (`--cluster`). */
export interface ClusterObjects {
  /** If several objects have one identity, the last one. */
  readonly objects: readonly ManifestObject[];
  /** Unused instances, by the id of the capacity reservation. */
  readonly freeInstances: ReadonlyMap<string, number>;
  readonly placementGroups: InitialCluster['placementGroups'];
  readonly subnets: InitialCluster['subnets'];
  readonly openReservations: InitialCluster['openReservations'];
}

/**
 * Reads lists and documents as `kubectl get … -o yaml` prints them, and the output of `aws ec2
 * describe-capacity-reservations`, `describe-placement-groups` and `describe-subnets`: Karpenter queries these from
 * AWS, but writes them to no Kubernetes object.
 */
export function readClusterObjects(sources: readonly SourceFile[], log: ClusterLog): ClusterObjects {
  const freeInstances = new Map<string, number>();
  const objects = new Map<string, ManifestObject>();
  const placementGroups: Array<InitialCluster['placementGroups'][number]> = [];
  const subnets: DescribedSubnet[] = [];
  const openReservations: DescribedReservation[] = [];
  const readAwsOutput = (document: PlainRecord) => {
    const described = readDescribedSubnets(document);
    subnets.push(...(described ?? []));
    openReservations.push(...readOpenReservations(document));
    return (
      described !== undefined ||
      readReservations(document, freeInstances) ||
      readPlacementGroups(document, placementGroups)
    );
  };
  for (const object of readObjects(
    sources.map((source) => ({ ...source, isGenerated: true })),
    log,
    readAwsOutput,
  )) {
    if (object.name !== '') objects.set(objectIdentity(object), object);
    else
      log.addFieldProblem(
        object,
        rejected(['metadata', 'name'], 'must be a string', object.raw.metadata?.name, 'put the name in quotes'),
      );
  }
  return { objects: [...objects.values()], freeInstances, placementGroups, subnets, openReservations };
}

/**
 * Equal for two objects if applying the second one replaces the first. The API version does not count, only its group.
 */
export function objectIdentity({
  apiVersion,
  kind,
  namespace,
  name,
}: Pick<ManifestObject, 'apiVersion' | 'kind' | 'namespace' | 'name'>): string {
  return JSON.stringify([apiVersion.split('/').slice(0, -1).join('/'), kind, namespace ?? 'default', name]);
}

function readReservations(document: PlainRecord, freeInstances: Map<string, number>): boolean {
  if (!Array.isArray(document.CapacityReservations)) return false;
  for (const { CapacityReservationId: id, AvailableInstanceCount: count } of recordsOf(document.CapacityReservations)) {
    if (typeof id === 'string' && typeof count === 'number' && Number.isSafeInteger(count) && count >= 0)
      freeInstances.set(id, count);
  }
  return true;
}

const STRATEGIES = ['cluster', 'partition', 'spread'] as const;
/** EC2's limit for one placement group. */
const MAX_PARTITIONS = 7;

/** Karpenter uses placement groups in the state `available` only. */
function readPlacementGroups(document: PlainRecord, groups: Array<InitialCluster['placementGroups'][number]>): boolean {
  if (!Array.isArray(document.PlacementGroups)) return false;
  for (const { GroupId: id, GroupName: name, State: state, Strategy: awsStrategy, PartitionCount: count } of recordsOf(
    document.PlacementGroups,
  )) {
    const strategy = STRATEGIES.find((candidate) => candidate === awsStrategy);
    const partitions = strategy === 'partition' ? count : 0;
    const isComplete =
      typeof partitions === 'number' &&
      Number.isSafeInteger(partitions) &&
      partitions >= 0 &&
      partitions <= MAX_PARTITIONS;
    if (
      typeof id !== 'string' ||
      typeof name !== 'string' ||
      strategy === undefined ||
      state !== 'available' ||
      !isComplete
    )
      continue;
    groups.push({ id, name, strategy, partitions });
  }
  return true;
}

/**
 * Collects the problems of cluster files. The API server has accepted their objects before: a field that cannot be read
 * means that the file is damaged, not that a manifest is wrong.
 */
export class ClusterLog extends ProblemLog {
  public override addFieldProblem(
    object: ManifestObject,
    { path, problem, got, remedy, consequence }: FieldProblem,
  ): void {
    if (consequence === 'misread') return;
    const message = `${formatFieldPath(path)}: ${problem}, got ${formatValue(got)}; this ${object.kind} of the cluster is ignored`;
    this.add(
      READING_RULES.unreadable,
      'error',
      object,
      path,
      message,
      `${remedy}, or export the object again with kubectl get`,
    );
  }

  /** Drops all other findings: cluster objects are not judged. */
  public override add(...problem: Parameters<ProblemLog['add']>): void {
    if (problem[0] === READING_RULES.unreadable) super.add(...problem);
  }
}

/** The subnets in the output of `aws ec2 describe-subnets`; undefined for another document. */
function readDescribedSubnets(document: PlainRecord): DescribedSubnet[] | undefined {
  if (!Array.isArray(document.Subnets)) return undefined;
  return recordsOf(document.Subnets).flatMap((subnet): DescribedSubnet[] => {
    const { SubnetId: id, AvailabilityZone: zone, AvailableIpAddressCount: free } = subnet;
    return typeof id === 'string' && typeof zone === 'string' && isCount(free)
      ? [{ id, zone, free, tags: tagsOf(subnet) }]
      : [];
  });
}

/**
 * The active, open Linux reservations in the output of `aws ec2 describe-capacity-reservations`: EC2 uses them for any
 * instance that matches, unless a launch opts out. Nodes have shared tenancy, and match none of an Outpost or of a
 * cluster placement group.
 */
function readOpenReservations(document: PlainRecord): DescribedReservation[] {
  return recordsOf(document.CapacityReservations).flatMap((reservation): DescribedReservation[] => {
    const { CapacityReservationId: id, InstanceType: instanceType, AvailabilityZone: zone } = reservation;
    const { AvailableInstanceCount: free, OwnerId: owner } = reservation;
    const isOpen =
      reservation.State === 'active' &&
      reservation.InstanceMatchCriteria === 'open' &&
      (reservation.InstancePlatform === undefined || reservation.InstancePlatform === 'Linux/UNIX') &&
      (reservation.Tenancy ?? 'default') === 'default' &&
      (reservation.OutpostArn ?? reservation.PlacementGroupArn ?? undefined) === undefined;
    if (!isOpen || typeof id !== 'string' || typeof instanceType !== 'string' || typeof zone !== 'string') return [];
    return isCount(free) && free > 0
      ? [{ id, instanceType, zone, free, tags: tagsOf(reservation), ...(typeof owner === 'string' ? { owner } : {}) }]
      : [];
  });
}

function tagsOf({ Tags: tags }: PlainRecord): Readonly<Record<string, string>> {
  return stringMapOf(Object.fromEntries(recordsOf(tags).map(({ Key: key, Value: value }) => [valueText(key), value])));
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
