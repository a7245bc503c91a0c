import { Root } from './root';
import { editedObjectsIn, isOfKind, POOL_KINDS } from './root-objects';
import { PlainRecord } from '../../records';

/** Where manifests name the cluster that they are for, in the text of an object as JSON. */
const NAMED: readonly RegExp[] = [
  /"app\.kubernetes\.io\/part-of":"([\w-]*cluster[\w-]*)"/g,
  /"(?:karpenter\.sh\/discovery|aws:eks:cluster-name|eks:cluster-name|alpha\.eksctl\.io\/cluster-name)":"([\w-]+)"/g,
  /--(?:aws-)?cluster-name[= ]([\w-]+)/g,
  /k8s\.io\/cluster-autoscaler\/(?!enabled\b|node-template\b)([\w-]+)/g,
  /"name":"(?:EKS_|AWS_)?CLUSTER_NAME","value":"([\w-]+)"/g,
];
/** Names that an editor replaces, or that charts have by default. */
const PLACEHOLDER =
  /^(?:(?:my|your|the|an?|example|sample|test)[-_]?)?(?:eks[-_]?|k8s[-_]?|kubernetes[-_]?)?cluster(?:[-_]?name)?$|^x+$/i;

/** The clusters that the objects of a root name by labels, tags, arguments and variables. */
export function clustersNamedIn(root: Pick<Root, 'sources'>): ReadonlySet<string> {
  return namesIn(root.sources.flatMap(editedObjectsIn));
}

/** The clusters of the NodePools of some roots: other objects beside them may be for any cluster. */
export function clustersOfPools(roots: readonly Root[]): ReadonlySet<string> {
  const objects = roots.flatMap(({ sources }) => sources.flatMap(editedObjectsIn));
  return namesIn(objects.filter((object) => isOfKind(object, POOL_KINDS)));
}

function namesIn(objects: readonly PlainRecord[]): ReadonlySet<string> {
  const texts = objects.map((object) => JSON.stringify(object));
  const names = texts.flatMap((text) =>
    NAMED.flatMap((pattern) => [...text.matchAll(pattern)].map(([, name]) => name)),
  );
  return new Set(names.filter((name) => !PLACEHOLDER.test(name)));
}

/** Whether the roots name clusters, and no name of one is part of a name of the other. */
export function nameOtherClusters(names: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  if (names.size === 0 || others.size === 0) return false;
  return [...names].every((name) => [...others].every((other) => !name.includes(other) && !other.includes(name)));
}
