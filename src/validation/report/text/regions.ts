import { monthlyAmountText } from '../../../model';
import { RegionComparison, RegionResult } from '../../comparison/compare-regions';
import { summarisePods } from '../pod-names';
import { fittingPods, priceSourcesText, withoutControlCharacters } from '../wording';

const HEAD = ['REGION', 'PODS', 'NODES', 'PER MONTH', 'DIFFERENCE', 'PRICES'];

/**
 * One line for each region, pods that do not fit there, and what is particular to a region.
 *
 * @param table formats the rows
 */
export function renderRegionsText(
  given: RegionComparison,
  table: (rows: ReadonlyArray<readonly string[]>) => string,
): string {
  const { regions } = withoutControlCharacters(given);
  return [
    table([HEAD, ...regions.map((result) => rowOf(result, regions[0]))]),
    ...section('Currencies', currencyNotes(regions)),
    ...section('Pods that do not fit', regions.flatMap(podLines)),
    ...section(
      'Cost not evaluated',
      regions.flatMap(({ region, summary: { cost } }) => (cost.notEvaluated ?? []).map((why) => `${region}: ${why}`)),
    ),
    ...section(
      'Findings in some regions only',
      regions.flatMap(({ region, findings }) =>
        findings.map(
          ({ rule, severity, subject, message }) =>
            `${region}: ${severity} ${rule} ${subject.kind} ${subject.name}: ${message}`,
        ),
      ),
    ),
    ...section('Assumptions', [
      'each region has its own zones and prices; zones that the manifests name are not translated',
      ...regions.flatMap(({ region, assumptions }) =>
        assumptions.filter((sentence) => /prices/.test(sentence)).map((sentence) => `${region}: ${sentence}`),
      ),
    ]),
  ].join('\n');
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`${title}\n${lines.map((line) => `  ${line}\n`).join('')}`];
}

function rowOf(result: RegionResult, first: RegionResult): string[] {
  const {
    region,
    summary: { pods, nodes, cost },
  } = result;
  const fitting = fittingPods(result.summary);
  return [
    region,
    fitting === pods ? String(pods) : `${fitting} of ${pods}`,
    String(nodes),
    cost.usdPerHour === null ? '-' : monthlyAmountText(cost.usdPerHour, cost.currency),
    differenceText(result, first),
    priceSourcesText(cost),
  ];
}

/** `+8.3%` of the first region. Only equal currencies and equal numbers of scheduled pods are comparable. */
function differenceText(result: RegionResult, first: RegionResult): string {
  const [price, base] = [result.summary.cost, first.summary.cost];
  const isComparable = price.currency === base.currency && result.summary.scheduledPods === first.summary.scheduledPods;
  if (result === first || !isComparable || !price.usdPerHour || !base.usdPerHour) return '-';
  const percent = (price.usdPerHour / base.usdPerHour - 1) * 100;
  return `${percent < 0 ? '' : '+'}${percent.toFixed(1)}%`;
}

function currencyNotes(all: readonly RegionResult[]): string[] {
  const regions = all.filter(({ summary: { cost } }) => cost.usdPerHour !== null);
  const currencies = [...new Set(regions.map(({ summary: { cost } }) => cost.currency))];
  return currencies.length < 2
    ? []
    : currencies.map((currency) => {
        const names = regions.filter(({ summary: { cost } }) => cost.currency === currency).map(({ region }) => region);
        return `${names.join(', ')}: ${currency}, not compared with other currencies`;
      });
}

function podLines({ region, unschedulable, launchFailures }: RegionResult): string[] {
  const byReason = new Map<string, string[]>();
  for (const { pod, reasons } of unschedulable) {
    const why = reasons.map(({ nodePool, diagnosis, message }) => `${nodePool}: ${diagnosis ?? message}`).join('; ');
    byReason.set(why, [...(byReason.get(why) ?? []), pod]);
  }
  return [
    ...[...byReason].map(([why, pods]) => `${region}: ${summarisePods(pods)}${why === '' ? '' : `; NodePool ${why}`}`),
    ...launchFailures.map((why) => `${region}: a node cannot be launched: ${why}`),
  ];
}
