import {
  countText,
  Label,
  monthlyPrice,
  monthlyPriceText,
  normalizeLabelKey,
  numberText,
  Requirements,
} from '../../../model';
import { cheapestPrice, matchingTypes, PlannedNodeClaim } from '../../../scheduling';
import { fitsOnType } from '../../instance-types/node-fit';
import { priceIn } from '../common/figures';
import { templateRequirements } from '../common/pool';
import { defineRule, NOT_APPLICABLE, SubjectFinding } from '../define-rule';
import { changeOf } from '../instance-selection/no-types/excluding-requirement';
import { RuleContext } from '../rule';
import { LaunchingPool, launchingPools } from '../subjects';

/** Requirements that set the size of nodes. A list of instance types is a choice of each of them. */
const SIZE_KEYS: readonly string[] = [Label.INSTANCE_SIZE, Label.INSTANCE_CPU, Label.INSTANCE_MEMORY];
const INSTANCE_LABEL = /^(karpenter\.k8s\.aws\/instance-|node\.kubernetes\.io\/instance-type$)/;
/** Smaller differences may be worth it, for example as room to grow. */
const LEAST_SAVED_PER_MONTH = 300;
const MOST_LEFT = 0.25;

/** @see https://karpenter.sh/docs/concepts/nodepools/#instance-types */
export const sizesAboveNeed = defineRule<LaunchingPool>({
  id: 'KARP-1013',
  name: 'sizes-above-need',
  severity: 'warning',
  summary:
    'A NodePool allows only sizes far above what the pods need: smaller nodes hold them for a quarter of the price or less.',
  subjects: launchingPools({ where: ({ spec }) => spec?.replicas === undefined }),
  judge(pool, context) {
    const claims = context.plan.nodeClaims.filter(({ nodePool }) => nodePool === pool.name);
    const sized = pool.spec.requirements.filter(({ key }) => SIZE_KEYS.includes(normalizeLabelKey(key)));
    if (claims.length === 0 || sized.length === 0 || selectsInstances(claims, context)) return NOT_APPLICABLE;
    const smaller = claims.map((claim) => smallerNode(claim, pool));
    if (smaller.includes(undefined)) return undefined;
    const before = claims.reduce((sum, { cheapest }) => sum + (cheapest?.usdPerHour ?? 0), 0);
    const after = smaller.reduce((sum, node) => sum + node!.usdPerHour, 0);
    const isMuchCheaper = after <= before * MOST_LEFT && monthlyPrice(before - after) >= LEAST_SAVED_PER_MONTH;
    return isMuchCheaper
      ? findingOf(pool, claims, [...new Set(smaller.map((node) => node!.type))], [before, after], context)
      : undefined;
  },
});

function findingOf(
  { spec, launch: { table } }: LaunchingPool,
  claims: readonly PlannedNodeClaim[],
  types: readonly number[],
  [before, after]: readonly [number, number],
  { catalog }: RuleContext,
): SubjectFinding {
  const index = spec.requirements.findIndex(({ key }) => SIZE_KEYS.includes(normalizeLabelKey(key)));
  const requirement = spec.requirements[index];
  const column = table.labels.find(({ key }) => key === normalizeLabelKey(requirement.key));
  const values = [...new Set(types.flatMap((type) => column?.values[column.codes[type]] ?? []))];
  const path = ['spec', 'template', 'spec', 'requirements', index];
  const { text, edit } = changeOf(requirement, path, values);
  const names = types.map((type) => table.names[type]).sort();
  const [now, then] = [before, after].map((usd) => monthlyPriceText(...priceIn(catalog, usd)));
  return {
    path,
    message:
      `allows only sizes far above what the pods need: ${countText(claims.length, 'node')} ${claims.length === 1 ? 'costs' : 'cost'} ${now}, and ` +
      `${numberText(claims.length)} smaller ${claims.length === 1 ? 'one' : 'ones'} (${names.join(', ')}) would hold the same pods for ${then}`,
    remedy: text,
    evidence: {
      nodes: claims.length,
      usdPerHour: before,
      smaller: names,
      smallerUsdPerHour: after,
    },
    ...(edit === undefined ? {} : { fix: { safe: false, edits: [edit] } }),
  };
}

/** The cheapest node that holds the pods of a planned one, whatever the sizes that the NodePool allows. */
function smallerNode(
  { requests, cheapest }: PlannedNodeClaim,
  { spec, launch: { table } }: LaunchingPool,
): { readonly type: number; readonly usdPerHour: number } | undefined {
  if (cheapest === undefined) return undefined;
  const kept = templateRequirements(spec)
    .values()
    .filter(({ key }) => !SIZE_KEYS.includes(key));
  const requirements = Requirements.of([
    ...kept,
    ...Requirements.fromLabels({ [Label.CAPACITY_TYPE]: cheapest.capacityType }).values(),
  ]);
  const [first] = matchingTypes(table, requirements)
    .filter((type) => fitsOnType(table, type, requests))
    .map((type) => ({ type, usdPerHour: cheapestPrice(table, requirements, type) }))
    .sort((a, b) => a.usdPerHour - b.usdPerHour || (table.names[a.type] < table.names[b.type] ? -1 : 1));
  return first;
}

/** Whether pods choose their instance types themselves. */
function selectsInstances(claims: readonly PlannedNodeClaim[], { lastInput }: RuleContext): boolean {
  const groups = new Set(claims.flatMap((claim) => [...claim.groups.keys()]));
  return [...groups].some((group) => {
    const { nodeSelector, requiredNodeAffinity } = lastInput.pods[group].shape;
    const keys = requiredNodeAffinity.flatMap(({ matchExpressions }) => matchExpressions.map(({ key }) => key));
    return [...Object.keys(nodeSelector), ...keys].some((key) => INSTANCE_LABEL.test(normalizeLabelKey(key)));
  });
}
