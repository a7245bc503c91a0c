import { isGateOpen } from '../../contract';
import { SPOT_TO_SPOT_TYPES } from '../../disruption';
import { isSpotAlone } from './private/on-demand-fallback';
import { fail, notEvaluated, pass } from './private/outcome';
import { Pool, poolsOf } from './private/pool';
import { disruptionsByName, PoolDisruption } from './private/pool-disruption';
import { spotChoiceOf } from './private/spot-choice';
import { count } from './private/wording';
import { Outcome, Rule, RuleContext } from './rule';

/**
 * Several spot nodes together may give way to a single one whatever the number of types, and any node may go whose pods have room
 * elsewhere.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/disruption/consolidation.go
 */
export class SpotToSpotCannotHappen implements Rule {
  public readonly id = 'KARP-512';
  public readonly name = 'spot-to-spot-cannot-happen';
  public readonly severity = 'warning';
  public readonly summary = 'A spot node is never replaced by a cheaper one: the NodePool has too few instance types for that, or the gate is closed.';

  public check(context: RuleContext): Outcome[] {
    const disruptions = disruptionsByName(context);
    const isOpen = isGateOpen(context.options.featureGates, 'SpotToSpotConsolidation');
    return poolsOf(context).flatMap((pool) => {
      if (pool.launch === undefined) return [notEvaluated(pool.object, pool.why)];
      const disruption = disruptions.get(pool.name);
      if (disruption === undefined) return [notEvaluated(pool.object, 'how its nodes are disrupted is known only at deployment')];
      if (!replaces(disruption)) return [];
      return isOpen ? this.checkTypes(pool) : this.checkGate(pool);
    });
  }

  private checkTypes(pool: Pool): Outcome[] {
    const { object } = pool;
    const types = spotChoiceOf(pool).instanceTypes.length;
    if (types === 0) return [];
    // The one that a node has is not cheaper than itself.
    if (types > SPOT_TO_SPOT_TYPES) return [pass(object)];
    return [fail({
      object,
      path: ['spec', 'template', 'spec', 'requirements'],
      message: `allows ${count(types, 'instance type')} on spot, of which at most ${types - 1} are cheaper than the one that a node has: Karpenter replaces a spot node `
        + `by another only where ${SPOT_TO_SPOT_TYPES} are, and says "requires ${SPOT_TO_SPOT_TYPES} cheaper instance type options than the current candidate to consolidate, got ${types - 1}"`,
      remedy: `allow more than ${SPOT_TO_SPOT_TYPES} instance types, better twice as many, or close the gate SpotToSpotConsolidation and let nodes only be removed`,
      evidence: { instanceTypes: types, cheaperAtMost: types - 1, needed: SPOT_TO_SPOT_TYPES },
    })];
  }

  private checkGate(pool: Pool): Outcome[] {
    if (!isSpotAlone(pool)) return [];
    return [fail({
      object: pool.object,
      path: ['spec', 'disruption'],
      message: 'launches spot alone, and the gate SpotToSpotConsolidation is closed: consolidation removes a node whose pods have room elsewhere, but replaces none by a cheaper one',
      remedy: 'leave it at that, or open the gate: settings.featureGates.spotToSpotConsolidation: true',
      evidence: { featureGate: 'SpotToSpotConsolidation' },
      severity: 'info',
    })];
  }
}

function replaces({ consolidationPolicy, consolidateAfter }: PoolDisruption): boolean {
  return consolidationPolicy !== 'WhenEmpty' && consolidateAfter !== undefined;
}
