import { FleetFigures } from './figures';
import { Recommendation, Recommendations, RecommendedChange } from './recommendation';
import { changeText, countText, hourlyPriceText, listText, percentText, shortListText } from '../../model';

const CONSENTS: Readonly<Record<string, string>> = { spot: 'spot instances', arm64: 'arm64' };
/** More findings are counted. */
const SHOWN_FINDINGS = 4;

/** `NodePool gpu: launch nodes of at most 4 CPUs; NodePool web: allow spot as well`. */
export function titleOf({
  changes,
}: {
  readonly changes: ReadonlyArray<Pick<RecommendedChange, 'nodePool' | 'description'>>;
}): string {
  return changes.map(({ nodePool, description }) => `NodePool ${nodePool}: ${description}`).join('; ');
}

/** The remedies that belong to a recommendation, and findings of the changed files, as sentences. */
export function findingSentences({
  remedies = [],
  chanceFindings = [],
}: Pick<Recommendation, 'remedies' | 'chanceFindings'>): string[] {
  return [
    ...remedies.map(
      ({ rule, object, description }) => `Also in ${object}: ${description}; check finds ${rule} otherwise.`,
    ),
    ...(chanceFindings.length === 0
      ? []
      : [
          `Check then finds ${shortListText(chanceFindings, SHOWN_FINDINGS)}. It may now, too: that depends on the random names of nodes.`,
        ]),
  ];
}

/** What is paid, what the first recommendation and the cheapest one make of it, and the bound. */
export function priceSentences({
  usdPerHour,
  consolidatedUsdPerHour,
  lowerBoundUsdPerHour,
  bestFound,
  currency,
  recommendations,
}: Recommendations): string[] {
  const price = (perHour: number) => hourlyPriceText(perHour, currency);
  const consolidated = differentPrice(usdPerHour!, consolidatedUsdPerHour, price);
  const [first] = recommendations;
  const [cheapest] = [...recommendations].sort((left, right) => left.after.usdPerHour - right.after.usdPerHour);
  return [
    `You pay ${price(usdPerHour!)}${consolidated === undefined ? '' : ` (${consolidated} after consolidation)`}.`,
    ...(first === undefined ? [] : [offerText(first, price)]),
    ...(cheapest === first ? [] : [offerText(cheapest, price)]),
    ...(bestFound === undefined
      ? []
      : [`The best fleet found on these NodePools costs ${price(bestFound.usdPerHour)}.`]),
    ...(lowerBoundUsdPerHour === null
      ? []
      : [`These NodePools, as they are, allow no fleet below ${price(lowerBoundUsdPerHour)}.`]),
  ];
}

/** What the best fleet found keeps, and how it was searched. Empty without one that is cheaper than the plan. */
export function bestFoundSentences({
  usdPerHour,
  bestFound,
}: Pick<Recommendations, 'usdPerHour' | 'bestFound'>): string[] {
  if (bestFound === undefined || usdPerHour === null || bestFound.usdPerHour >= usdPerHour) return [];
  const { nodes, keptNodes, isCut } = bestFound;
  const kept = keptNodes === 0 ? '' : `, ${keptNodes} of them as Karpenter plans ${keptNodes === 1 ? 'it' : 'them'}`;
  return [
    `the best fleet found has ${countText(nodes, 'node')}${kept}. It keeps what pods require and the limits of the NodePools, but no preferences, weights and minValues; Karpenter would not build it by itself`,
    ...(isCut ? ['the search for the best fleet ended early, because the input is large'] : []),
  ];
}

function offerText(recommendation: Recommendation, price: (perHour: number) => string): string {
  const { changes, after } = recommendation;
  const consents = consentsOf(recommendation);
  const count = countText(changes.length, 'change');
  const consolidated = differentPrice(after.usdPerHour, after.consolidatedUsdPerHour, price);
  const makes = `${changes.length === 1 ? 'makes' : 'make'} it ${price(after.usdPerHour)}${consolidated === undefined ? '' : ` (${consolidated})`}.`;
  return consents.length === 0 ? `${count} ${makes}` : `With ${listText(consents)}, ${count} ${makes}`;
}

/** Undefined if it is unknown, or reads like the price before it. */
function differentPrice(
  perHour: number,
  consolidated: number | undefined,
  price: (perHour: number) => string,
): string | undefined {
  return consolidated === undefined || price(consolidated) === price(perHour) ? undefined : price(consolidated);
}

function consentsOf({ changes }: Recommendation): string[] {
  return [...new Set(changes.flatMap(({ consent }) => (consent === undefined ? [] : [CONSENTS[consent]])))];
}

/** `after consolidation $7.77/h → $7.59/h (2% less)`. Empty if consolidation changes neither price. */
function consolidationChange(before: FleetFigures, after: FleetFigures, currency: string): string[] {
  const isChanged = [before, after].some(
    ({ usdPerHour, consolidatedUsdPerHour = usdPerHour }) => consolidatedUsdPerHour !== usdPerHour,
  );
  if (!isChanged) return [];
  const [now, then] = [before, after].map(({ consolidatedUsdPerHour }) => consolidatedUsdPerHour);
  const [old, current] = [now, then].map((perHour) =>
    perHour === undefined ? 'not simulated' : hourlyPriceText(perHour, currency),
  );
  const saved = now === undefined || then === undefined ? '' : ` (${percentText((now - then) / now)} less)`;
  return [`after consolidation ${changeText(old, current)}${saved}`];
}

/** What changes with the price: `nodes 4 → 5`. Figures that stay are left out, except the first and the last. */
export function figureChanges(before: FleetFigures, after: FleetFigures, currency: string): string[] {
  const share = (value: number) => percentText(value);
  const count = (value: number) => String(value);
  const change = (name: string, text: (figures: FleetFigures) => string) => {
    const [old, current] = [text(before), text(after)];
    return { text: `${name} ${changeText(old, current)}`, isSame: old === current };
  };
  return [
    ...consolidationChange(before, after, currency).map((text) => ({ text, isSame: false })),
    { ...change('nodes', ({ nodes }) => count(nodes)), isSame: false },
    change('CPUs of the largest node', ({ largestShare }) => share(largestShare)),
    change('most nodes in a zone', ({ nodesInZone }) => count(nodesInZone)),
    change('most pods on a node', ({ podsOnNode }) => count(podsOnNode)),
    change('least ready after the loss of a node', ({ lowestReady }) => share(lowestReady)),
    change('spot', ({ spotShare }) => share(spotShare)),
    change('spot interruptions a month', ({ interruption }) => interruption ?? 'none'),
    {
      ...change('instance types in each zone', ({ instanceTypesPerZone }) => count(instanceTypesPerZone)),
      isSame: false,
    },
  ].flatMap(({ text, isSame }) => (isSame ? [] : [text]));
}
