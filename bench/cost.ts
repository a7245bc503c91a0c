/** Prices of generated fleets: as Karpenter plans them, with one recommended change, the best found, and the bound. */
import { performance } from 'node:perf_hooks';
import { costFleets } from './cost-fleets';
import { readSession } from '../src/validation';
import { recommendFor } from '../src/validation/recommend/recommend';

const FLEETS = 20;

export interface CostRow {
  readonly fleet: number;
  readonly pools: string;
  readonly deployments: number;
  readonly pods: number;
  readonly plan: number;
  readonly recommended: number | undefined;
  readonly best: number | undefined;
  readonly bound: number;
  readonly isCut: boolean;
  readonly seconds: number;
}

/** @param isQuick leaves out the recommendations, which take most of the time */
export function costRows(log: (line: string) => void, isQuick: boolean): CostRow[] {
  log(`| fleet | NodePools | Deployments | pods | plan | recommended | best found | bound | best above bound |`);
  log(`|---|---|---|---|---|---|---|---|---|`);
  return costFleets(FLEETS).map(({ seed, pools, sources }) => {
    const session = readSession(sources, { settle: {} });
    const start = performance.now();
    const result = recommendFor(session, { files: sources }, { findsNoChanges: isQuick });
    const seconds = (performance.now() - start) / 1000;
    const free = result.recommendations.filter(({ changes }) => changes.every(({ consent }) => consent === undefined));
    const row: CostRow = {
      fleet: seed,
      pools,
      deployments: session.input.pods.length,
      pods: session.input.pods.reduce((sum, { count }) => sum + count, 0),
      plan: result.usdPerHour!,
      recommended: free.length === 0 ? undefined : Math.min(...free.map(({ after }) => after.usdPerHour)),
      best: result.bestFound?.usdPerHour,
      bound: result.lowerBoundUsdPerHour!,
      isCut: result.bestFound?.isCut ?? false,
      seconds,
    };
    log(lineOf(row));
    return row;
  });
}

function lineOf({ fleet, pools, deployments, pods, plan, recommended, best, bound, isCut }: CostRow): string {
  const usd = (price: number | undefined) => (price === undefined ? '–' : `$${price.toFixed(2)}`);
  const gap = best === undefined ? '–' : `${((best / bound - 1) * 100).toFixed(1)}%${isCut ? ' *' : ''}`;
  const cells = [fleet, pools, deployments, pods, usd(plan), usd(recommended), usd(best), usd(bound), gap];
  return `| ${cells.join(' | ')} |`;
}
