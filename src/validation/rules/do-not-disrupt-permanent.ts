import { compareKarpenterVersions, DO_NOT_DISRUPT, DO_NOT_DISRUPT_DURATIONS_SINCE, LEGACY_ANNOTATIONS, protectionOf } from '../../contract';
import { FieldPath, WorkloadManifest } from '../manifest/model';
import { fail, notEvaluated, pass } from './private/outcome';
import { placementsOf, poolNamesOf } from './private/placements';
import { disruptionsByName } from './private/pool-disruption';
import { isBatch, podAnnotations, podAnnotationsPath } from './private/protection';
import { findUnresolved } from './private/unresolved';
import { count } from './private/wording';
import { Outcome, Rule, RuleContext } from './rule';

const REMEDY = `write ${DO_NOT_DISRUPT} in the annotations of the pod template: "true", or a duration such as "1h"`;

interface Mistake {
  readonly path: FieldPath;
  readonly message: string;
  readonly remedy: string;
}

/** @see https://karpenter.sh/docs/concepts/disruption/#pod-level-controls */
export class DoNotDisruptPermanent implements Rule {
  public readonly id = 'KARP-409';
  public readonly name = 'do-not-disrupt-permanent';
  public readonly severity = 'warning';
  public readonly summary = 'Pods that never end are protected from disruption for good, or the annotation that should protect them does nothing.';

  public check(context: RuleContext): Outcome[] {
    return context.model.workloads.flatMap((workload) => {
      const value = podAnnotations(workload)[DO_NOT_DISRUPT];
      const mistake = legacy(workload) ?? misplaced(workload, value) ?? ineffective(context, workload, value);
      if (mistake) return [fail({ object: workload.object, severity: 'error', evidence: { value: value ?? null }, ...mistake })];
      if (value === undefined) return [];
      const unknown = findUnresolved(value);
      if (unknown !== undefined) return [notEvaluated(workload.object, `the value of ${unknown} is known only at deployment`)];
      return [this.checkDuration(context, workload, value)];
    });
  }

  /** A terminationGracePeriod gives the node an end: drift and expiry then go on all the same. */
  private checkDuration(context: RuleContext, workload: WorkloadManifest, value: unknown): Outcome {
    const pools = poolNamesOf(context, workload);
    const disruptions = disruptionsByName(context);
    const endless = pools.filter((name) => disruptions.get(name)?.terminationGracePeriod === undefined);
    if (protectionOf(value).kind !== 'always' || isBatch(workload) || (pools.length > 0 && endless.length === 0)) return pass(workload.object);
    const nodes = placementsOf(context, workload).length;
    const pinned = nodes === 0 ? 'each node that runs one of its pods' : count(nodes, 'node');
    return fail({
      object: workload.object,
      path: [...podAnnotationsPath(workload), DO_NOT_DISRUPT],
      message: `its pods are protected from disruption for as long as they are there, which is for ever: ${pinned} can neither be consolidated nor get a new machine image`,
      remedy: 'write a duration, such as "4h", or give the NodePool a terminationGracePeriod, so that drift and expiry find an end',
      evidence: { value, nodes },
    });
  }
}

function legacy(workload: WorkloadManifest): Mistake | undefined {
  const own = workload.object.raw?.metadata?.annotations;
  const key = [...LEGACY_ANNOTATIONS.keys()].find((each) => podAnnotations(workload)[each] !== undefined || own?.[each] !== undefined);
  if (key === undefined) return undefined;
  const inPod = podAnnotations(workload)[key] !== undefined;
  return {
    path: inPod ? [...podAnnotationsPath(workload), key] : ['metadata', 'annotations', key],
    message: `${key} is not read since Karpenter 1.0: its pods are not protected`,
    remedy: REMEDY,
  };
}

function misplaced({ kind, object }: WorkloadManifest, value: unknown): Mistake | undefined {
  const written = object.raw?.metadata?.annotations?.[DO_NOT_DISRUPT];
  if (kind === 'Pod' || value !== undefined || written === undefined || written === 'false') return undefined;
  return {
    path: ['metadata', 'annotations', DO_NOT_DISRUPT],
    message: `${DO_NOT_DISRUPT} is on the ${kind} itself, where Karpenter does not look: its pods are not protected`,
    remedy: REMEDY,
  };
}

/** `false` says what it means. */
function ineffective({ options }: RuleContext, workload: WorkloadManifest, value: unknown): Mistake | undefined {
  if (value === undefined || value === 'false' || findUnresolved(value) !== undefined) return undefined;
  const path = [...podAnnotationsPath(workload), DO_NOT_DISRUPT];
  const { kind } = protectionOf(value);
  if (kind === 'none') return { path, message: `Karpenter does not understand ${JSON.stringify(value)}, and takes it for no annotation: its pods are not protected`, remedy: REMEDY };
  const version = options.karpenterVersion;
  if (kind === 'always' || version === undefined || compareKarpenterVersions(version, DO_NOT_DISRUPT_DURATIONS_SINCE) >= 0) return undefined;
  return {
    path,
    message: `Karpenter ${version} reads no durations here, and takes ${JSON.stringify(value)} for no annotation: its pods are not protected`,
    remedy: `write "true", or use Karpenter ${DO_NOT_DISRUPT_DURATIONS_SINCE} or newer`,
  };
}
