import { TopologyState } from './topology-error';
import { picked, TopologyDomains, topologyPicks } from './topology-picks';
import { PackerSolution, PackerRefusal } from '../../kernel';
import { amountsPerColumnUnit, Requirements, ResourceList, untolerated, WELL_KNOWN_LABELS } from '../../model';
import { ConstrainedVariant } from '../encoding/pod-classes';
import { HostPort } from '../input/pod-shape';
import { DaemonSetSpec, SchedulingSettings } from '../input/schedule-input';
import { minValuesOf } from '../launch/min-values';
import { limitedResources, PoolTemplate } from '../launch/pool-template';
import { DaemonOverheadGroup } from '../nodes/daemon-overhead';
import { conflicts } from '../pods/host-ports';
import { PodVariant } from '../pods/relaxation';

/** A workload with the kernel's solution, and the data to interpret it. */
export interface SolvedWorkload extends TopologyState {
  /** The daemonset groups of each template. */
  readonly groups: ReadonlyArray<readonly DaemonOverheadGroup[]>;
  readonly daemonSets: readonly DaemonSetSpec[];
  /** By template: the daemonset overhead of an instance type in the catalog. */
  readonly overheads: ReadonlyArray<(type: number) => ResourceList>;
  readonly settings: SchedulingSettings;
  /** `ScheduleInput.unreadyPools`. */
  readonly unreadyPools?: ReadonlySet<string>;
}

/** The attempt to schedule a pod onto a new node of a pool, in the state at the end of a solve. */
export interface Attempt {
  /** The kernel's `PackerRefusal`. */
  readonly refusal: number;
  /** Whether Karpenter tries other pools if the reservations are full, and does not wait for them. */
  readonly reservedFallback: boolean;
  readonly template: PoolTemplate;
  /** The daemonset groups whose host ports do not conflict with the pod's. */
  readonly groups: readonly DaemonOverheadGroup[];
  /** The pod's requests, `pods` included. */
  readonly requests: ResourceList;
  /** The pod's last variant that Karpenter tried: fully relaxed, unless the pod waits for a reservation. */
  readonly variant: ConstrainedVariant;
  /** The requirements of the pod's volumes: the last alternative that Karpenter tries. */
  readonly volumes: Requirements;
  readonly hostPorts: readonly HostPort[];
  /** Whether a daemonset on the instance type uses a host port of the pod. */
  readonly isHostPortTaken: (type: number) => boolean;
  /** The domains that topology constraints allow; empty if the pod already fails on taints or labels. */
  readonly picks: readonly TopologyDomains[];
  /** Requirements of the node with the pod and its topology domains. */
  readonly requirements: Requirements;
  /** The rest of the pool's limits; absent keys are unlimited. */
  readonly limitsLeft: ResourceList;
  readonly daemonSets: readonly DaemonSetSpec[];
  /** The daemonset overhead of an instance type with the pool's current requirements. */
  readonly overheadOf: (type: number) => ResourceList;
  /** Pairs of label key and minValues; empty with the BestEffort policy. */
  readonly minValues: ReadonlyArray<readonly [string, number]>;
}

/** @param refusal the kernel's answer, if it comes from another solve. @default - the answer in `solved` */
export function attemptOf(solved: SolvedWorkload, podClass: number, templateIndex: number, refusal?: number): Attempt {
  const { templates, pods, solution, groups, daemonSets, settings } = solved;
  const { requests, variants, volumeTopology, hostPorts = [] } = pods.classes[podClass];
  const template = templates[templateIndex];
  const reservedFallback = settings.reservedOfferings === 'Fallback';
  const isWaiting = !reservedFallback && waitsForReservation(solution, podClass, templates.length);
  const variant = variants[isWaiting ? solution.lastVariants[podClass] : variants.length - 1];
  const requirements = joinedRequirements(template, variant);
  const volumes = volumeTopology[volumeTopology.length - 1] ?? new Requirements();
  requirements.add(...volumes.values());
  const free = groups[templateIndex].filter(
    (group) => !group.daemonSets.some((daemonSet) => conflicts(hostPorts, daemonSets[daemonSet].shape.hostPorts)),
  );
  const picks =
    untolerated(template.pool.taints, variant.tolerations).length === 0 &&
    template.requirements.isCompatible(variant.requirements, WELL_KNOWN_LABELS)
      ? topologyPicks(solved, pods.classes[podClass], variant, requirements)
      : [];
  requirements.add(...picked(picks));
  return {
    refusal: refusal ?? solution.refusals[podClass * templates.length + templateIndex],
    reservedFallback,
    template,
    groups: free,
    requests,
    variant,
    volumes,
    hostPorts,
    isHostPortTaken: (type) => groups[templateIndex].some((group) => group.has(type) && !free.includes(group)),
    picks,
    requirements,
    limitsLeft: limitsLeft(templates, solution, templateIndex),
    daemonSets,
    overheadOf: solved.overheads[templateIndex],
    minValues: settings.minValuesPolicy === 'BestEffort' ? [] : minValuesOf(template.requirements),
  };
}

/** Karpenter does not relax a pod further while it waits for a reservation. */
function waitsForReservation({ refusals }: PackerSolution, podClass: number, templates: number): boolean {
  const own = refusals.subarray(podClass * templates, (podClass + 1) * templates);
  return own.includes(PackerRefusal.RESERVED) || own.includes(PackerRefusal.RESERVATIONS_FULL);
}

/** The requirements of a new node with the pod, without topology. */
export function joinedRequirements(template: PoolTemplate, variant: PodVariant): Requirements {
  const joined = template.requirements.copy();
  joined.add(...variant.requirements.values());
  return joined;
}

function limitsLeft(templates: readonly PoolTemplate[], solution: PackerSolution, templateIndex: number): ResourceList {
  const limited = limitedResources(templates);
  const { limits } = templates[templateIndex].pool;
  const left = (resource: string, column: number) =>
    solution.limitsLeft[templateIndex * limited.length + column] * BigInt(amountsPerColumnUnit(resource));
  return new Map(
    limited.flatMap(
      (resource, column): Array<[string, bigint]> => (limits.has(resource) ? [[resource, left(resource, column)]] : []),
    ),
  );
}
