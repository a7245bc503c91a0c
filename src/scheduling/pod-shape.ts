import { LabelSelector, RequirementSpec, ResourceList, Toleration } from '../model';

/** One required node-affinity term, or the preference of a weighted one: its expressions are ANDed. */
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
  /** Without these and a `namespaceSelector`: the namespace of the pod. */
  readonly namespaces?: readonly string[];
  readonly namespaceSelector?: LabelSelector;
}

export interface PodAffinity {
  readonly required: readonly PodAffinityTerm[];
  readonly preferred: ReadonlyArray<{ readonly weight: number; readonly term: PodAffinityTerm }>;
}

/** A port of the node that a pod takes. */
export interface HostPort {
  /** `0.0.0.0` and `::` stand for every address. */
  readonly ip: string;
  readonly port: number;
  readonly protocol: string;
}

/** What of a pod decides where it can run. */
export interface PodShape {
  /** Effective requests (init containers, sidecars, overhead included), without the `pods` resource. */
  readonly requests: ResourceList;
  readonly nodeSelector: Readonly<Record<string, string>>;
  /** ORed. Empty: no required node affinity. */
  readonly requiredNodeAffinity: readonly NodeSelectorTerm[];
  readonly preferredNodeAffinity: readonly PreferredTerm[];
  readonly tolerations: readonly Toleration[];
  /** The pod's own labels, by which others select it. @default - none */
  readonly labels?: Readonly<Record<string, string>>;
  readonly topologySpread?: readonly TopologySpread[];
  readonly podAffinity?: PodAffinity;
  readonly podAntiAffinity?: PodAffinity;
  /** Whether it asks for devices by resource claims. @default false */
  readonly resourceClaims?: boolean;
  /** Of its regular containers. @default - none */
  readonly hostPorts?: readonly HostPort[];
  /** What its volumes need of the node, ORed. @default - they need nothing */
  readonly volumeTopology?: ReadonlyArray<readonly RequirementSpec[]>;
  /** Whether a volume of it is made in the zone where it first runs, and can be used in that zone alone. @default false */
  readonly staysInZone?: boolean;
  /**
   * Volumes that are made for the pod alone, by CSI driver: nodes that are there already hold no more than their limit of each, those of
   * `mountedClaims` included. @default - none
   */
  readonly volumes?: ReadonlyMap<string, number>;
  /** PersistentVolumeClaims that are there, which other pods may mount as well, as `namespace/name`: their CSI driver. @default - none */
  readonly mountedClaims?: ReadonlyMap<string, string>;
  /** Why Karpenter ignores the pod whatever else it needs, in its own words. @default - it does not */
  readonly ignored?: string;
  /**
   * What of this pod nothing in the input tells ('StorageClass gp3, which is not in the input', a value known only at deployment).
   * A pod with any is not placed by guess: it is reported as not evaluated.
   */
  readonly notEvaluated: readonly string[];
}
