import { FieldSpec, setFields, setScalar } from './field-spec';
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
  for (const spec of specs) {
    const found = list.withAnyId((id) => id.name === name && isSelectedKind(id, spec));
    isFound ||= found.length > 0;
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
    );
}
