import { EmptyNode, NearestNode } from './nearest-node';
import { describeInstanceType } from '../../../catalog';
import { asRecord, FieldFix, FieldPath, renameField, setField, unsafeFix } from '../../../contract';
import { Label, listText, Quantity, resourceAmount, shortListText } from '../../../model';
import { valueAt } from '../../manifest/edit/edited-value';
import { WorkloadManifest } from '../../manifest/model';
import { recordsOf } from '../../manifest/records';
import { podSpecOf } from '../common/pod-constraints';
import { RuleContext } from '../rule';

const HUGE_PAGES = /^hugepages-/;
const MIG_SLICE = /^nvidia\.com\/mig-/;
const WHOLE_GPU = 'nvidia.com/gpu';
/**
 * GPUs that cannot be divided. Of newer ones, only some can.
 *
 * @see https://docs.nvidia.com/datacenter/tesla/mig-user-guide/supported-gpus.html
 */
const WITHOUT_MIG: ReadonlySet<string> = new Set(['a10g', 'k80', 'l4', 'l40s', 'm60', 't4', 't4g', 'v100']);

export interface MissingDevice {
  readonly remedy: string;
  /** The remedy as an edit of the workload. */
  readonly fix?: FieldFix;
  /** The resource in the requests or limits of a container. */
  readonly path?: FieldPath;
}

/**
 * How pods get a resource that no instance type has: Karpenter knows no devices except those of instance types, and
 * what a NodeOverlay adds to them. Undefined if instance types have it.
 */
export function missingDevice(
  { model }: RuleContext,
  workload: WorkloadManifest,
  { node, absent }: NearestNode,
  nodes: readonly EmptyNode[],
): MissingDevice | undefined {
  const unknown = absent.filter((resource) => !node.table.resources.includes(resource));
  const pages = unknown.filter((resource) => HUGE_PAGES.test(resource));
  if (pages.length > 0) {
    const nodeClass = model.nodeClasses.find(({ object }) => object.name === node.pool.spec?.nodeClass);
    return { remedy: hugePagesRemedy(pages, nodeClass?.object), path: placesOf(workload, pages[0])[0] };
  }
  const slice = unknown.find((resource) => MIG_SLICE.test(resource));
  const gpus = [...new Set(nodes.map(gpuOf))];
  if (slice !== undefined && gpus.every((gpu) => gpu === undefined || WITHOUT_MIG.has(gpu)))
    return migOfOtherGpus(workload, slice, gpus);
  const custom = unknown.filter((resource) => resource.includes('/'));
  return custom.length === 0
    ? undefined
    : {
        remedy: `declare ${listText(custom)} in spec.capacity of a NodeOverlay (feature gate NodeOverlay), if a device plugin provides it`,
      };
}

function gpuOf({ table, index }: EmptyNode): string | undefined {
  return describeInstanceType(table, index).labels[Label.INSTANCE_GPU_NAME];
}

/** @see https://kubernetes.io/docs/tasks/manage-hugepages/scheduling-hugepages/ */
function hugePagesRemedy(
  pages: readonly string[],
  nodeClass?: { readonly name: string; readonly raw: unknown },
): string {
  const userData = asRecord(asRecord(nodeClass?.raw)?.spec)?.userData;
  const declared = `declare ${listText(pages)} in spec.capacity of a NodeOverlay (feature gate NodeOverlay)`;
  return typeof userData === 'string' && /hugepages/i.test(userData)
    ? `${declared}, because Karpenter does not see the huge pages that the user data of EC2NodeClass ${nodeClass!.name} reserves`
    : `remove ${listText(pages)} from requests and limits, or reserve huge pages in the user data of the node class (vm.nr_hugepages) and ${declared}: EKS nodes have none, and Karpenter knows none`;
}

function migOfOtherGpus(
  workload: WorkloadManifest,
  slice: string,
  gpus: ReadonlyArray<string | undefined>,
): MissingDevice {
  const names = gpus.filter((gpu) => gpu !== undefined).map((gpu) => gpu.toUpperCase());
  const dividing = 'let a NodePool allow GPUs with MIG, such as A100 (p4d) or H100 (p5)';
  if (names.length === 0) return { remedy: dividing };
  return {
    remedy: `write ${WHOLE_GPU}: 1 instead of ${slice}, because ${shortListText(names)} has no MIG; or ${dividing}, and declare the slices in spec.capacity of a NodeOverlay`,
    ...wholeGpuFix(workload, slice),
  };
}

/** Only the request of a single container is known to be the one that is meant. */
function wholeGpuFix(workload: WorkloadManifest, slice: string): Pick<MissingDevice, 'fix' | 'path'> {
  const places = placesOf(workload, slice);
  const containers = new Set(places.map((path) => String(path.slice(0, -2))));
  const edits = places.flatMap((path) => [setField(path, '1'), renameField(path, WHOLE_GPU)]);
  return { path: places[0], ...(containers.size === 1 ? { fix: unsafeFix(...edits) } : {}) };
}

/** The limits and requests of containers for the resource. */
function placesOf(workload: WorkloadManifest, resource: string): FieldPath[] {
  return recordsOf(podSpecOf(workload)?.containers).flatMap(({ resources }, index) =>
    ['limits', 'requests'].flatMap((field) =>
      resource in (asRecord(asRecord(resources)?.[field]) ?? {})
        ? [[...workload.podPath, 'containers', index, 'resources', field, resource]]
        : [],
    ),
  );
}

/** The largest request of a container for the resource, or the limit that becomes the request. */
export function largestRequestPath(workload: WorkloadManifest, resource: string): FieldPath | undefined {
  const pod = podSpecOf(workload);
  const amountOf = (path: FieldPath) => {
    const quantity = Quantity.tryParse(valueAt(pod, path.slice(workload.podPath.length)));
    return quantity === undefined ? 0 : Number(resourceAmount(resource, quantity));
  };
  const [largest] = placesOf(workload, resource)
    .reverse()
    .sort((left, right) => amountOf(right) - amountOf(left));
  return largest;
}
