import { Cluster } from '../../disruption';
import { planOfRounds, provisioningRounds, SchedulePlan } from '../../scheduling';
import { SourceFile } from '../manifest';
import { CheckOptions } from '../options';
import { readScene, Scene } from '../scene';
import { disruptedCluster } from './disrupted-cluster';
import { startOf } from './node-facts';
import { ReadyWorkload, readyWorkloads } from './ready-workloads';

/** What every scenario of the same manifests begins with: all pods that can be placed are, and ready. */
export interface Staged {
  readonly scene: Scene;
  readonly plan: SchedulePlan;
  readonly cluster: Cluster;
  /** In sentences, what of the cluster is not known. */
  readonly notes: readonly string[];
  readonly workloads: readonly ReadyWorkload[];
  readonly start: number;
}

interface Kept {
  readonly given: CheckOptions;
  /** As it was asked for. */
  readonly start: number | undefined;
  readonly staged: Staged;
}

/** The last of some sources. */
const KEPT = new WeakMap<readonly SourceFile[], Kept>();

/** Worked out once for the same sources and options, told apart as objects: whoever plays several scenarios passes the same. */
export function stagedOf(sources: readonly SourceFile[], given: CheckOptions, start: number | undefined): Staged {
  const kept = KEPT.get(sources);
  if (kept?.given === given && kept.start === start) return kept.staged;
  const staged = stage(sources, given, start);
  KEPT.set(sources, { given, start, staged });
  return staged;
}

function stage(sources: readonly SourceFile[], given: CheckOptions, wanted: number | undefined): Staged {
  const scene = readScene(sources, given);
  const start = wanted ?? startOf(scene.model);
  const plan = planOfRounds(provisioningRounds(scene.input, scene.catalog));
  const { cluster, notes } = disruptedCluster(scene, plan, start);
  return { scene, plan, cluster, notes, workloads: readyWorkloads(scene.model, cluster), start };
}
