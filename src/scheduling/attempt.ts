import { PackerSolution, Refusal } from '../kernel';
import { Requirements, ResourceList, untolerated, WELL_KNOWN_LABELS } from '../model';
import { DaemonGroup } from './daemon-groups';
import { conflicts } from './host-ports';
import { minValuesOf } from './min-values';
import { ConstrainedVariant } from './pod-classes';
import { HostPort } from './pod-shape';
import { PodVariant } from './relaxation';
import { DaemonSetSpec, SchedulingSettings } from './schedule-input';
import { limitedResources, PoolTemplate } from './templates';
import { picked, TopologyPick, topologyPicks } from './topology-picks';
import { TopologyState } from './topology-text';

/** The kernel's answer, and what it is read by. */
export interface Solved extends TopologyState {
  /** The daemonset groups of each template. */
  readonly groups: ReadonlyArray<readonly DaemonGroup[]>;
  readonly daemonSets: readonly DaemonSetSpec[];
  /** Per template: what the daemonsets request of each of the catalogue's instance types. */
  readonly overheads: ReadonlyArray<(type: number) => ResourceList>;
  readonly settings: SchedulingSettings;
}

/** A pod on a new node of a pool, as things stand at the end of a solve. */
export interface Attempt {
  /** The kernel's `Refusal`. */
  readonly code: number;
  /** Whether it does not wait for reservations that are full: another pool is tried. */
  readonly fallsBack: boolean;
  readonly template: PoolTemplate;
  /** Those that leave the host ports of the pod free. */
  readonly groups: readonly DaemonGroup[];
  /** Of the pod, `pods` included. */
  readonly requests: ResourceList;
  /** The constraints as they were when Karpenter gave up: fully relaxed, unless it waits for a reservation. */
  readonly variant: ConstrainedVariant;
  /** What its volumes need of the node, in the last way that Karpenter tries. */
  readonly volumes: Requirements;
  readonly hostPorts: readonly HostPort[];
  /** Whether a daemonset on the instance type has a host port that the pod takes. */
  readonly portTaken: (type: number) => boolean;
  /** The domains that topology leaves; nothing of them where the pod gets no further than taints and labels. */
  readonly picks: readonly TopologyPick[];
  /** Of the node, with the pod and its domains. */
  readonly requirements: Requirements;
  /** What is left of the pool's limits; absent keys are unlimited. */
  readonly limitsLeft: ResourceList;
  readonly daemonSets: readonly DaemonSetSpec[];
  /** What they request of an instance type, as long as the pool is what it is. */
  readonly overheadOf: (type: number) => ResourceList;
  /** The minValues of the pool that a launch must meet. */
  readonly minValues: ReadonlyArray<readonly [string, number]>;
}

/** @param code the kernel's answer, where it is not that of this solve */
export function attemptOf(solved: Solved, podClass: number, at: number, code?: number): Attempt {
  const { templates, pods, solution, groups, daemonSets, settings } = solved;
  const { requests, variants, volumeTopology, hostPorts = [] } = pods.classes[podClass];
  const template = templates[at];
  const fallsBack = settings.reservedOfferings === 'Fallback';
  const variant = variants[!fallsBack && waits(solution, podClass, templates.length) ? solution.lastVariants[podClass] : variants.length - 1];
  const requirements = joinedRequirements(template, variant);
  const volumes = volumeTopology[volumeTopology.length - 1] ?? new Requirements();
  requirements.add(...volumes.values());
  const free = groups[at].filter((group) => !group.daemonSets.some((daemonSet) => conflicts(hostPorts, daemonSets[daemonSet].shape.hostPorts)));
  const picks = untolerated(template.pool.taints, variant.tolerations).length === 0
    && template.requirements.isCompatible(variant.requirements, WELL_KNOWN_LABELS)
    ? topologyPicks(solved, pods.classes[podClass], variant, requirements) : [];
  requirements.add(...picked(picks));
  return {
    code: code ?? solution.refusals[podClass * templates.length + at],
    fallsBack,
    template,
    groups: free,
    requests,
    variant,
    volumes,
    hostPorts,
    portTaken: (type) => groups[at].some((group) => group.has(type) && !free.includes(group)),
    picks,
    requirements,
    limitsLeft: limitsLeft(templates, solution, at),
    daemonSets,
    overheadOf: solved.overheads[at],
    minValues: settings.minValuesPolicy === 'BestEffort' ? [] : minValuesOf(template.requirements),
  };
}

/** Pods that wait for a reservation are not relaxed any further. */
function waits({ refusals }: PackerSolution, podClass: number, templates: number): boolean {
  const own = refusals.subarray(podClass * templates, (podClass + 1) * templates);
  return own.includes(Refusal.RESERVED) || own.includes(Refusal.RESERVATIONS_FULL);
}

/** The requirements of a new node with this pod on it, before topology has its say. */
export function joinedRequirements(template: PoolTemplate, variant: PodVariant): Requirements {
  const joined = template.requirements.copy();
  joined.add(...variant.requirements.values());
  return joined;
}

function limitsLeft(templates: readonly PoolTemplate[], solution: PackerSolution, at: number): ResourceList {
  const limited = limitedResources(templates);
  const { limits } = templates[at].pool;
  return new Map(limited.flatMap((resource, column): Array<[string, bigint]> =>
    limits.has(resource) ? [[resource, solution.limitsLeft[at * limited.length + column]]] : []));
}
