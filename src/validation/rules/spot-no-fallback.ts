import { Label } from '../../model';
import { PodShape } from '../../scheduling';
import { WorkloadManifest } from '../manifest/model';
import { fail, notEvaluated, pass } from './private/outcome';
import { workloadsByPool } from './private/placements';
import { alternatives, commonRequirements, refusingTaint } from './private/pod-constraints';
import { Pool, poolsOf } from './private/pool';
import { someNames } from './private/wording';
import { Outcome, Rule, RuleContext } from './rule';

const FALLBACKS = ['on-demand', 'reserved'];

/** @see https://karpenter.sh/docs/concepts/nodepools/ */
export class SpotNoFallback implements Rule {
  public readonly id = 'KARP-516';
  public readonly name = 'spot-no-fallback';
  public readonly severity = 'info';
  public readonly summary = 'A NodePool launches spot alone, and no other one takes its pods on demand: without spot capacity they stay Pending.';

  public check(context: RuleContext): Outcome[] {
    const pools = poolsOf(context);
    const workloads = workloadsByPool(context);
    const known = new Map<string, Fallback>();
    return pools.flatMap((pool) => {
      const own = (workloads.get(pool.name) ?? []).filter(({ kind, shape }) => kind !== 'DaemonSet' && shape !== undefined && !wantsSpot(shape));
      return isSpotAlone(pool) && own.length > 0 ? [this.checkPool(pool, own, (shape) => fallbackFor(shape, pools, known))] : [];
    });
  }

  private checkPool({ object }: Pool, workloads: readonly WorkloadManifest[], fallback: (shape: PodShape) => Fallback): Outcome {
    const answers = workloads.map((workload) => ({ workload, ...fallback(workload.shape!) }));
    const without = answers.filter(({ exists }) => exists === 'no').map(({ workload: { kind, name } }) => `${kind} ${name}`).sort();
    const unknown = answers.find(({ exists }) => exists === 'unknown');
    if (without.length === 0) return unknown ? notEvaluated(object, unknown.why!) : pass(object);
    return fail({
      object,
      path: ['spec', 'template', 'spec', 'requirements'],
      message: `launches spot alone, and no NodePool takes ${someNames(without)} on demand: when EC2 has no spot capacity of any type, they stay Pending`,
      remedy: `let it launch on-demand too, ${Label.CAPACITY_TYPE} In [spot, on-demand], which Karpenter uses only where spot is not to be had; or add a NodePool of less weight for it`,
      evidence: { workloads: without },
    });
  }
}

interface Fallback {
  readonly exists: 'yes' | 'no' | 'unknown';
  readonly why?: string;
}

function isSpotAlone({ launch }: Pool): boolean {
  const types = launch?.view.capacityTypes ?? [];
  return types.includes('spot') && !types.some((type) => FALLBACKS.includes(type));
}

/** What asks for spot itself is meant to wait for it. */
function wantsSpot(shape: PodShape): boolean {
  return alternatives(shape).every((specs) => specs.some(({ key, operator, values = [] }) =>
    key === Label.CAPACITY_TYPE && operator === 'In' && !values.some((value) => FALLBACKS.includes(value))));
}

function fallbackFor(shape: PodShape, pools: readonly Pool[], known: Map<string, Fallback>): Fallback {
  const key = JSON.stringify([shape.nodeSelector, shape.requiredNodeAffinity, shape.tolerations]);
  const found = known.get(key) ?? findFallback(shape, pools);
  known.set(key, found);
  return found;
}

function findFallback(shape: PodShape, pools: readonly Pool[]): Fallback {
  if (pools.some((pool) => takesOnDemand(pool, shape))) return { exists: 'yes' };
  const unknown = pools.find(({ launch }) => launch === undefined);
  return unknown ? { exists: 'unknown', why: `NodePool ${unknown.name} may take its pods on demand: ${unknown.why}` } : { exists: 'no' };
}

function takesOnDemand(pool: Pool, shape: PodShape): boolean {
  const { spec, launch } = pool;
  if (!spec || !launch || !launch.view.capacityTypes.some((type) => FALLBACKS.includes(type))) return false;
  if (refusingTaint(shape, spec.taints) !== undefined) return false;
  return commonRequirements(shape, pool).some((requirements) => FALLBACKS.some((type) => requirements.get(Label.CAPACITY_TYPE).has(type)));
}
