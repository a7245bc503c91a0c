import { Dice } from './dice';
import { FeatureGate, SchedulerConfig } from '../../../src/contract';

/** A manifest, or a part of one, while it is written. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- manifests have any shape
export type Json = Record<string, any>;

/** What `check` is told beside the manifests. */
export interface ScenarioSettings {
  region: string;
  zones: string[];
  spotPriceRatio: number;
  vmMemoryOverheadPercent: number;
  reservedENIs: number;
  preferencePolicy: 'Respect' | 'Ignore';
  minValuesPolicy: 'Strict' | 'BestEffort';
  featureGates: Partial<Record<FeatureGate, boolean>>;
  /** What Karpenter is told of the Kubernetes scheduler's configuration. */
  schedulerConfig?: SchedulerConfig;
  /** Those that EC2 offers; all of the catalogue if absent. */
  instanceTypes?: string[];
}

/** A scenario while features work on it. */
export interface Draft {
  readonly dice: Dice;
  readonly settings: ScenarioSettings;
  readonly nodeClasses: Json[];
  readonly pools: Json[];
  /** What has pods to place, DaemonSets excepted. */
  readonly workloads: Json[];
  readonly daemonSets: Json[];
  /** Everything else: namespaces, claims, storage classes … */
  readonly others: Json[];
  /** What is there before the manifests are applied, as kubectl prints it. */
  readonly cluster: Json[];
}

/** Something that scenarios have or have not. */
export interface Feature {
  readonly name: string;
  apply(draft: Draft): void;
}

/** The pod of a workload: what has `metadata` and `spec`. */
export function podOf(workload: Json): Json {
  if (workload.kind === 'Pod') return workload;
  return workload.kind === 'CronJob' ? workload.spec.jobTemplate.spec.template : workload.spec.template;
}

export function poolTemplate(pool: Json): Json {
  return pool.spec.template;
}

/** Some of the workloads, at least one. */
export function someWorkloads({ dice, workloads }: Draft): Json[] {
  return dice.some(workloads, Math.max(1, Math.round(workloads.length * dice.pick([0.2, 0.5, 1]))));
}

/** Some of the pools, at least one. */
export function somePools({ dice, pools }: Draft): Json[] {
  return dice.some(pools, Math.max(1, Math.round(pools.length * dice.pick([0.3, 0.6, 1]))));
}
