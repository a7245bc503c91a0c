import { nearestName } from '../../model';
import { MAX_PODS, podName, PodGroup } from '../../scheduling';
import { WorkloadManifest } from '../manifest';

/** Pods of one group, as `namespace/name`. */
export interface SelectedPods {
  /** Index into `ScheduleInput.pods`. */
  readonly group: number;
  readonly pods: readonly string[];
}

/**
 * Selects the pods that a name stands for: one pod, all pods of a workload, or with a `*` all pods that match.
 * A name without a namespace selects pods in all namespaces.
 */
export function selectPods(groups: readonly PodGroup[], name: string): SelectedPods[] {
  return groups.flatMap((group, index) => {
    const pods = podsOf(group, name);
    return pods.length === 0 ? [] : [{ group: index, pods }];
  });
}

/** Up to five similar names of workloads, the most similar first. Without a similar one, the first names in order. */
export function nearestWorkloads(groups: readonly PodGroup[], wanted: string): string[] {
  return nearestPodNames(
    groups.map(({ namespace, name }) => `${namespace}/${name}`),
    wanted,
  );
}

/** @param names of workloads, as `namespace/name` */
export function nearestPodNames(names: readonly string[], wanted: string): string[] {
  const workloads = [...new Set(names)].sort();
  const workload = wanted.replace(/-\d+$/, '');
  const nearest = nearestName(workload, workloads) ?? nearestName(wanted, workloads);
  const similarTo = (name: string) =>
    workloads.filter((candidate) => nearestName(nameOf(name), [nameOf(candidate)]) !== undefined);
  const sameName = workloads.filter((candidate) => [wanted, workload].map(nameOf).includes(nameOf(candidate)));
  const sameOrSimilar = new Set([...sameName, ...similarTo(workload)]);
  const candidates = [...new Set([...(nearest === undefined ? [] : [nearest]), ...[...sameOrSimilar].sort()])];
  // A name that ends in a number may be the name of a workload.
  return [candidates, similarTo(wanted), workloads].find(({ length }) => length > 0)?.slice(0, 5) ?? [];
}

/** Why a workload with the wanted name has no pod to explain; undefined if there is no such workload. */
export function whyWithoutPods(workloads: readonly WorkloadManifest[], wanted: string): string | undefined {
  const isMeant = ({ namespace, name }: WorkloadManifest) =>
    [wanted, wanted.replace(/-\d+$/, '')].includes(withNamespace(`${namespace}/${name}`, wanted));
  const workload = workloads.find((candidate) => candidate.group === undefined && isMeant(candidate));
  if (!workload) return undefined;
  const { kind, namespace, name, replicas, running = 0, shape } = workload;
  const which = `${kind} ${namespace}/${name}`;
  if (kind === 'DaemonSet')
    return `${which} has a pod on every node where it fits, which is not scheduled by Karpenter`;
  if (shape === undefined) return `${which} is not evaluated`;
  return running > 0 ? `all pods of ${which} already run in the cluster` : `${which} has ${replicas} pods`;
}

function podsOf(group: PodGroup, wanted: string): string[] {
  const workload = withNamespace(`${group.namespace}/${group.name}`, wanted);
  if (workload === wanted) return allPods(group);
  if (wanted.includes('*')) return allPods(group).filter((pod) => matches(withNamespace(pod, wanted), wanted));
  const ordinal = wanted.startsWith(`${workload}-`) ? wanted.slice(workload.length + 1) : '';
  if (group.bare || !/^(0|[1-9]\d{0,8})$/.test(ordinal)) return [];
  // Pods that already run in the cluster have the first ordinals.
  const first = Number(podName(group, 0).slice(`${group.namespace}/${group.name}-`.length));
  const index = Number(ordinal) - first;
  return index >= 0 && index < group.count ? [podName(group, index)] : [];
}

/**
 * All pods of a group. More pods than the solver takes are represented by one pattern, because none of them is placed.
 */
export function allPods(group: PodGroup): string[] {
  if (group.count > MAX_PODS) return [`${group.namespace}/${group.name}-*`];
  return Array.from({ length: group.count }, (_, ordinal) => podName(group, ordinal));
}

function withNamespace(pod: string, wanted: string): string {
  return wanted.includes('/') ? pod : nameOf(pod);
}

function nameOf(pod: string): string {
  return pod.slice(pod.indexOf('/') + 1);
}

/**
 * Matches a pattern in which `*` stands for any text. Each part is matched at its first occurrence, so the time is
 * linear.
 */
function matches(name: string, pattern: string): boolean {
  const [first, ...rest] = pattern.split('*');
  const last = rest.pop()!;
  if (!name.startsWith(first) || !name.slice(first.length).endsWith(last)) return false;
  const middle = name.slice(first.length, name.length - last.length);
  let position = 0;
  for (const part of rest) {
    const start = middle.indexOf(part, position);
    if (start < 0) return false;
    position = start + part.length;
  }
  return true;
}
