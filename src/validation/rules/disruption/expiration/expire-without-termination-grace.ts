import { DO_NOT_DISRUPT, setField, unsafeFix } from '../../../../contract';
import { durationText, memoizeByIdentity, monthlyPriceText, shortListText } from '../../../../model';
import { ManifestDisruption } from '../../../manifest/karpenter/pool-disruption';
import { priceIn } from '../../common/figures';
import { Placement, placementsOf } from '../../common/placements';
import { defineRule, SubjectFinding } from '../../define-rule';
import { RuleContext } from '../../rule';
import { disruptedPools } from '../../subjects';
import { evictionBlocker } from '../eviction/eviction-blockers';

interface BlockedWorkload {
  readonly text: string;
  readonly placements: readonly Placement[];
}

/**
 * Only about pods with karpenter.sh/do-not-disrupt: PodDisruptionBudgets that block a drain have findings of their own,
 * which say what to change.
 *
 * @see https://karpenter.sh/docs/concepts/disruption/#terminationgraceperiod
 */
export const expireWithoutTerminationGrace = defineRule({
  id: 'KARP-406',
  name: 'expire-without-termination-grace',
  severity: 'error',
  summary:
    'Nodes expire with pods that are protected forever, and no terminationGracePeriod ends their drain: they stay forever, half empty.',
  subjects: disruptedPools(),
  judge(disruption, context) {
    // Before 1.0, a protected pod keeps its node from expiring, and there is no terminationGracePeriod.
    if (context.options.servingVersion !== undefined) return undefined;
    const onPool = blockedWorkloads(context).filter(({ placements }) =>
      placements.some(({ nodePool }) => nodePool === disruption.name),
    );
    const ends = disruption.expireAfter === undefined || disruption.terminationGracePeriod !== undefined;
    return ends || onPool.length === 0 ? undefined : finding(context, disruption, onPool);
  },
});

function finding(
  { catalog }: RuleContext,
  disruption: ManifestDisruption,
  blocked: readonly BlockedWorkload[],
): SubjectFinding {
  const { name, expireAfter, expireAfterText } = disruption;
  const stuck = blocked.flatMap(({ placements }) => placements.filter(({ nodePool }) => nodePool === name));
  const prices = [...new Map(stuck.map(({ node, claim }) => [node, claim?.cheapest?.usdPerHour])).values()].filter(
    (price) => price !== undefined,
  );
  const hourly = prices.reduce((sum, price) => sum + price, 0);
  const cost =
    prices.length === 0
      ? ''
      : `; ${prices.length === 1 ? 'the node costs' : `the ${prices.length} nodes cost`} ${monthlyPriceText(...priceIn(catalog, hourly))}`;
  return {
    path: ['spec', 'template', 'spec'],
    message:
      `its nodes expire after ${durationText(expireAfter! / 1000)}, but their drain never ends: ` +
      `the pods of ${shortListText(blocked.map(({ text }) => text))} have ${DO_NOT_DISRUPT} and cannot be evicted${cost}`,
    fix: unsafeFix(setField(['spec', 'template', 'spec', 'terminationGracePeriod'], '24h')),
    remedy:
      'set terminationGracePeriod beside expireAfter, for example to 24h: Karpenter then deletes the remaining pods',
    evidence: {
      expireAfter: expireAfterText,
      holders: blocked.map(({ text }) => text),
      nodes: new Set(stuck.map(({ node }) => node)).size,
    },
  };
}

const blockedWorkloads = memoizeByIdentity((context: RuleContext): BlockedWorkload[] => {
  return context.model.workloads.flatMap((workload) => {
    return evictionBlocker(context, workload) !== DO_NOT_DISRUPT
      ? []
      : [{ text: `${workload.kind} ${workload.name}`, placements: placementsOf(context, workload) }];
  });
});
