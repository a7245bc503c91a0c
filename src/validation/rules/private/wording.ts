import { formatAmount, ResourceList } from '../../../model';

/** 'a', 'a and b', 'a, b and c'. */
export function joinNames(names: readonly string[], conjunction: 'and' | 'or' = 'and'): string {
  if (names.length < 2) {
    return names.join('');
  }
  return `${names.slice(0, -1).join(', ')} ${conjunction} ${names[names.length - 1]}`;
}

/** The first names, and how many there are beside them. */
export function someNames(names: readonly string[], most: number = 5): string {
  const rest = names.length - most;
  return rest > 0 ? `${names.slice(0, most).join(', ')} and ${rest} more` : joinNames(names);
}

/** `Deployment shop/web`, in the order of these. */
export function workloadNames(workloads: ReadonlyArray<{ readonly kind: string; readonly namespace: string; readonly name: string }>): string[] {
  return workloads.map(({ kind, namespace, name }) => `${kind} ${namespace}/${name}`).sort();
}

/** '1 pod', '2 pods'. */
export function count(amount: number, singular: string, plural: string = `${singular}s`): string {
  return `${amount} ${amount === 1 ? singular : plural}`;
}

/** 'cpu 1930m and memory 6903Mi', for the named resources. */
export function describeAmounts(resources: readonly string[], amounts: ResourceList): string {
  return joinNames(resources.map((resource) => `${resource} ${formatAmount(resource, amounts.get(resource) ?? 0n)}`));
}

/** Amounts as Kubernetes writes them, by resource name: for evidence. */
export function amountsEvidence(amounts: ResourceList): Record<string, string> {
  return Object.fromEntries([...amounts.keys()].sort().map((resource) => [resource, formatAmount(resource, amounts.get(resource)!)]));
}
