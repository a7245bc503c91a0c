import { isOfKarpenter } from './replaced-lists';
import { Selector, SelectorFields } from './selector';
import { nearestName } from '../../../../../../model';
import { UnmatchedPatch } from '../../../../../vocabulary/source-file';
import { Resource } from '../resources/resource';
import { apiVersionOf } from '../resources/resource-id';

/** The kinds of Karpenter's API, which an overlay patches only if a base has them. */
const KARPENTER_KINDS: readonly string[] = [
  'NodePool',
  'EC2NodeClass',
  'NodeOverlay',
  'Provisioner',
  'AWSNodeTemplate',
];
/** A target that selects nothing, without its place. */
export type UnmatchedTarget = Pick<UnmatchedPatch, 'target' | 'field' | 'nearest' | 'others'>;

const LITERAL = /^[\w-]+$/;
/** Fields in which a target differs from an object of the same kind and name. */
const OTHER_FIELDS = ['version', 'group', 'namespace'] as const;

/**
 * Why a target selects no object: a field of it that differs from an object which is meant. Undefined if a patch
 * without an object may be intended, as in a component for several bases.
 *
 * @param target a target that selects none of the objects
 */
export function unmatchedTarget(
  resources: readonly Resource[],
  target: SelectorFields,
  isComponent: boolean,
): UnmatchedTarget | undefined {
  const { kind = '', name = '' } = target;
  const fields = target as Readonly<Record<string, string>>;
  const without = (field: keyof SelectorFields): readonly Resource[] => {
    const selector = new Selector({ ...target, [field]: undefined });
    return resources.filter((resource) => selector.selects(resource));
  };
  const corrected = (field: 'kind' | 'name', pattern: string, values: readonly string[]) => {
    const nearest = LITERAL.test(pattern) ? nearestName(pattern, values) : undefined;
    return nearest === undefined || isNumbered(pattern, nearest) ? undefined : { target: fields, field, nearest };
  };
  const byName =
    name === ''
      ? undefined
      : corrected(
          'name',
          name,
          without('name').map((resource) => resource.name),
        );
  const byKind =
    kind === ''
      ? undefined
      : corrected(
          'kind',
          kind,
          without('kind').map((resource) => resource.kind),
        );
  const found = byName ?? byKind;
  if (found !== undefined) return found;
  if (!LITERAL.test(name) || !LITERAL.test(kind)) return undefined;
  for (const field of OTHER_FIELDS) {
    if (!target[field]) continue;
    const [resource] = without(field);
    if (resource !== undefined)
      return { target: fields, field, nearest: { ...resource.kindInfo, namespace: resource.namespace }[field] };
  }
  if (isComponent || !KARPENTER_KINDS.includes(kind)) return undefined;
  const others = resources.filter(
    (resource) => resource.kind === kind && isOfKarpenter(apiVersionOf(resource.kindInfo)),
  );
  return { target: fields, field: 'name', others: others.map((resource) => resource.name) };
}

/** The image that the name of an entry of `images` means: a similar one, or the same in one registry. */
export function unmatchedImage(name: string, images: ReadonlySet<string>): UnmatchedTarget | undefined {
  const names = [...images];
  const near = nearestName(
    name,
    names.filter((image) => !isNumbered(name, image)),
  );
  const plain = lastStep(name);
  const plainNames = names.map(lastStep).filter((image) => image === plain || !isNumbered(plain, image));
  const meant = plainNames.includes(plain) ? plain : nearestName(plain, plainNames);
  const inRegistry = names.filter((image) => lastStep(image) === meant && (image === meant || name === plain));
  const nearest = near ?? (inRegistry.length === 1 ? inRegistry[0] : undefined);
  return name === '' || nearest === undefined ? undefined : { target: { name }, field: 'name', nearest };
}

/** The name of an image without its registry and path. */
function lastStep(image: string): string {
  return image.slice(image.lastIndexOf('/') + 1);
}

/** Whether the names differ only in a number: `pool-1` is no mistake for `pool-2`. */
function isNumbered(name: string, other: string): boolean {
  return name.replace(/\d+/g, '0') === other.replace(/\d+/g, '0');
}
