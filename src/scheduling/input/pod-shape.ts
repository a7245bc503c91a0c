import { LabelSelector, RequirementSpec, ResourceList, Toleration } from '../../model';

/** One term of required or preferred node affinity. Its expressions are ANDed. */
export interface NodeSelectorTerm {
  readonly matchExpressions: readonly RequirementSpec[];
}

export interface PreferredTerm {
  readonly weight: number;
  readonly term: NodeSelectorTerm;
}

export interface TopologySpread {
  readonly maxSkew: number;
  readonly topologyKey: string;
  readonly whenUnsatisfiable: 'DoNotSchedule' | 'ScheduleAnyway';
  /** Absent: selects no pod. */
  readonly labelSelector?: LabelSelector;
  readonly minDomains?: number;
  /** @default 'Honor' */
  readonly nodeAffinityPolicy?: 'Honor' | 'Ignore';
  /** @default 'Ignore' */
  readonly nodeTaintsPolicy?: 'Honor' | 'Ignore';
  readonly matchLabelKeys?: readonly string[];
}

/** A term of pod affinity or anti-affinity. */
export interface PodAffinityTerm {
  readonly topologyKey: string;
  /** Absent: selects no pod. */
  readonly labelSelector?: LabelSelector;
  /** Without `namespaces` and `namespaceSelector`, the term applies to the namespace of the pod. */
  readonly namespaces?: readonly string[];
  readonly namespaceSelector?: LabelSelector;
}

export interface PodAffinity {
  readonly required: readonly PodAffinityTerm[];
  readonly preferred: ReadonlyArray<{ readonly weight: number; readonly term: PodAffinityTerm }>;
}

/** A port of the node that a pod uses. */
export interface HostPort {
  /** `0.0.0.0` and `::` mean every address. */
  readonly ip: string;
  readonly port: number;
  readonly protocol: string;
}

/** The properties of a pod that decide where it can run. */
export interface PodShape {
  /** Effective requests, including init containers, sidecars and overhead, without the `pods` resource. */
  readonly requests: ResourceList;
  readonly nodeSelector: Readonly<Record<string, string>>;
  /** ORed. Empty: no required node affinity. */
  readonly requiredNodeAffinity: readonly NodeSelectorTerm[];
  readonly preferredNodeAffinity: readonly PreferredTerm[];
  readonly tolerations: readonly Toleration[];
  /** The labels of the pod. @default - none */
  readonly labels?: Readonly<Record<string, string>>;
  readonly topologySpread?: readonly TopologySpread[];
  readonly podAffinity?: PodAffinity;
  readonly podAntiAffinity?: PodAffinity;
  /** Whether the pod requests devices with resource claims. @default false */
  readonly resourceClaims?: boolean;
  /** Host ports of its regular containers. @default - none */
  readonly hostPorts?: readonly HostPort[];
  /** Requirements of its volumes on the node, ORed. @default - none */
  readonly volumeTopology?: ReadonlyArray<readonly RequirementSpec[]>;
  /** Whether a volume is created in the zone where the pod first runs, and can only be used there. @default false */
  readonly staysInZone?: boolean;
  /**
   * How many volumes are created for this pod only, by CSI driver. Together with `mountedClaims` they count against the
   * limit of an existing node.
   *
   * @default - none
   */
  readonly volumes?: ReadonlyMap<string, number>;
  /**
   * CSI drivers of existing PersistentVolumeClaims, by `namespace/name`. Other pods may mount them as well. @default -
   * none
   */
  readonly mountedClaims?: ReadonlyMap<string, string>;
  /**
   * Why Karpenter ignores the pod regardless of its constraints, in Karpenter's own words. @default - Karpenter does
   * not ignore it
   */
  readonly ignored?: string;
  /**
   * Facts that the pod depends on, and that the input does not contain, such as 'StorageClass gp3, which is not in the
   * input' or a value known only at deployment. If there is one, the pod is reported as not evaluated instead of being
   * placed by guesswork.
   */
  readonly notEvaluated: readonly string[];
}

/** Adds one to the `pods` resource, which every pod uses. */
export function withPod(requests: ResourceList): ResourceList {
  return new Map([...requests, ['pods', 1n]]);
}

/** Whether the pod has preferences, which Karpenter can relax. */
export function hasPreferences({
  preferredNodeAffinity,
  podAffinity,
  podAntiAffinity,
  topologySpread = [],
}: PodShape): boolean {
  return (
    preferredNodeAffinity.length > 0 ||
    [podAffinity, podAntiAffinity].some((affinity) => (affinity?.preferred.length ?? 0) > 0) ||
    topologySpread.some(({ whenUnsatisfiable }) => whenUnsatisfiable === 'ScheduleAnyway')
  );
}
