import { ClusterSize, WorkloadReport } from './scenario-report';
import { PdbIndex } from '../../budgets/pdb-index';
import { PdbLimit } from '../../budgets/pdb-limit';
import { PdbLimits } from '../../budgets/pdb-limits';
import { Cluster, ClusterPod } from '../../cluster';

/** A workload at the start. */
export interface InitialWorkload {
  readonly workload: string;
  /** Its index among all workloads. */
  readonly index: number;
  readonly ready: number;
  readonly replicas: number;
  /** One of its pods. */
  readonly sample: ClusterPod;
  /** The PodDisruptionBudgets that select its pods, if Kubernetes can compute their demand. */
  readonly pdbs: readonly PdbLimit[];
  /** Whether a PDB also counts pods of other workloads. */
  readonly sharesPdb: boolean;
  /** The number of ready pods that satisfies all its PDBs, if it shares none. */
  readonly demanded: number;
  /** Its report if nothing happens to it. */
  readonly unchangedReport: WorkloadReport;
}

/** The workloads of a cluster at the start: the same for all scenarios. */
export interface WorkloadBaseline {
  /** By `workloadKey`. */
  readonly byKey: ReadonlyMap<string, InitialWorkload>;
  readonly inNameOrder: readonly InitialWorkload[];
  /** Workloads that may be below a PDB's demand even if nothing happens to their own pods. */
  readonly watched: readonly InitialWorkload[];
  readonly readyPods: number;
  readonly size: ClusterSize;
}

/** The parts of a `SimulatedCluster` that the baseline is computed from. */
interface ClusterSource {
  readonly pods: {
    readonly readyCounts: ReadonlyMap<string, number>;
    readonly initial: { readonly samples: ReadonlyMap<string, ClusterPod> };
  };
  readonly config: Pick<Cluster, 'replicas'>;
  readonly session: { readonly pdbs: PdbIndex };
  snapshot(): Cluster;
  size(): ClusterSize;
}

/** @param cluster a simulation that has not begun */
export function workloadBaseline(cluster: ClusterSource): WorkloadBaseline {
  const workloads = initialWorkloads(cluster);
  return {
    byKey: new Map(workloads.map((initial) => [initial.workload, initial])),
    inNameOrder: [...workloads].sort((left, right) => (left.workload < right.workload ? -1 : 1)),
    watched: workloads.filter(({ sharesPdb, ready, demanded }) => sharesPdb || ready < demanded),
    readyPods: workloads.reduce((sum, { ready }) => sum + ready, 0),
    size: cluster.size(),
  };
}

function initialWorkloads(cluster: ClusterSource): InitialWorkload[] {
  const {
    pods: {
      readyCounts,
      initial: { samples },
    },
    config: { replicas: wantedReplicas },
    session,
  } = cluster;
  const limits = new PdbLimits(cluster.snapshot(), session.pdbs);
  const workloadsByPdb = new Map<PdbLimit, number>();
  for (const workload of readyCounts.keys()) {
    for (const pdb of limits.limitsOf(samples.get(workload)!))
      workloadsByPdb.set(pdb, (workloadsByPdb.get(pdb) ?? 0) + 1);
  }
  return [...readyCounts].map(([workload, ready], index): InitialWorkload => {
    const sample = samples.get(workload)!;
    // Kubernetes cannot compute a percentage or maxUnavailable for pods without a scale, such as those of Jobs.
    const pdbs = limits.limitsOf(sample).filter(({ isScaleUnknown }) => !isScaleUnknown);
    const sharesPdb = pdbs.some((pdb) => workloadsByPdb.get(pdb)! > 1 || pdb.currentHealthy !== ready);
    const demanded = pdbs.reduce((most, { desiredHealthy }) => Math.max(most, desiredHealthy), 0);
    const replicas = wantedReplicas?.get(workload) ?? ready;
    const unchangedReport = workloadReport(
      { workload, replicas, pdbs },
      { lowestReady: ready, evictions: 0, millisecondsBelow: 0 },
    );
    return { workload, index, ready, replicas, sample, pdbs, sharesPdb, demanded, unchangedReport };
  });
}

interface WorkloadOutcome {
  readonly lowestReady: number;
  readonly evictions: number;
  /** Milliseconds with fewer ready pods than a PDB demands. */
  readonly millisecondsBelow: number;
}

export function workloadReport(
  { workload, replicas, pdbs }: Pick<InitialWorkload, 'workload' | 'replicas' | 'pdbs'>,
  { lowestReady, evictions, millisecondsBelow }: WorkloadOutcome,
): WorkloadReport {
  const belowBudget = pdbs.length === 0 ? {} : { secondsBelowBudget: Math.round(millisecondsBelow / 1_000) };
  return { workload, replicas, lowestReady, evictions, ...belowBudget };
}
