import { recommendFor } from './recommend';
import { Origin } from './recommendation';
import { figureChanges, findingSentences } from './wording';
import { CheckSession } from '../context/check-session';
import { unifiedDiff } from '../fixes';
import { isWorthASearch } from '../vocabulary/search-worth';
import { CheaperVerdict, CostSummary, NodeVerdict, Verdict } from '../vocabulary/verdict';

/** A smaller saving is not worth a line. */
const MIN_SAVING = 0.1;
const MIN_SAVING_PER_HOUR = 0.07;
/** Larger inputs are searched by `recommend` only, so that `check` stays fast. */
const MAX_WORKLOADS = 60;
const MAX_PODS = 2_000;
const MAX_POOLS = 4;
/** With a smaller requested share, nodes are larger than their pods need, even if no cheaper type is allowed. */
const MIN_REQUESTED = 0.15;

/** The single change that saves most without the consent of the user. Undefined if none saves much. */
export function cheaperNodePool(session: CheckSession, verdict: Verdict, origin: Origin): CheaperVerdict | undefined {
  if (!isQuick(session, verdict)) return undefined;
  const { recommendations } = recommendFor(session, origin, { isBrief: true });
  const [recommendation] = recommendations;
  if (recommendation === undefined) return undefined;
  const { changes, before, after, constructs, files } = recommendation;
  const isLittle = ({ before: now, after: then }: { readonly before: number; readonly after: number }) =>
    now - then < MIN_SAVING * now || now - then < MIN_SAVING_PER_HOUR;
  const [now, then] = [before, after].map(
    ({ consolidatedUsdPerHour, usdPerHour }) => consolidatedUsdPerHour ?? usdPerHour,
  );
  if (isLittle({ before: before.usdPerHour, after: after.usdPerHour }) || isLittle({ before: now, after: then }))
    return undefined;
  const [{ nodePool, description, condition }] = changes;
  const conditions = [...(condition === undefined ? [] : [condition]), ...findingSentences(recommendation)];
  const texts = new Map(origin.files.map(({ path, text }) => [path, text]));
  return {
    nodePool,
    description,
    usdPerHour: after.usdPerHour,
    differences: figureChanges(before, after, verdict.summary.cost.currency),
    ...(conditions.length === 0 ? {} : { condition: conditions.join(' ') }),
    patch: files.map(({ path, text }) => unifiedDiff(path, texts.get(path)!, text)).join(''),
    requirements: constructs.flatMap(({ requirements }) => requirements),
  };
}

/** The verdict with its keys in their order. */
export function withCheaper(verdict: Verdict, cheaper: CheaperVerdict | undefined): Verdict {
  if (cheaper === undefined) return verdict;
  const entries = Object.entries(verdict);
  const place = entries.findIndex(([key]) => key === 'nodeClaims');
  return Object.fromEntries([...entries.slice(0, place), ['cheaper', cheaper], ...entries.slice(place)]) as never;
}

/**
 * Whether little of the new nodes is requested, in CPUs and in memory. The lower bound says nothing about that, because
 * it only counts types that the NodePools allow.
 */
function isOversized({ usdPerHour }: CostSummary, nodes: readonly NodeVerdict[]): boolean {
  if (usdPerHour === null || usdPerHour === 0) return false;
  const launched = nodes.filter(({ existing }) => !existing);
  return ['cpu', 'memory'].every((resource) => {
    const allocatable = launched.reduce((sum, node) => sum + (node.allocatable[resource] ?? 0), 0);
    const requested = launched.reduce(
      (sum, { requests: { pods, daemonSets } }) => sum + (pods[resource] ?? 0) + (daemonSets[resource] ?? 0),
      0,
    );
    return requested < MIN_REQUESTED * allocatable;
  });
}

function isQuick({ input }: CheckSession, { summary: { cost, errors, pods }, nodes }: Verdict): boolean {
  const pools = new Set(nodes.flatMap(({ existing, nodePool }) => (existing ? [] : [nodePool])));
  return (
    errors === 0 &&
    (cost.usdPerHour ?? 0) > MIN_SAVING_PER_HOUR &&
    (isWorthASearch(cost) || isOversized(cost, nodes)) &&
    input.pods.length <= MAX_WORKLOADS &&
    pods <= MAX_PODS &&
    pools.size <= MAX_POOLS
  );
}
