import { otherProviderOf, pathsOf } from './environments';
import { clustersNamedIn, clustersOfPools, nameOtherClusters } from './named-cluster';
import { candidateSets, hasOwnPools, PoolSet, poolSetsOf } from './pool-sets';
import { Root } from './root';
import { editedObjectsIn, isOfKind, WORKLOAD_KINDS } from './root-objects';
import { SharedObjects, withObjectsOf } from './shared-objects';
import { terraformOfCluster } from './terraform-clusters';
import { asRecord } from '../../../../contract';
import { countText, shortListText } from '../../../../model';
import { PlainRecord } from '../../records';

/** A root whose files are all known. */
type ReadRoot = Root & { readonly skipped?: string };

/** More sets of NodePools than these are not tried for one root. */
const MOST_SETS = 4;

const PLANNED_WORKLOADS = WORKLOAD_KINDS.filter((kind) => kind !== 'DaemonSet' && kind !== 'CronJob');

/**
 * Plans the workloads of each root with NodePools of the repository, if the root has none or only such with taints.
 * If several sets of NodePools can be meant, there is a root for each of them. Classes of volumes, pods and nodes, and
 * what a namespace has, are shared likewise. Roots of one cluster get nothing from another cluster.
 *
 * Workloads whose path names another provider are skipped.
 *
 * @param chosen the roots to judge, which may be some of all @default - all
 */
export function withSharedPools<R extends ReadRoot>(all: readonly R[], chosen: readonly R[] = all): R[] {
  const read = all.filter(({ skipped }) => skipped === undefined);
  const pathOf = pathsOf(all);
  const pathOfAny = pathsOf([...all, ...suppliersOf(read)]);
  const sharing = sharedObjectsByCluster([...read, ...suppliersOf(read)], pathOfAny);
  const setsFor = poolSetsByCluster(read, pathOf);
  return chosen.flatMap((root): R[] => {
    if (root.skipped !== undefined || (!hasOwnPools(root) && !hasWorkloads(root))) return [root];
    const provider = otherProviderOf(pathOf(root));
    if (provider !== undefined && !hasOwnPools(root))
      return [
        { ...root, skipped: `not judged: its path names ${provider}, where Karpenter for AWS launches no nodes` },
      ];
    const complete = (part: R, set: readonly R[]) =>
      withObjectsOf(part, sharing.get(clusterOf(root))!.except(root), set);
    if (!hasWorkloads(root) || !needsPools(root)) return [complete(root, [])];
    const named = hasOwnPools(root) ? new Set<string>() : clustersNamedIn(root);
    const setsOfOthers = hasOwnPools(root)
      ? poolSetsOf(
          read.filter((other) => other !== root && !isOtherCluster(root, other)),
          pathOf,
        )
      : setsFor(root);
    const candidates = candidateSets(root, setsOfOthers, pathOf).filter(
      (set) => !set.roots.some((other) => isOtherCluster(root, other)),
    );
    const elsewhere = candidates.map(({ roots }) => clustersOfPools(roots));
    if (elsewhere.length > 0 && elsewhere.every((other) => nameOtherClusters(named, other)))
      return [{ ...root, skipped: otherClusterText(named, new Set(elsewhere.flatMap((other) => [...other]))) }];
    const terraform = terraformOfCluster(root);
    if (candidates.length === 0 && terraform !== undefined && !hasOwnPools(root) && read.some(hasOwnPools))
      return [{ ...root, skipped: `not judged: ${terraform} creates its cluster, and has no NodePools` }];
    // Pods of DaemonSets and CronJobs open no node in the plan, so that several plans would be alike.
    const isOneEnough = hasOwnPools(root) || !hasWorkloads(root, PLANNED_WORKLOADS);
    if (candidates.length === 0 || (candidates.length > 1 && isOneEnough)) return [complete(root, [])];
    if (candidates.length === 1) {
      const [{ roots }] = candidates;
      return [complete(withNote(root, `with the NodePools of ${nameOf(candidates[0], pathOf)}`), roots)];
    }
    return candidates.slice(0, MOST_SETS).map((set) => {
      const name = `${root.name} with ${nameOf(set, pathOf)}`;
      return complete(
        withNote({ ...root, name }, eachInTurn(candidates.map((candidate) => nameOf(candidate, pathOf)))),
        set.roots,
      );
    });
  });
}

/** What roots of each cluster, and those of no cluster, can get from others. */
function sharedObjectsByCluster(
  roots: readonly Root[],
  pathOf: (root: Root) => string,
): ReadonlyMap<string | undefined, SharedObjects> {
  const clusters = new Set<string | undefined>([undefined, ...roots.map(clusterOf)]);
  return new Map(
    [...clusters].map((cluster) => {
      const possible = roots.filter((root) => {
        const own = clusterOf(root);
        return cluster === undefined || own === undefined || own === cluster;
      });
      return [cluster, new SharedObjects(possible, pathOf)];
    }),
  );
}

function suppliersOf(roots: readonly Root[]): Root[] {
  return [...new Set(roots.flatMap(({ suppliers = [] }) => suppliers))];
}

function hasWorkloads(root: Root, kinds: readonly string[] = WORKLOAD_KINDS): boolean {
  return root.sources.some((file) => editedObjectsIn(file).some((object) => isOfKind(object, kinds)));
}

/** NodePools with taints are for some pods only, so the NodePools for the others are elsewhere. */
function needsPools(root: Root): boolean {
  return root.sources.every((file) =>
    editedObjectsIn(file)
      .filter((object) => isOfKind(object, ['NodePool', 'Provisioner']))
      .every(hasTaints),
  );
}

function hasTaints(pool: PlainRecord): boolean {
  const spec = asRecord(pool.spec);
  const taints = asRecord(asRecord(spec?.template)?.spec)?.taints ?? spec?.taints;
  return Array.isArray(taints) && taints.length > 0;
}

function isOtherCluster(root: Root, other: Root): boolean {
  const clusters = [clusterOf(root), clusterOf(other)];
  return root !== other && clusters.every((cluster) => cluster !== undefined) && clusters[0] !== clusters[1];
}

function clusterOf({ kind, name, cluster }: Root): string | undefined {
  return kind === 'cluster' ? name : cluster;
}

/** The sets of NodePools for a root: those of its own cluster, otherwise those that no other cluster has. */
function poolSetsByCluster<R extends Root>(
  roots: readonly R[],
  pathOf: (root: Root) => string,
): (root: R) => readonly PoolSet<R>[] {
  const known = new Map<string | undefined, readonly PoolSet<R>[]>();
  return (root) => {
    const cluster = clusterOf(root);
    const own = known.get(cluster);
    if (own) return own;
    const possible = cluster === undefined ? roots : roots.filter((other) => !isOtherCluster(root, other));
    const inCluster = possible.filter((other) => cluster !== undefined && clusterOf(other) === cluster);
    const sets = poolSetsOf(inCluster.some(hasOwnPools) ? inCluster : possible, pathOf);
    known.set(cluster, sets);
    return sets;
  };
}

function nameOf({ namedAfter }: PoolSet, pathOf: (root: Root) => string): string {
  return shortListText(
    namedAfter.map((root) => (pathOf(root) === '' ? 'the checked folder' : pathOf(root))),
    2,
  );
}

function otherClusterText(named: ReadonlySet<string>, others: ReadonlySet<string>): string {
  const [own, theirs] = [named, others].map((names) => shortListText([...names].sort(), 2));
  return `not judged: its manifests name the cluster ${own}, and the NodePools are those of ${theirs}`;
}

function eachInTurn(names: readonly string[]): string {
  const all = `${countText(names.length, 'set')} of NodePools can be meant, and the paths do not say which`;
  const tried = names.slice(0, MOST_SETS).join('; ');
  return names.length > MOST_SETS
    ? `${all}: only the first ${MOST_SETS} are tried (${tried}); pass the folders that belong together`
    : `${all}: each is tried in turn (${tried})`;
}

function withNote<R extends Root>(root: R, note: string): R {
  return { ...root, notes: [...root.notes, note] };
}
