import { asRecord } from '../../contract';
import { WorkloadManifest } from '../manifest/model';
import { fail, notEvaluated, pass } from './private/outcome';
import { poolNamesOf } from './private/placements';
import { targetsOtherNodes } from './private/pod-constraints';
import { disruptionsByName, PoolDisruption } from './private/pool-disruption';
import { isBatch, podAnnotations, podAnnotationsPath, protectionOfPods } from './private/protection';
import { waiverOf } from './private/serving';
import { findUnresolved } from './private/unresolved';
import { joinNames } from './private/wording';
import { Outcome, Rule, RuleContext } from './rule';

/** Of Helm and Argo CD. */
const HOOKS = ['helm.sh/hook', 'argocd.argoproj.io/hook'];

/** @see https://karpenter.sh/docs/concepts/disruption/#pod-level-controls */
export class BatchJobUnprotected implements Rule {
  public readonly id = 'KARP-424';
  public readonly name = 'batch-job-unprotected';
  public readonly severity = 'warning';
  public readonly summary = 'The pods of a Job are on nodes that Karpenter consolidates: it evicts them in the middle of their work, and they start anew.';

  public check(context: RuleContext): Outcome[] {
    const pools = disruptionsByName(context);
    return context.model.workloads.filter((workload) => isBatch(workload) && !targetsOtherNodes(workload)).flatMap((workload) => {
      const { object } = workload;
      if (isHook(workload) || protectionOfPods(workload).kind !== 'none' || waiverOf(workload, 'do-not-disrupt') !== undefined) return [pass(object)];
      const unknown = findUnresolved(podAnnotations(workload));
      if (unknown !== undefined) return [notEvaluated(object, `the value of ${unknown} is known only at deployment`)];
      const own = poolNamesOf(context, workload);
      if (own.length === 0) return [];
      const consolidated = own.flatMap((name) => pools.get(name) ?? []).filter(movesPods);
      return [consolidated.length === 0 ? pass(object) : this.finding(workload, consolidated)];
    });
  }

  private finding(workload: WorkloadManifest, pools: readonly PoolDisruption[]): Outcome {
    const names = pools.map(({ name }) => name);
    return fail({
      object: workload.object,
      path: podAnnotationsPath(workload),
      message: `its pods run in NodePool ${joinNames(names)}, where Karpenter consolidates: as the work ends here and there, the nodes of what is left become the best to remove, `
        + 'and pods that are evicted start anew',
      remedy: 'annotate the pod template with karpenter.sh/do-not-disrupt: "true", or with a duration, or let it run in a NodePool of consolidationPolicy: WhenEmpty',
      evidence: { nodePools: names },
    });
  }
}

/** What a deployment runs by itself, such as a migration, is short, and runs again with the next one. */
function isHook({ object }: WorkloadManifest): boolean {
  const annotations = asRecord(asRecord(object.raw?.metadata)?.annotations) ?? {};
  return HOOKS.some((key) => annotations[key] !== undefined);
}

function movesPods({ consolidationPolicy, consolidateAfter }: PoolDisruption): boolean {
  return consolidationPolicy !== 'WhenEmpty' && consolidateAfter !== undefined;
}
