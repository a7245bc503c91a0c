import { podGroupIndices } from '../context/schedule-input';
import { smallestFittingChanges } from '../explain/fitting-changes';
import { WorkloadManifest } from '../manifest';
import { Finding } from '../report/verdict';
import { plural } from '../report/wording';
import { RuleContext } from '../rules';

/** Rules about a workload whose pods have no node. */
const EFFECTS: ReadonlySet<string> = new Set(['KARP-106', 'KARP-211', 'KARP-213', 'KARP-301', 'KARP-318']);

/**
 * Pods that only wait for a NodePool to be ready have no findings of their own: the finding about the NodePool, or about
 * its class, says how many pods wait.
 */
export function attachToCauses(findings: readonly Finding[], context: RuleContext): Finding[] {
  const waiting = waitingWorkloads(context);
  const attached = new Map<Finding, WaitingWorkload[]>();
  const dropped = new Set<Finding>();
  for (const workload of waiting) {
    const cause = findings.find(({ severity, subject }) => severity === 'error' && subject.kind === workload.cause.kind && subject.name === workload.cause.name);
    if (cause === undefined) continue;
    attached.set(cause, [...attached.get(cause) ?? [], workload]);
    for (const finding of findings) if (EFFECTS.has(finding.rule) && isAbout(finding, workload.manifest)) dropped.add(finding);
  }
  return findings.filter((finding) => !dropped.has(finding)).map((finding) => {
    const workloads = attached.get(finding);
    return workloads === undefined ? finding : withWaiting(finding, workloads);
  });
}

interface WaitingWorkload {
  readonly manifest: WorkloadManifest;
  readonly pods: number;
  readonly cause: { readonly kind: string; readonly name: string };
}

/** Workloads whose unschedulable pods all wait for a NodePool. */
function waitingWorkloads(context: RuleContext): WaitingWorkload[] {
  const { model, plan } = context;
  if (plan.unschedulable.length === 0) return [];
  const pending = new Map<number, number>();
  for (const { group } of plan.unschedulable) pending.set(group, (pending.get(group) ?? 0) + 1);
  const changes = smallestFittingChanges(context);
  return model.workloads.flatMap((manifest): WaitingWorkload[] => {
    const groups = podGroupIndices(manifest).filter((group) => pending.has(group));
    const waits = groups.map((group) => changes.get(group));
    const [first] = waits;
    if (first?.waitsFor === undefined || waits.some((change) => !change?.isOnlyWaiting)) return [];
    return [{ manifest, cause: first.waitsFor.cause, pods: groups.reduce((sum, group) => sum + pending.get(group)!, 0) }];
  });
}

function isAbout({ subject }: Finding, { object, namespace, name }: WorkloadManifest): boolean {
  return subject.kind === object.kind && subject.name === name && (subject.namespace === '' || subject.namespace === namespace);
}

function withWaiting(finding: Finding, workloads: readonly WaitingWorkload[]): Finding {
  const pods = workloads.reduce((sum, workload) => sum + workload.pods, 0);
  const names = workloads.map(({ manifest: { kind, namespace, name } }) => `${kind} ${namespace}/${name}`).sort();
  const which = names.length === 1 ? names[0] : plural(names.length, 'workload');
  return {
    ...finding,
    message: `${finding.message}; ${plural(pods, 'pod')} of ${which} ${pods === 1 ? 'waits' : 'wait'} for it`,
    evidence: { ...finding.evidence, waitingPods: pods, waitingWorkloads: names },
  };
}
