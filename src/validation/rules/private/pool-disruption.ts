import { acceptsField, defaultBudgetNodes, disruptionDefaults, specField } from '../../../contract';
import { parseGoDuration } from '../../../model';
import { ManifestObject, NodePoolManifest, WorkloadManifest } from '../../manifest/model';
import { RuleContext } from '../rule';
import { poolNamesOf } from './placements';
import { findUnresolved } from './unresolved';

/** How the nodes of a NodePool come to their end, as its manifest says or leaves it to Karpenter. */
export interface PoolDisruption {
  readonly object: ManifestObject;
  readonly name: string;
  /** Milliseconds; undefined where nodes never expire. */
  readonly expireAfter?: number;
  /** As written, or what Karpenter takes for it. */
  readonly expireAfterText: string;
  readonly expireAfterWritten: boolean;
  /** Milliseconds; undefined where a drain has no end. */
  readonly terminationGracePeriod?: number;
  readonly terminationGracePeriodText?: string;
  readonly consolidationPolicy: string;
  /** Milliseconds; undefined where nothing is consolidated: `Never`, or a static pool. */
  readonly consolidateAfter?: number;
  readonly consolidateAfterText: string;
  readonly budgets: readonly DisruptionBudget[];
}

export interface DisruptionBudget {
  readonly nodes: string;
  /** Absent: all. */
  readonly reasons?: readonly string[];
  readonly schedule?: string;
  readonly duration?: string;
}

const NEVER = 'Never';
const BUDGETS = ['disruption', 'budgets'];
/** Of a pool that says nothing. */
const DEFAULT_BUDGETS: readonly DisruptionBudget[] = [{ nodes: '10%' }];

export type ReadPool = { readonly disruption: PoolDisruption; readonly why?: undefined } | { readonly object: ManifestObject; readonly why: string };

/** In the order of the input. */
export function poolDisruptions({ model }: RuleContext): ReadPool[] {
  return model.nodePools.map(readPool);
}

/** Those that can be read, by name. */
export function disruptionsByName(context: RuleContext): ReadonlyMap<string, PoolDisruption> {
  return new Map(poolDisruptions(context).flatMap((pool) => pool.why === undefined ? [[pool.disruption.name, pool.disruption] as const] : []));
}

/** The pools that the plan gives the pods to, and whose drains have an end. */
export function poolsWithEnd(context: RuleContext, workload: WorkloadManifest, pools: ReadonlyMap<string, PoolDisruption>): PoolDisruption[] {
  const own = poolNamesOf(context, workload).flatMap((name) => pools.get(name) ?? []);
  return own.filter(({ terminationGracePeriod }) => terminationGracePeriod !== undefined);
}

/** For which Karpenter takes nodes of the pool, as far as budgets let it; repair, which is off unless a gate is opened, is not among them. */
export function reasonsOf({ consolidateAfter, consolidationPolicy }: PoolDisruption): string[] {
  if (consolidateAfter === undefined) return ['Drifted'];
  return consolidationPolicy === 'WhenEmpty' ? ['Drifted', 'Empty'] : ['Drifted', 'Empty', 'Underutilized'];
}

export function readPool({ object, spec: usable }: NodePoolManifest): ReadPool {
  const { template, disruption = {}, replicas } = object.raw?.spec ?? {};
  const { expireAfter, terminationGracePeriod } = template?.spec ?? {};
  const unknown = findUnresolved([expireAfter, terminationGracePeriod, disruption]);
  if (unknown !== undefined) return { object, why: `the value of ${unknown} is known only at deployment` };
  const defaults = disruptionDefaults();
  const expireAfterText = expireAfter ?? String(specField('NodePool', 'template', 'spec', 'expireAfter').default);
  const consolidateAfterText = disruption?.consolidateAfter ?? defaults.consolidateAfter;
  const durations = [expireAfterText, consolidateAfterText, terminationGracePeriod ?? '0s'];
  const budgets: readonly DisruptionBudget[] | undefined = readBudgets(disruption?.budgets);
  if (!usable || !budgets || !durations.every((text) => text === NEVER || (typeof text === 'string' && parseGoDuration(text) !== undefined))) {
    return { object, why: 'the NodePool cannot be used as it is written' };
  }
  return {
    disruption: {
      object,
      name: object.name,
      expireAfter: parseGoDuration(expireAfterText),
      expireAfterText,
      expireAfterWritten: expireAfter !== undefined,
      terminationGracePeriod: terminationGracePeriod === undefined ? undefined : parseGoDuration(terminationGracePeriod),
      terminationGracePeriodText: terminationGracePeriod,
      consolidationPolicy: disruption?.consolidationPolicy ?? defaults.consolidationPolicy,
      consolidateAfter: replicas === undefined ? parseGoDuration(consolidateAfterText) : undefined,
      consolidateAfterText,
      budgets,
    },
  };
}

/** Undefined for what the API server would refuse. Where one does not say how many nodes, it fills that in. */
function readBudgets(written: unknown): readonly DisruptionBudget[] | undefined {
  if (written === undefined || written === null) return DEFAULT_BUDGETS;
  if (!Array.isArray(written) || !acceptsField('NodePool', BUDGETS, written)) return undefined;
  const budgets = written.map((budget): DisruptionBudget => ({ nodes: defaultBudgetNodes(), ...budget }));
  return budgets.every(({ schedule, duration }) => (schedule === undefined) === (duration === undefined)) ? budgets : undefined;
}
