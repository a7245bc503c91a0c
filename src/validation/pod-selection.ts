import { mostAlike } from '../model';
import { MOST_PODS, podName, PodGroup } from '../scheduling';
import { WorkloadManifest } from './manifest';

/** Pods of one group, each by its `namespace/name`. */
export interface SelectedPods {
  /** Index into `ScheduleInput.pods`. */
  readonly group: number;
  readonly pods: readonly string[];
}

/**
 * The pods that a name means: a pod, all pods of a workload, or all that match where it has a `*`; in every namespace where it
 * names none.
 */
export function selectPods(groups: readonly PodGroup[], wanted: string): SelectedPods[] {
  return groups.flatMap((group, index) => {
    const pods = podsOf(group, wanted);
    return pods.length === 0 ? [] : [{ group: index, pods }];
  });
}

/** Names that were likely meant, the most alike first; some that there are where none is alike. */
export function nearestNames(groups: readonly PodGroup[], wanted: string): string[] {
  const workloads = [...new Set(groups.map(({ namespace, name }) => `${namespace}/${name}`))].sort();
  const workload = wanted.replace(/-\d+$/, '');
  const alike = mostAlike(workload, workloads) ?? mostAlike(wanted, workloads);
  const likeName = (name: string) => workloads.filter((candidate) => mostAlike(nameOf(name), [nameOf(candidate)]) !== undefined);
  const named = new Set([...workloads.filter((candidate) => [wanted, workload].map(nameOf).includes(nameOf(candidate))), ...likeName(workload)]);
  const found = [...new Set([...alike === undefined ? [] : [alike], ...[...named].sort()])];
  // What ends in a number may be the name of a workload.
  return [found, likeName(wanted), workloads].find(({ length }) => length > 0)?.slice(0, 5) ?? [];
}

/** Why a name that means a workload means no pod of it: in words that go on with what to do. */
export function whyWithoutPods(workloads: readonly WorkloadManifest[], wanted: string): string | undefined {
  const isMeant = ({ namespace, name }: WorkloadManifest) => [wanted, wanted.replace(/-\d+$/, '')].includes(withNamespace(`${namespace}/${name}`, wanted));
  const workload = workloads.find((each) => each.group === undefined && isMeant(each));
  if (!workload) return undefined;
  const { kind, namespace, name, replicas, running = 0, shape } = workload;
  const which = `${kind} ${namespace}/${name}`;
  if (kind === 'DaemonSet') return `${which} has a pod on every node that it fits, which nothing places`;
  if (shape === undefined) return `${which} is not judged`;
  return running > 0 ? `all pods of ${which} run in the cluster already` : `${which} has ${replicas} pods`;
}

function podsOf(group: PodGroup, wanted: string): string[] {
  const workload = withNamespace(`${group.namespace}/${group.name}`, wanted);
  if (workload === wanted) return allPods(group);
  if (wanted.includes('*')) return allPods(group).filter((pod) => matches(withNamespace(pod, wanted), wanted));
  const ordinal = wanted.startsWith(`${workload}-`) ? wanted.slice(workload.length + 1) : '';
  if (group.bare || !/^(0|[1-9]\d{0,8})$/.test(ordinal)) return [];
  // Pods that run in the cluster already have the first ordinals.
  const first = Number(podName(group, 0).slice(`${group.namespace}/${group.name}-`.length));
  const at = Number(ordinal) - first;
  return at >= 0 && at < group.count ? [podName(group, at)] : [];
}

/** More pods than are ever packed are named as a whole: there is nothing to tell them apart by. */
export function allPods(group: PodGroup): string[] {
  if (group.count > MOST_PODS) return [`${group.namespace}/${group.name}-*`];
  return Array.from({ length: group.count }, (_, ordinal) => podName(group, ordinal));
}

function withNamespace(pod: string, wanted: string): string {
  return wanted.includes('/') ? pod : nameOf(pod);
}

function nameOf(pod: string): string {
  return pod.slice(pod.indexOf('/') + 1);
}

/** A `*` stands for any text. Each part is taken where it first fits, so that no pattern takes long. */
function matches(name: string, pattern: string): boolean {
  const [first, ...rest] = pattern.split('*');
  const last = rest.pop()!;
  if (!name.startsWith(first) || !name.slice(first.length).endsWith(last)) return false;
  const middle = name.slice(first.length, name.length - last.length);
  let at = 0;
  for (const part of rest) {
    const found = middle.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return true;
}
