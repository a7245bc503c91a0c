import { DriftReason } from '../../contract';
import { Finding, NodePoolVerdict, Summary, UnschedulableVerdict } from '../report/verdict';

/** The result of `diff`: the JSON schema, version 1. Keys are in this order, arrays are sorted. */
export interface Difference {
  readonly schemaVersion: '1';
  readonly summary: { readonly before: Summary; readonly after: Summary };
  /** Objects that are written otherwise, whether nodes care or not. */
  readonly objects: readonly ObjectDifference[];
  /** Those that are only in one, or can launch something else, or have other nodes. */
  readonly nodePools: readonly NodePoolDifference[];
  /** Pods that have no node after, and had one or were not there before. */
  readonly unschedulable: readonly UnschedulableVerdict[];
  /** Pods that had no node before, and are no longer without: `namespace/name`. */
  readonly resolved: readonly string[];
  /** Nodes that Karpenter replaces once the change is applied. */
  readonly drift: readonly DriftDifference[];
  readonly findings: { readonly added: readonly Finding[]; readonly removed: readonly Finding[] };
  /** Plain sentences of the verdict after: what the figures rest on. */
  readonly assumptions: readonly string[];
}

export type Presence = 'added' | 'removed' | 'changed';

export interface ObjectDifference {
  readonly apiVersion: string;
  readonly kind: string;
  /** Empty where it has none. */
  readonly namespace: string;
  readonly name: string;
  readonly change: Presence;
  /** Of one that is changed: the fields, in the order of their paths. */
  readonly fields: readonly FieldDifference[];
}

export interface FieldDifference {
  readonly path: string;
  /** As JSON; `null` where it is not written. */
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
  /** What its new nodes cost at the least. */
  readonly usdPerHour: { readonly before: number; readonly after: number };
}

export interface NamesDifference {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

export interface DriftDifference {
  readonly nodePool: string;
  readonly reason: DriftReason;
  /** Of the NodePool or its node class; empty where only a hash tells that something has changed. */
  readonly fields: readonly string[];
  /** False where it depends on what the fields find in AWS. */
  readonly certain: boolean;
  /** Names, those that are planned among them; empty where none is known, and whichever there are drift. */
  readonly nodes: readonly string[];
  /** How many the budgets of the NodePool let go at a time; `null` where that depends on the hour, or is not known. */
  readonly atATime: number | null;
}

/** What a verdict says of a NodePool, as far as it is compared. */
export type Launchable = Pick<NodePoolVerdict, 'instanceTypes' | 'zones' | 'capacityTypes'>;
