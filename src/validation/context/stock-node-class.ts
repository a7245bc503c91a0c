import { DEFAULT_NODE_CLASS, NodeClassFacts } from '../../catalog';
import { EC2_NODE_CLASS_API } from '../../contract';
import { Label, listText } from '../../model';
import { isAutoMode } from '../eks-auto-mode';
import { ManifestModel, NodePoolManifest } from '../manifest/model';
import { hasPlaceholder } from '../manifest/placeholders/placeholder';

/** Labels whose values on a node depend on fields of the class that a stock class does not have. */
const LABELS_OF_CLASSES: readonly string[] = [
  Label.WINDOWS_BUILD,
  Label.CAPACITY_RESERVATION_ID,
  Label.CAPACITY_RESERVATION_TYPE,
  Label.CAPACITY_RESERVATION_INTERRUPTIBLE,
  Label.PLACEMENT_GROUP_ID,
  Label.PLACEMENT_GROUP_PARTITION,
];
/** Kinds of classes of all versions. */
const CLASS_KINDS: readonly string[] = [EC2_NODE_CLASS_API.kind, 'AWSNodeTemplate'];

/**
 * NodePools of an input without any node class, because their classes are kept elsewhere: in Terraform, or in another
 * repository. A NodePool is like these if a program fills in the name of its class, or of the class that it refers to.
 */
export function poolsWithoutAnyClass({ objects, nodePools, cluster }: ManifestModel): NodePoolManifest[] {
  const classes = [...objects, ...(cluster?.objects ?? [])]
    .filter(
      ({ apiVersion, kind }) => CLASS_KINDS.includes(kind) && apiVersion.startsWith(`${EC2_NODE_CLASS_API.group}/`),
    )
    .map(({ name }) => name);
  const isUnknown = (name: string) =>
    classes.length === 0 || (!classes.includes(name) && [name, ...classes].some(hasPlaceholder));
  return [...nodePools, ...(cluster?.nodePools ?? [])].filter(
    (pool) => pool.spec?.nodeClass && isUnknown(pool.spec.nodeClass) && !isAutoMode(pool),
  );
}

/** The classes that are assumed for these NodePools, in the order of their names. */
export function stockNodeClasses(model: ManifestModel): NodeClassFacts[] {
  const pools = poolsWithoutAnyClass(model);
  const special = new Set(pools.filter(needsSpecialClass).map(({ spec }) => spec!.nodeClass));
  const names = [...new Set(pools.map(({ spec }) => spec!.nodeClass))].filter((name) => !special.has(name));
  const storage = needsStorage(model) ? { blockDevices: [LARGE_ROOT_VOLUME] } : {};
  return names.sort().map((name) => ({ ...DEFAULT_NODE_CLASS, ...storage, name }));
}

/** The largest EBS volume: the real class has one that is large enough for its pods. */
const LARGE_ROOT_VOLUME = { deviceName: '/dev/xvda', rootVolume: true, volumeSizeBytes: 16n * 1024n ** 4n };

function needsStorage({ workloads, cluster }: ManifestModel): boolean {
  return [...workloads, ...(cluster?.pods ?? [])].some(({ shape }) => shape?.requests.has('ephemeral-storage'));
}

/** Whether a stock class would launch nothing for the NodePool. */
function needsSpecialClass({ spec }: NodePoolManifest): boolean {
  return (
    Object.keys(spec!.labels).some((key) => LABELS_OF_CLASSES.includes(key)) ||
    spec!.requirements.some(
      ({ key, operator, values = [] }) =>
        LABELS_OF_CLASSES.includes(key) ||
        (operator === 'In' &&
          ((key === Label.OS && !values.includes('linux')) ||
            (key === Label.CAPACITY_TYPE && values.every((value) => value === 'reserved')))),
    )
  );
}

/** One sentence for all assumed classes. */
export function stockNodeClassAssumptions(model: ManifestModel): string[] {
  const names = stockNodeClasses(model).map(({ name }) => name);
  if (names.length === 0) return [];
  const which = listText(names);
  return [
    names.length === 1
      ? `EC2NodeClass ${which} is not in the input: it is assumed to be a stock AL2023 class, with a root volume that is large enough and no kubelet settings`
      : `EC2NodeClasses ${which} are not in the input: they are assumed to be stock AL2023 classes, with root volumes that are large enough and no kubelet settings`,
  ];
}
