import { isRestrictedLabel, labelDomain, normalizeLabelKey, RequirementSpec, WELL_KNOWN_LABELS } from '../../model';
import { PodShape } from '../../scheduling';
import { AUTO_MODE_GROUP } from '../auto-mode';
import { WorkloadManifest } from '../manifest/model';
import { constraintPath } from './private/constraint-path';
import { nearMiss } from './private/near-miss';
import { fail, notEvaluated, pass } from './private/outcome';
import { haveNodes } from './private/placements';
import { alternatives, needsLabel, targetsOtherNodes, unresolvedConstraint } from './private/pod-constraints';
import { Pool, poolsOf } from './private/pool';
import { Weight, weightOf } from './private/without-pods';
import { joinNames, someNames } from './private/wording';
import { Outcome, Rule, RuleContext } from './rule';

/** @see https://karpenter.sh/docs/concepts/scheduling/#user-defined-labels */
export class CustomLabelUnknownToAnyNodePool implements Rule {
  public readonly id = 'KARP-106';
  public readonly name = 'custom-label-unknown-to-any-nodepool';
  public readonly severity = 'error';
  public readonly summary = 'A workload requires a label that no NodePool declares, in its template labels or its requirements: its pods stay Pending.';

  public check(context: RuleContext): Outcome[] {
    const pools = poolsOf(context);
    if (pools.length === 0) {
      return [];
    }
    return context.model.workloads.flatMap((workload) => {
      const { shape } = workload;
      if (workload.kind === 'DaemonSet' || shape === undefined || targetsOtherNodes(workload)) {
        return [];
      }
      if (alternatives(shape).every((specs) => customKeys(specs).length === 0)) {
        return [];
      }
      return haveNodes(context, workload) ? [pass(workload.object)] : this.checkWorkload(context, workload, shape, pools);
    });
  }

  private checkWorkload({ model }: RuleContext, workload: WorkloadManifest, shape: PodShape, pools: readonly Pool[]): Outcome[] {
    const unknown = unresolvedConstraint(workload);
    if (unknown !== undefined) {
      return [notEvaluated(workload.object, `the value of ${unknown} is known only at deployment`)];
    }
    const wanted = alternatives(shape).map(customKeys);
    if (wanted.some((keys) => pools.some((pool) => declaresAll(pool, keys)))) {
      return [pass(workload.object)];
    }
    const unusable = pools.find(({ spec }) => spec === undefined);
    if (unusable !== undefined) {
      return [notEvaluated(workload.object, `NodePool ${unusable.name} may declare ${joinNames(wanted[0])}: ${unusable.why}`)];
    }
    const missing = wanted[0].filter((key) => !pools.some((pool) => declaresAll(pool, [key])));
    // A misspelt well-known label is KARP-105's to explain.
    const unexplained = missing.filter((key) => !nearMiss(key)?.certain);
    if (missing.length > 0 && unexplained.length === 0) {
      return [];
    }
    return [finding(workload, shape, { keys: wanted[0], missing: unexplained }, pools, weightOf(model, workload))];
  }
}

interface Lack {
  /** What a node must have. */
  readonly keys: readonly string[];
  /** Those that no NodePool declares. */
  readonly missing: readonly string[];
}

function finding(workload: WorkloadManifest, shape: PodShape, { keys, missing }: Lack, pools: readonly Pool[], { severity, note }: Weight): Outcome {
  const declared = [...new Set(pools.flatMap(declaredKeys))].sort();
  const known = declared.length === 0 ? 'none declares a label of its own' : `declared: ${someNames(declared)}`;
  const named = missing.length > 0 ? missing : keys;
  const hint = missing.map(nearMiss).find((near) => near !== undefined);
  const lack = missing.length > 0
    ? `requires the label ${joinNames(missing)}, which no NodePool declares (${known})`
    : `requires the labels ${joinNames(keys)} together, and no single NodePool declares all of them`;
  return fail({
    object: workload.object,
    path: constraintPath(workload, shape, named[0]),
    message: `${lack}: Karpenter launches no node for its pods, which stay Pending unless a node from elsewhere has the label${note}`,
    remedy: `${hint === undefined ? '' : `write ${hint.suggestion} if that is what is meant; otherwise `}`
      + `add ${joinNames(named)} to spec.template.metadata.labels of a NodePool, or as a requirement with operator Exists`,
    evidence: { missing: named, declared, nodePools: pools.map(({ name }) => name) },
    severity,
  });
}

/** Keys that a node must have and that only a NodePool can give it. Karpenter ignores pods that ask for a restricted key. */
function customKeys(specs: readonly RequirementSpec[]): string[] {
  const keys = specs.filter(needsLabel).map(({ key }) => normalizeLabelKey(key));
  return [...new Set(keys)].filter((key) => !WELL_KNOWN_LABELS.has(key) && !isRestrictedLabel(key)).sort();
}

function declaredKeys({ spec }: Pool): string[] {
  const keys = [...Object.keys(spec?.labels ?? {}), ...(spec?.requirements ?? []).map(({ key }) => key)];
  return keys.map(normalizeLabelKey).filter((key) => !WELL_KNOWN_LABELS.has(key));
}

/** Nodes of EKS Auto Mode have labels under a domain of its own. */
function declaresAll({ requirements, autoMode }: Pool, keys: readonly string[]): boolean {
  return requirements !== undefined && keys.every((key) => requirements.has(key) || (autoMode && labelDomain(key) === AUTO_MODE_GROUP));
}
