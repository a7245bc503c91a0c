import { Recommendation } from './recommendation';

const MAX_RECOMMENDATIONS = 5;
/** More types than these are as good: EC2 seldom lacks capacity of all of them. */
const ENOUGH_TYPES = 15;

/** At most five, none dominated, so that each way to save is there before a second one of its kind. */
export function chooseRecommendations(all: readonly Recommendation[]): Recommendation[] {
  const distinct = all.filter((one, index) => !all.some((other, at) => dominates(other, one, at < index)));
  const byPrice = [...distinct].sort((left, right) => left.after.usdPerHour - right.after.usdPerHour);
  const free = byPrice.filter((one) => consentsOf(one) === 0);
  const least = (list: readonly Recommendation[], value: (one: Recommendation) => number) =>
    [...list].sort((left, right) => value(left) - value(right)).slice(0, 1);
  const wanted = [
    ...free.filter(({ changes }) => changes.length === 1).slice(0, 1),
    ...free.slice(0, 1),
    ...byPrice.filter((one) => consentsOf(one) === 1).slice(0, 1),
    ...byPrice.slice(0, 1),
    ...least(free, ({ after }) => after.nodes),
    ...least(byPrice, editsOf),
    ...free,
    ...byPrice,
  ];
  return [...new Set(wanted)]
    .slice(0, MAX_RECOMMENDATIONS)
    .sort(
      (left, right) =>
        consentsOf(left) - consentsOf(right) ||
        left.changes.length - right.changes.length ||
        left.after.usdPerHour - right.after.usdPerHour,
    );
}

/** Kinds of consent that the changes need. */
export function consentsOf({ changes }: Recommendation): number {
  return new Set(changes.flatMap(({ consent }) => consent ?? [])).size;
}

/** How much of the files changes. */
function editsOf({ changes, remedies = [] }: Recommendation): number {
  return changes.length + remedies.length;
}

/** Whether one is nowhere worse than another, and somewhere better, or the first of equal ones. */
function dominates(one: Recommendation, other: Recommendation, isFirst: boolean): boolean {
  if (one === other) return false;
  const [left, right] = [one, other].map(burdens);
  return left.every((value, at) => value <= right[at]) && (isFirst || left.some((value, at) => value < right[at]));
}

/** Less is better in each. */
function burdens(recommendation: Recommendation): number[] {
  const { after } = recommendation;
  return [
    after.usdPerHour,
    after.consolidatedUsdPerHour ?? after.usdPerHour,
    after.nodes,
    after.largestShare,
    after.spotShare,
    -Math.min(ENOUGH_TYPES, after.instanceTypesPerZone),
    editsOf(recommendation),
    recommendation.chanceFindings?.length ?? 0,
    consentsOf(recommendation),
  ];
}
