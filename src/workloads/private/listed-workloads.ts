/**
 * Rejects workloads in a `List`, as `kubectl get -o yaml` writes it: safeguards are only added to a construct's own
 * object.
 */
import { ApiObject } from 'cdk8s';
import { isProtectable, isRecord, Json, recordsIn } from './editable-workload';

/** State per construct: lists that already have the validation. */
const VALIDATED = new WeakSet<ApiObject>();

/** Matches `List` and lists of one kind, such as `DeploymentList`. */
export function isList({ kind }: Pick<ApiObject, 'kind'>): boolean {
  return kind.endsWith('List');
}

/** Fails the synth while the list contains a workload: the user asked for protection that the list does not get. */
export function rejectListedWorkloads(list: ApiObject): void {
  if (VALIDATED.has(list)) return;
  VALIDATED.add(list);
  list.node.addValidation({ validate: () => workloadsIn(list.toJson()).map((workload) => rejection(list, workload)) });
}

function workloadsIn({ items }: Json): Json[] {
  return recordsIn(items).filter(
    ({ apiVersion, kind }) =>
      typeof apiVersion === 'string' &&
      typeof kind === 'string' &&
      isProtectable({ kind, apiGroup: apiVersion.split('/')[0] }),
  );
}

function rejection({ node, kind: listKind }: ApiObject, { kind, metadata }: Json): string {
  const name = isRecord(metadata) && typeof metadata.name === 'string' ? ` ${metadata.name}` : '';
  return (
    `${node.path}: must be one object for each workload to be protected, got a ${listKind} with ${kind}${name}; ` +
    'write its items as documents of their own, with --- between them, or apply Resilience to other constructs only'
  );
}
