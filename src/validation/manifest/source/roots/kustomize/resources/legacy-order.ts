import { KustomizeRefusal } from '../refusal';
import { Resource } from './resource';
import { GroupVersionKind, idKey, idText, ResourceId } from './resource-id';

const FIRST = [
  'Namespace',
  'ResourceQuota',
  'StorageClass',
  'CustomResourceDefinition',
  'ServiceAccount',
  'PodSecurityPolicy',
  'Role',
  'ClusterRole',
  'RoleBinding',
  'ClusterRoleBinding',
  'ConfigMap',
  'Secret',
  'Endpoints',
  'Service',
  'LimitRange',
  'PriorityClass',
  'PersistentVolume',
  'PersistentVolumeClaim',
  'Deployment',
  'StatefulSet',
  'CronJob',
  'PodDisruptionBudget',
];
const LAST = ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'];

export interface SortOptions {
  readonly order?: string;
  readonly legacySortOptions?: { readonly orderFirst?: readonly string[]; readonly orderLast?: readonly string[] };
}

/**
 * The order in which `kustomize build` prints objects.
 *
 * @throws Refusal if the options are invalid
 * @see https://github.com/kubernetes-sigs/kustomize/blob/master/api/internal/builtins/SortOrderTransformer.go
 */
export function inPrintedOrder(resources: readonly Resource[], options?: SortOptions): readonly Resource[] {
  const { order = options ? '' : 'legacy', legacySortOptions } = options ?? {};
  if (order === 'fifo') {
    if (legacySortOptions)
      throw new KustomizeRefusal(
        "the field 'sortOptions.legacySortOptions' is set but the selected sort order is 'fifo'",
      );
    return resources;
  }
  if (order !== 'legacy') throw new KustomizeRefusal("the field 'sortOptions.order' must be one of [fifo, legacy]");
  const { orderFirst = [], orderLast = [] } = legacySortOptions ?? { orderFirst: FIRST, orderLast: LAST };
  const ranks = new Map([
    ...orderFirst.map((kind, index) => [kind, index - orderFirst.length] as const),
    ...orderLast.map((kind, index) => [kind, index + 1] as const),
  ]);
  const keyed = resources.map((resource) => ({ resource, id: resource.id }));
  const keys = new Set(keyed.map(({ id }) => idKey(id)));
  if (keys.size < keyed.length)
    throw new KustomizeRefusal(
      'SortOrderTransformer: Failed to append to resources: may not add resource with an already registered id',
    );
  return keyed.sort((left, right) => compare(left.id, right.id, ranks)).map(({ resource }) => resource);
}

function compare(left: ResourceId, right: ResourceId, ranks: ReadonlyMap<string, number>): number {
  const [leftRank, rightRank] = [ranks.get(left.kind) ?? 0, ranks.get(right.kind) ?? 0];
  if (leftRank !== rightRank) return leftRank - rightRank;
  const byKind = compareTexts(kindKey(left), kindKey(right));
  if (byKind !== 0) {
    const isReversed =
      left.kind === 'Namespace' && right.kind === 'Namespace' && (left.group === '' || right.group === '');
    return isReversed ? -byKind : byKind;
  }
  return compareTexts(nameKey(left), nameKey(right));
}

function compareTexts(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

function kindKey({ group, version, kind }: GroupVersionKind): string {
  return [group || '~G', version || '~V', kind || '~K'].join('_');
}

function nameKey(id: ResourceId): string {
  return [idText(id).split('/')[0], id.namespace || '~X', id.name || '~N'].join('|');
}
