import { ClusterLog } from './cluster-log';
import { rejected } from '../../contract';
import { ClusterState, ManifestObject, SourceFile } from '../manifest/model';
import { readObjects } from '../manifest/objects';
import { PlainRecord, recordsOf } from '../manifest/records';

/** What the files say that tell how the cluster is. */
export interface ClusterObjects {
  /** The last of each identity. */
  readonly objects: readonly ManifestObject[];
  /** By the id of a capacity reservation: instances of it that nobody uses. */
  readonly freeInstances: ReadonlyMap<string, number>;
  readonly placementGroups: ClusterState['placementGroups'];
}

/**
 * Reads lists and documents as `kubectl get … -o yaml` prints them, and what `aws ec2 describe-capacity-reservations` and
 * `describe-placement-groups` print: what Karpenter asks AWS for, and tells nobody.
 */
export function readClusterObjects(sources: readonly SourceFile[], log: ClusterLog): ClusterObjects {
  const freeInstances = new Map<string, number>();
  const objects = new Map<string, ManifestObject>();
  const placementGroups: Array<ClusterState['placementGroups'][number]> = [];
  const takeOfAws = (document: PlainRecord) => takeReservations(document, freeInstances) || takePlacementGroups(document, placementGroups);
  for (const object of readObjects(sources, log, takeOfAws)) {
    if (object.name !== '') objects.set(identityOf(object), object);
    else log.addFieldProblem(object, rejected(['metadata', 'name'], 'must be a text', object.raw.metadata?.name, 'put the name in quotes'));
  }
  return { objects: [...objects.values()], freeInstances, placementGroups };
}

/** The same for two objects of which the second one applied replaces the first. */
export function identityOf({ apiVersion, kind, namespace, name }: Pick<ManifestObject, 'apiVersion' | 'kind' | 'namespace' | 'name'>): string {
  return JSON.stringify([apiVersion.split('/').slice(0, -1).join('/'), kind, namespace ?? 'default', name]);
}

function takeReservations(document: PlainRecord, free: Map<string, number>): boolean {
  if (!Array.isArray(document.CapacityReservations)) return false;
  for (const { CapacityReservationId: id, AvailableInstanceCount: count } of recordsOf(document.CapacityReservations)) {
    if (typeof id === 'string' && typeof count === 'number' && Number.isSafeInteger(count) && count >= 0) free.set(id, count);
  }
  return true;
}

const STRATEGIES = ['cluster', 'partition', 'spread'] as const;
/** EC2 has seven at most. */
const MOST_PARTITIONS = 7;

/** Of those that Karpenter takes: which are available. */
function takePlacementGroups(document: PlainRecord, groups: Array<ClusterState['placementGroups'][number]>): boolean {
  if (!Array.isArray(document.PlacementGroups)) return false;
  for (const { GroupId: id, GroupName: name, State: state, Strategy: written, PartitionCount: count } of recordsOf(document.PlacementGroups)) {
    const strategy = STRATEGIES.find((known) => known === written);
    const partitions = strategy === 'partition' ? count : 0;
    const isWhole = typeof partitions === 'number' && Number.isSafeInteger(partitions) && partitions >= 0 && partitions <= MOST_PARTITIONS;
    if (typeof id !== 'string' || typeof name !== 'string' || strategy === undefined || state !== 'available' || !isWhole) continue;
    groups.push({ id, name, strategy, partitions });
  }
  return true;
}
