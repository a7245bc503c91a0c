/** Workloads in a `List`, as `kubectl get -o yaml` writes them: a construct holds one object, and safeguards go into these only. */
import { ApiObject } from 'cdk8s';
import { isProtectable, isRecord, Json, recordsIn } from './subject';

const REFUSED = new WeakSet<ApiObject>();

/** Such as `List` and `DeploymentList`. */
export function isList({ kind }: Pick<ApiObject, 'kind'>): boolean {
  return kind.endsWith('List');
}

/** Whoever asks for protection has to know where there is none: the synth fails for as long as a workload is in the list. */
export function refuseListed(list: ApiObject): void {
  if (REFUSED.has(list)) return;
  REFUSED.add(list);
  list.node.addValidation({ validate: () => workloadsIn(list.toJson()).map((workload) => refusal(list, workload)) });
}

function workloadsIn({ items }: Json): Json[] {
  return recordsIn(items).filter(({ apiVersion, kind }) =>
    typeof apiVersion === 'string' && typeof kind === 'string' && isProtectable({ kind, apiGroup: apiVersion.split('/')[0] }));
}

function refusal({ node, kind: listKind }: ApiObject, { kind, metadata }: Json): string {
  const name = isRecord(metadata) && typeof metadata.name === 'string' ? ` ${metadata.name}` : '';
  return `${node.path}: must be one object for each workload to be protected, got a ${listKind} with ${kind}${name}; `
    + 'write its items as documents of their own, with --- between them, or apply Resilience to other constructs only';
}
