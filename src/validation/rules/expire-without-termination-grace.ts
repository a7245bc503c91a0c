import { whyHeld } from './private/held-pods';
import { fail, notEvaluated, pass } from './private/outcome';
import { Placement, placementsOf } from './private/placements';
import { PoolDisruption, poolDisruptions } from './private/pool-disruption';
import { someNames } from './private/wording';
import { Outcome, Rule, RuleContext } from './rule';

const HOURS_OF_A_MONTH = 730;

interface Holder {
  readonly text: string;
  readonly placements: readonly Placement[];
}

/** @see https://karpenter.sh/docs/concepts/disruption/#terminationgraceperiod */
export class ExpireWithoutTerminationGrace implements Rule {
  public readonly id = 'KARP-406';
  public readonly name = 'expire-without-termination-grace';
  public readonly severity = 'error';
  public readonly summary = 'Nodes expire and hold pods that nothing can evict, and no terminationGracePeriod ends their drain: they stay for ever, half empty.';

  public check(context: RuleContext): Outcome[] {
    const holders = holdersOf(context);
    return poolDisruptions(context).map((pool) => {
      if (pool.why !== undefined) return notEvaluated(pool.object, pool.why);
      const { disruption } = pool;
      const own = holders.filter(({ placements }) => placements.some(({ nodePool }) => nodePool === disruption.name));
      const ends = disruption.expireAfter === undefined || disruption.terminationGracePeriod !== undefined;
      return ends || own.length === 0 ? pass(disruption.object) : this.finding(disruption, own);
    });
  }

  private finding({ object, name, expireAfterText }: PoolDisruption, holders: readonly Holder[]): Outcome {
    const stuck = holders.flatMap(({ placements }) => placements.filter(({ nodePool }) => nodePool === name));
    const prices = [...new Map(stuck.map(({ node, claim }) => [node, claim?.cheapest?.usdPerHour])).values()].filter((price) => price !== undefined);
    const month = prices.reduce((sum, price) => sum + price, 0) * HOURS_OF_A_MONTH;
    const cost = prices.length === 0 ? '' : `; ${prices.length === 1 ? 'that node costs' : `those ${prices.length} nodes cost`} ${month.toFixed(2)} USD a month`;
    return fail({
      object,
      path: ['spec', 'template', 'spec'],
      message: `its nodes expire after ${expireAfterText}, and then drain without an end: ${someNames(holders.map(({ text }) => text))} ${holders.length === 1 ? 'lets' : 'let'} no pod go${cost}`,
      remedy: 'write a terminationGracePeriod beside expireAfter, such as 24h: pods that are left when it is over are deleted',
      evidence: { expireAfter: expireAfterText, holders: holders.map(({ text }) => text), nodes: new Set(stuck.map(({ node }) => node)).size },
    });
  }
}

function holdersOf(context: RuleContext): Holder[] {
  return context.model.workloads.flatMap((workload) => {
    const why = whyHeld(context, workload);
    return why === undefined ? [] : [{ text: `${workload.kind} ${workload.name} (${why})`, placements: placementsOf(context, workload) }];
  });
}
