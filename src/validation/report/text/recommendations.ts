import { changeText, countText, hourlyPriceText, monthlyPriceText, percentText, printableLine } from '../../../model';
import { unifiedDiff } from '../../fixes';
import { SourceFile } from '../../manifest';
import { Recommendation, Recommendations } from '../../recommend/recommend';
import { withoutControlCharacters } from '../wording';

/** What the fleet costs, what it could cost, and each recommendation with its patch. */
export function renderRecommendationsText(given: Recommendations, sources: readonly SourceFile[]): string {
  const { usdPerHour, lowerBoundUsdPerHour, currency, recommendations, notes, tried } = withoutControlCharacters(given);
  if (usdPerHour === null) return `${notes.join('\n')}\n`;
  const bound =
    lowerBoundUsdPerHour === null
      ? ''
      : ` No fleet on nodes of these NodePools costs less than ${hourlyPriceText(lowerBoundUsdPerHour, currency)}.`;
  const [cheapest] = [...recommendations].sort((left, right) => left.after.usdPerHour - right.after.usdPerHour);
  const offer =
    cheapest === undefined
      ? ''
      : ` ${countText(cheapest.changes.length, 'change')} ${cheapest.changes.length === 1 ? 'makes' : 'make'} it ${hourlyPriceText(cheapest.after.usdPerHour, currency)}.`;
  return [
    `You pay ${hourlyPriceText(usdPerHour, currency)}.${offer}${bound}\n`,
    // The lines of a file are escaped one by one.
    ...recommendations.map((recommendation, index) =>
      textOf({ ...recommendation, files: given.recommendations[index].files }, index, currency, sources),
    ),
    [...notes.map((note) => `- ${note}\n`), ...(tried > 0 ? [`- ${countText(tried, 'change')} tried\n`] : [])].join(''),
  ].join('\n');
}

function textOf(
  { changes, before, after, files }: Recommendation,
  index: number,
  currency: string,
  sources: readonly SourceFile[],
): string {
  const saved = before.usdPerHour - after.usdPerHour;
  const title = changes.map(({ nodePool, description }) => `NodePool ${nodePool}: ${description}`).join('; ');
  const share = (value: number) => percentText(value);
  const figures = [
    `nodes ${changeText(String(before.nodes), String(after.nodes))}`,
    `CPUs of the largest node ${changeText(share(before.largestShare), share(after.largestShare))}`,
    `spot ${changeText(share(before.spotShare), share(after.spotShare))}`,
    `instance types ${changeText(String(before.instanceTypes), String(after.instanceTypes))}`,
  ];
  const patch = files.map((file) => {
    const source = sources.find(({ path }) => path === file.path)!;
    return unifiedDiff(file.path, source.text, file.text).split('\n').map(printableLine).join('\n');
  });
  return [
    `${index + 1}. ${title}\n`,
    `   ${hourlyPriceText(after.usdPerHour, currency)}, saves ${monthlyPriceText(saved, currency)} (${percentText(saved / before.usdPerHour)})\n`,
    `   ${figures.join(', ')}\n`,
    ...patch.map((text) => `\n${text}`),
  ].join('');
}
