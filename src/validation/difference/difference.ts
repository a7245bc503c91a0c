import { DriftReason } from '../../contract';
import {
  AcknowledgedFinding,
  Finding,
  NodePoolVerdict,
  SettledVerdict,
  Summary,
  UnschedulableVerdict,
} from '../vocabulary/verdict';

/** The result of `diff`, in version 1 of its JSON schema. Keys are in this order; arrays are sorted. */
export interface Difference {
  readonly schemaVersion: '1';
  readonly summary: { readonly before: Summary; readonly after: Summary };
  /** The range of the fleets that random names lead to; `null` for a side without. @default - fleets are not settled */
  readonly settled?: { readonly before: SettledVerdict | null; readonly after: SettledVerdict | null };
  /** Objects that were added, removed or changed, whether or not the change affects nodes. */
  readonly objects: readonly ObjectDifference[];
  /** NodePools that were added or removed, or that can launch or do launch something else. */
  readonly nodePools: readonly NodePoolDifference[];
  /** Who pays more or less for the nodes. @default - no price is known */
  readonly costs?: CostDifference;
  /** Pods that are unschedulable after the change only. */
  readonly unschedulable: readonly UnschedulableVerdict[];
  /** Pods that were unschedulable before the change only, as `namespace/name`. */
  readonly resolved: readonly string[];
  /** Nodes that Karpenter replaces because of drift once the change is applied. */
  readonly drift: readonly DriftDifference[];
  readonly findings: { readonly added: readonly Finding[]; readonly removed: readonly Finding[] };
  /** Findings after the change that the user has accepted. @default - none */
  readonly acknowledged?: readonly AcknowledgedFinding[];
  /** The assumptions of the verdict after the change, as sentences. */
  readonly assumptions: readonly string[];
}

export type Presence = 'added' | 'removed' | 'changed';

export interface ObjectDifference {
  readonly apiVersion: string;
  readonly kind: string;
  /** Empty for cluster-scoped objects and if none is written. */
  readonly namespace: string;
  readonly name: string;
  readonly change: Presence;
  /** The changed fields, sorted by path; empty unless `change` is `changed`. */
  readonly fields: readonly FieldDifference[];
}

export interface FieldDifference {
  readonly path: string;
  /** As JSON; `null` if the field is not written. */
  readonly before: unknown;
  readonly after: unknown;
}

export interface NodePoolDifference {
  readonly name: string;
  readonly change: Presence;
  readonly instanceTypes: NamesDifference;
  readonly zones: NamesDifference;
  readonly capacityTypes: NamesDifference;
  readonly nodes: { readonly before: number; readonly after: number };
  /** Lowest price of the planned nodes, in US dollars. */
  readonly usdPerHour: { readonly before: number; readonly after: number };
}

/**
 * The costs of a month of 730 hours before and after the change. The changes of the rows add up to that of the total.
 */
export interface CostDifference {
  /** `workload`, `namespace`, `pool`, `node` or `label:KEY`. */
  readonly by: string;
  readonly currency: string;
  readonly totalCost: { readonly before: number; readonly after: number };
  /** Only rows that change, the largest change first. */
  readonly rows: readonly CostRowDifference[];
}

export interface CostRowDifference {
  readonly name: string;
  readonly before: number;
  readonly after: number;
  readonly change: number;
}

export interface NamesDifference {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

export interface DriftDifference {
  readonly nodePool: string;
  readonly reason: DriftReason;
  /** Field paths in the NodePool or its EC2NodeClass; empty if only a hash shows the change. */
  readonly fields: readonly string[];
  /** False if the answer depends on what the selector terms match in AWS. */
  readonly certain: boolean;
  /** Names of running and planned nodes; empty if no node is known: then all nodes of the NodePool drift. */
  readonly nodes: readonly string[];
  /**
   * How many nodes the NodePool's budgets allow at a time; `null` if a budget has a schedule, or if they are unknown.
   */
  readonly atATime: number | null;
}

/** The part of a NodePool's verdict that is compared. */
export type LaunchChoices = Pick<NodePoolVerdict, 'instanceTypes' | 'zones' | 'capacityTypes'>;
