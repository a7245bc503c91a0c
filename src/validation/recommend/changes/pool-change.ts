import { FieldEdit } from '../../../contract';
import { NodePoolSpec } from '../../../scheduling';

/** What the author of the workloads must agree to: that pods may be interrupted, or run on arm64. */
export type Consent = 'spot' | 'arm64';

/** A change of NodePools that may make their nodes cheaper. */
export interface PoolChange {
  readonly nodePool: string;
  /** An instruction: 'launch nodes of at most 32 CPUs'. */
  readonly description: string;
  /** Two changes of one NodePool with one subject exclude each other. */
  readonly subject: string;
  /** @default - nothing but the price and the nodes changes */
  readonly consent?: Consent;
  /** What must be true and is not in the input, as a sentence. @default - nothing */
  readonly condition?: string;
  /** The changed fields of the NodePool. */
  readonly edits: readonly FieldEdit[];
  apply(pools: readonly NodePoolSpec[]): readonly NodePoolSpec[];
}
