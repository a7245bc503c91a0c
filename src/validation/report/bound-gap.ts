import { nodesAboveBound } from './above-bound';
import { hourlyPriceText, listText, monthlyPriceText, percentText, shortListText } from '../../model';
import { MIXED_PODS, WHOLE_NODES, WHOLE_PODS } from '../../scheduling';
import { isWorthASearch } from '../vocabulary/search-worth';
import { CostSummary, Verdict } from '../vocabulary/verdict';

/** A smaller part is not worth a clause. */
const MIN_SHARE = 0.02;
/** A smaller share of the price is not worth a sentence. */
const MIN_DIFFERENCE = 0.01;
/** More types are counted. */
const MAX_TYPES = 1;

/** Why the plan costs more than its lower bound, as sentences: the whole difference, then the nodes that waste most. */
export function aboveBoundSentences(
  verdict: Pick<Verdict, 'nodes' | 'summary' | 'workloads' | 'nodePools' | 'cheaper'>,
): string[] {
  const { cost } = verdict.summary;
  const nodes = nodesAboveBound(verdict).map(({ sentence }) => `${sentence}.`);
  return [...cheaperSentences(verdict), ...gapSentences(cost), ...topologySentences(cost), ...nodes];
}

/** `Why above the lower bound of $3.83/h (recommend looks for cheaper NodePools)`. */
export function aboveBoundTitle({ summary: { cost }, cheaper }: Pick<Verdict, 'summary' | 'cheaper'>): string {
  if (cheaper !== undefined && cost.usdPerHour === cost.lowerBoundUsdPerHour)
    return 'Cheaper than the lower bound, with types that the NodePools do not allow yet';
  if (cost.usdPerHour === cost.lowerBoundUsdPerHour) return 'What topology adds to the price';
  const hint = cheaper === undefined && isWorthASearch(cost) ? ' (recommend looks for cheaper NodePools)' : '';
  return `Why above the lower bound of ${hourlyPriceText(cost.lowerBoundUsdPerHour, cost.currency)}${hint}`;
}

/** `Cheaper: $5.18/h, saves $2,772/month (42%), if NodePool gpu would launch …`. */
function cheaperSentences({ cheaper, summary: { cost } }: Pick<Verdict, 'summary' | 'cheaper'>): string[] {
  if (cheaper === undefined || cost.usdPerHour === null) return [];
  const saved = cost.usdPerHour - cheaper.usdPerHour;
  const price = `${hourlyPriceText(cheaper.usdPerHour, cost.currency)} saves ${monthlyPriceText(saved, cost.currency)}`;
  return [
    `Cheaper: ${price} (${percentText(saved / cost.usdPerHour)}). In NodePool ${cheaper.nodePool}, ${cheaper.description}: recommend has the patch.`,
  ];
}

/** `Dear types (c8i.96xlarge and 6 more) $5.52/h, unused CPUs $0.8458/h.` */
function gapSentences({ usdPerHour, lowerBoundUsdPerHour, aboveLowerBound, currency }: CostSummary): string[] {
  if (usdPerHour === null || lowerBoundUsdPerHour === null || aboveLowerBound === undefined) return [];
  const difference = usdPerHour - lowerBoundUsdPerHour;
  const { types, unused } = aboveLowerBound;
  const names = [...new Set(types.map(({ instanceType }) => instanceType))];
  const parts = [
    {
      part: types.reduce((sum, type) => sum + type.usdPerHour, 0),
      why: `dear types (${shortListText(names, MAX_TYPES)})`,
    },
    ...unused.map(({ what, usdPerHour: part }) => ({ part, why: unusedText(what) })),
  ]
    .filter(({ part }) => part > 0 && part >= MIN_SHARE * difference)
    .sort((left, right) => right.part - left.part);
  if (difference < MIN_DIFFERENCE * usdPerHour || parts.length === 0) return [];
  const text = parts.map(({ part, why }) => `${why} ${hourlyPriceText(part, currency)}`).join(', ');
  return [`${text[0].toUpperCase()}${text.slice(1)}.`];
}

/** `Without spread over zones and zonal volumes, the plan costs $8.17/h: spread over zones adds $1.10/h, ….` */
function topologySentences({ usdPerHour, topology, currency }: CostSummary): string[] {
  if (usdPerHour === null || topology === undefined) return [];
  const { withoutUsdPerHour, parts } = topology;
  const added = usdPerHour - withoutUsdPerHour;
  if (added < MIN_DIFFERENCE * usdPerHour) return [];
  const counting = parts.filter(({ usdPerHour: part }) => part >= MIN_SHARE * added);
  const sorts = counting.length === 0 ? 'topology spread and affinity' : listText(counting.map(({ what }) => what));
  const amounts = counting.map(({ what, usdPerHour: part }) => `${what} adds ${hourlyPriceText(part, currency)}`);
  const each = amounts.length < 2 ? '' : `: ${listText(amounts)}`;
  return [`Without ${sorts}, the plan costs ${hourlyPriceText(withoutUsdPerHour, currency)}${each}.`];
}

function unusedText(what: string): string {
  switch (what) {
    case 'cpu':
      return 'unused CPUs';
    case 'pods':
      return 'unused places of pods';
    case WHOLE_PODS:
      return 'room too small for a pod';
    case MIXED_PODS:
      return 'unmatched room';
    case WHOLE_NODES:
      return 'more nodes than requests need';
    default:
      return `unused ${what}`;
  }
}
