import { Dice } from './dice';
import { FeatureGate, SchedulerConfig } from '../../../src/contract';

/** A manifest, or a part of one, while it is written. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- manifests have any shape
export type Json = Record<string, any>;

/** Settings for `check` besides the manifests. */
export interface ScenarioSettings {
  region: string;
  zones: string[];
  spotPriceRatio: number;
  vmMemoryOverheadPercent: number;
  reservedENIs: number;
  preferencePolicy: 'Respect' | 'Ignore';
  minValuesPolicy: 'Strict' | 'BestEffort';
  featureGates: Partial<Record<FeatureGate, boolean>>;
  /** The part of the Kubernetes scheduler's configuration that Karpenter reads. */
  schedulerConfig?: SchedulerConfig;
  /** Instance types that EC2 offers; all of the catalog if absent. */
  instanceTypes?: string[];
}

/** A scenario while features change it. */
export interface Draft {
  readonly dice: Dice;
  readonly settings: ScenarioSettings;
  readonly nodeClasses: Json[];
  readonly pools: Json[];
  /** Workloads with pods to schedule, without DaemonSets. */
  readonly workloads: Json[];
  readonly daemonSets: Json[];
  /** All further objects: namespaces, volume claims, storage classes, … */
  readonly others: Json[];
  /** Objects that exist before the manifests are applied, as kubectl prints them. */
  readonly cluster: Json[];
}

/** A property that some generated scenarios have. */
export interface Feature {
  readonly name: string;
  apply(draft: Draft): void;
}

/** The pod template of a workload, with `metadata` and `spec`. */
export function podOf(workload: Json): Json {
  if (workload.kind === 'Pod') return workload;
  return workload.kind === 'CronJob' ? workload.spec.jobTemplate.spec.template : workload.spec.template;
}

export function poolTemplate(pool: Json): Json {
  return pool.spec.template;
}

/** A random part of the workloads, at least one. */
export function someWorkloads({ dice, workloads }: Draft): Json[] {
  return dice.some(workloads, Math.max(1, Math.round(workloads.length * dice.pick([0.2, 0.5, 1]))));
}

/** A random part of the pools, at least one. */
export function somePools({ dice, pools }: Draft): Json[] {
  return dice.some(pools, Math.max(1, Math.round(pools.length * dice.pick([0.3, 0.6, 1]))));
}
