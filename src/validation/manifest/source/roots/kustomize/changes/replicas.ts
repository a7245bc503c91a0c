import { FieldSpec, setFields, setScalar } from './field-spec';
import { nearestName, shortListText } from '../../../../../../model';
import { KustomizeRefusal } from '../refusal';
import { isSelectedKind } from '../resources/resource-id';
import { ResourceMap } from '../resources/resource-list';

/**
 * Applies an entry of `replicas`.
 *
 * @throws Refusal if no object has the name
 * @see https://github.com/kubernetes-sigs/kustomize/blob/master/api/internal/builtins/ReplicaCountTransformer.go
 */
export function setReplicas(
  list: ResourceMap,
  { name = '', count = 0 }: { readonly name?: string; readonly count?: number },
  specs: readonly FieldSpec[],
  isIncomplete: boolean,
): void {
  let isFound = false;
  const scaled = new Set<string>();
  for (const spec of specs) {
    const found = list.withAnyId((id) => id.name === name && isSelectedKind(id, spec));
    isFound ||= found.length > 0;
    for (const { kindInfo, name: other } of list.all) if (isSelectedKind(kindInfo, spec)) scaled.add(other);
    for (const resource of found)
      setFields(
        resource,
        spec,
        'scalar',
        setScalar(() => count),
      );
  }
  if (!isFound && !isIncomplete)
    throw new KustomizeRefusal(
      `resource with name ${name} does not match a config with the following GVK [${specs.map(({ kind }) => kind).join(' ')}]`,
      { remedy: remedyFor(name, [...scaled].sort()), field: ['name'] },
    );
}

function remedyFor(name: string, names: readonly string[]): string {
  const near = nearestName(name, names);
  if (near !== undefined) return `write name: ${near}`;
  const others = names.length === 0 ? '' : `: ${names.length === 1 ? 'it is' : 'these are'} ${shortListText(names)}`;
  return `write the name of a workload that is built, or remove the entry${others}`;
}
