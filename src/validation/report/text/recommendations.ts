import { changeText, countText, hourlyPriceText, monthlyPriceText, percentText, printableLine } from '../../../model';
import { unifiedDiff } from '../../fixes';
import { SourceFile } from '../../manifest';
import { ConstructCode, Recommendation, Recommendations } from '../../recommend/recommendation';
import { bestFoundSentences, figureChanges, findingSentences, priceSentences, titleOf } from '../../recommend/wording';
import { priceAgeText } from '../../vocabulary/price-dates';
import { withoutControlCharacters } from '../wording';

const INDENT = '   ';

/** What the fleet costs, what it could cost, and each recommendation with its patch. */
export function renderRecommendationsText(given: Recommendations, sources: readonly SourceFile[]): string {
  const result = withoutControlCharacters(given);
  const { usdPerHour, currency, recommendations, notes, tried, pricesOf } = result;
  if (usdPerHour === null) return `${notes.join('\n')}\n`;
  return [
    `${priceSentences(result).join(' ')}\n`,
    // The lines of a file are escaped one by one.
    ...recommendations.map((recommendation, index) =>
      textOf({ ...recommendation, files: given.recommendations[index].files }, index, currency, sources),
    ),
    [
      ...bestFoundSentences(result),
      ...notes,
      ...(tried > 0 ? [`${countText(tried, 'change')} tried`] : []),
      priceAgeText(pricesOf),
    ]
      .flatMap((note) => (note === undefined ? [] : [`- ${note}\n`]))
      .join(''),
  ].join('\n');
}

function textOf(
  recommendation: Recommendation,
  index: number,
  currency: string,
  sources: readonly SourceFile[],
): string {
  const { changes, before, after, files, constructs, otherRoots = [] } = recommendation;
  const saved = before.usdPerHour - after.usdPerHour;
  const price = (perHour: number) => hourlyPriceText(perHour, currency);
  const lines = [
    `${price(after.usdPerHour)}, saves ${monthlyPriceText(saved, currency)} (${percentText(saved / before.usdPerHour)})`,
    figureChanges(before, after, currency).join(', '),
    ...new Set(changes.flatMap(({ condition }) => condition ?? [])),
    ...findingSentences(recommendation),
    ...otherRoots.map((other) => `${other.root}: ${changeText(price(other.before), price(other.after))}`),
  ];
  const patch = files.map((file) => {
    const source = sources.find(({ path }) => path === file.path)!;
    return `\n${unifiedDiff(file.path, source.text, file.text).split('\n').map(printableLine).join('\n')}`;
  });
  const blocks = (title: (nodePool: string) => string, texts: (code: ConstructCode) => readonly string[]) =>
    constructs.map((changed) => {
      const written = texts(changed).map((line) => `${INDENT}  ${line}\n`);
      return `\n${INDENT}${title(changed.nodePool)}:\n${written.join('')}`;
    });
  const yaml = (name: string) => `Requirements for NodePool ${name}, which is in no file that can be changed`;
  const code = (name: string) => `With constructs, among the requirements of NodePool ${name}`;
  return [
    `${index + 1}. ${titleOf(recommendation)}\n`,
    ...lines.map((line) => `${INDENT}${line}\n`),
    ...patch,
    ...(files.length > 0 ? [] : blocks(yaml, yamlOf)),
    ...blocks(code, codeOf),
  ].join('');
}

function yamlOf({ manifest }: ConstructCode): string[] {
  return manifest.map((line) => `- ${line}`);
}

function codeOf({ requirements }: ConstructCode): string[] {
  return requirements.map((line) => `${line},`);
}
