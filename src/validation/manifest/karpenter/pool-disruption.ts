import { acceptsField, defaultBudgetNodes, disruptionDefaults, specField } from '../../../contract';
import { memoizeByIdentity, parseGoDuration, valueText } from '../../../model';
import { AUTO_MODE_EXPIRE_AFTER, AUTO_MODE_TERMINATION_GRACE_PERIOD, isAutoMode } from '../../eks-auto-mode';
import { findUnresolved } from '../find-unresolved';
import { ManifestModel, ManifestObject, NodePoolManifest } from '../model';
import { stringOrUndefined } from '../records';

/**
 * When and how the nodes of a NodePool are disrupted: its settings, with the defaults of Karpenter or of EKS Auto
 * Mode filled in.
 */
export interface ManifestDisruption {
  readonly object: ManifestObject;
  readonly name: string;
  /** Whether EKS Auto Mode launches the nodes. They always expire. */
  readonly isAutoMode: boolean;
  /** Milliseconds; undefined if nodes never expire. */
  readonly expireAfter?: number;
  /** As written, or the default. */
  readonly expireAfterText: string;
  /** Milliseconds; undefined if a drain has no time limit. */
  readonly terminationGracePeriod?: number;
  readonly consolidationPolicy: string;
  /** Milliseconds; undefined if nodes are never consolidated: `Never`, or a static NodePool. */
  readonly consolidateAfter?: number;
  readonly consolidateAfterText: string;
  readonly budgets: readonly ManifestBudget[];
}

export interface ManifestBudget {
  readonly nodes: string;
  /** @default - all reasons */
  readonly reasons?: readonly string[];
  readonly schedule?: string;
  readonly duration?: string;
}

const NEVER = 'Never';
const BUDGETS = ['disruption', 'budgets'];
/** Karpenter's default if a NodePool sets no budgets. */
const DEFAULT_BUDGETS: readonly ManifestBudget[] = [{ nodes: '10%' }];

/** The settings, or why they are unknown. */
export type PoolDisruptionResult =
  | { readonly disruption: ManifestDisruption; readonly why?: undefined }
  | { readonly object: ManifestObject; readonly why: string };

/** In the order of the input. */
export function poolDisruptions({ model }: { readonly model: ManifestModel }): PoolDisruptionResult[] {
  return model.nodePools.map(readPoolDisruption);
}

/** NodePools whose settings are known, by name. */
export const disruptionsByName = memoizeByIdentity(
  (context: { readonly model: ManifestModel }): ReadonlyMap<string, ManifestDisruption> =>
    new Map(
      poolDisruptions(context).flatMap((pool) =>
        pool.why === undefined ? [[pool.disruption.name, pool.disruption] as const] : [],
      ),
    ),
);

/**
 * Reasons for which Karpenter disrupts nodes of the NodePool if budgets allow it. Node repair is left out: its
 * feature gate is off by default.
 */
export function disruptionReasonsOf({ consolidateAfter, consolidationPolicy }: ManifestDisruption): string[] {
  if (consolidateAfter === undefined) return ['Drifted'];
  return consolidationPolicy === 'WhenEmpty' ? ['Drifted', 'Empty'] : ['Drifted', 'Empty', 'Underutilized'];
}

export function readPoolDisruption(pool: NodePoolManifest): PoolDisruptionResult {
  const { object, spec: usable } = pool;
  const { template, disruption = {}, replicas } = object.raw?.spec ?? {};
  const { expireAfter, terminationGracePeriod: writtenGrace } = template?.spec ?? {};
  const autoMode = isAutoMode(pool);
  const terminationGracePeriod = writtenGrace ?? (autoMode ? AUTO_MODE_TERMINATION_GRACE_PERIOD : undefined);
  const unknown = findUnresolved([expireAfter, terminationGracePeriod, disruption]);
  if (unknown !== undefined) return { object, why: `the value of ${unknown} is known only at deployment` };
  const defaults = disruptionDefaults();
  const expireAfterText =
    expireAfter ??
    (autoMode ? AUTO_MODE_EXPIRE_AFTER : valueText(specField('NodePool', 'template', 'spec', 'expireAfter').default));
  const consolidateAfterText = disruption?.consolidateAfter ?? defaults.consolidateAfter;
  const budgets: readonly ManifestBudget[] | undefined = readBudgets(disruption?.budgets);
  if (
    !usable ||
    !budgets ||
    !isDurationOrNever(expireAfterText) ||
    !isDurationOrNever(consolidateAfterText) ||
    (terminationGracePeriod !== undefined && !isDurationOrNever(terminationGracePeriod))
  ) {
    return { object, why: 'the NodePool is invalid as written' };
  }
  return {
    disruption: {
      object,
      name: object.name,
      isAutoMode: autoMode,
      expireAfter: parseGoDuration(expireAfterText),
      expireAfterText,
      terminationGracePeriod:
        terminationGracePeriod === undefined ? undefined : parseGoDuration(terminationGracePeriod),
      consolidationPolicy: stringOrUndefined(disruption?.consolidationPolicy) ?? defaults.consolidationPolicy,
      consolidateAfter: replicas === undefined ? parseGoDuration(consolidateAfterText) : undefined,
      consolidateAfterText,
      budgets,
    },
  };
}

function isDurationOrNever(value: unknown): value is string {
  return value === NEVER || (typeof value === 'string' && parseGoDuration(value) !== undefined);
}

/** The budgets as the API server defaults them; undefined if it rejects them. */
function readBudgets(written: unknown): readonly ManifestBudget[] | undefined {
  if (written === undefined || written === null) return DEFAULT_BUDGETS;
  if (!Array.isArray(written) || !acceptsField('NodePool', BUDGETS, written)) return undefined;
  const budgets = written.map((budget): ManifestBudget => ({ nodes: defaultBudgetNodes(), ...budget }));
  return budgets.every(({ schedule, duration }) => (schedule === undefined) === (duration === undefined))
    ? budgets
    : undefined;
}
