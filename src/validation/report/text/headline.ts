import { countText, hourlyPriceText, monthlyPriceText, numberText, shortListText } from '../../../model';
import {
  Finding,
  FleetRangeVerdict,
  FleetVerdict,
  LaunchBlocker,
  RangeVerdict,
  Summary,
  Verdict,
} from '../../vocabulary/verdict';
import { Colors, nodeCountText, priceSourcesText } from '../wording';

/** The most rules with errors that the counts name. */
const MAX_RULES = 5;
/** The most objects that the outcome names. */
const MAX_BLOCKERS = 3;
const NOT_EVALUATED = ', cost not evaluated';
const UNREADABLE = 'KARP-001';
/** Invalid fields, and API versions that Karpenter does not serve. */
const REFUSED: readonly string[] = ['KARP-100', 'KARP-101'];
/** An object that all placements rest on is missing in the input. */
const ASSUMED_OBJECT = /^EC2NodeClass(es)? .* not in the input: (it is|they are) assumed to be /;

/** The outcome with nodes, price and counts in one line, then what it rests on. */
export function headline(verdict: Verdict, colors: Colors): string[] {
  const {
    summary: { cost },
    assumptions,
  } = verdict;
  const { usdPerHour, lowerBoundUsdPerHour, bestFound, currency } = cost;
  const unknown = cost.notEvaluated === undefined ? '' : NOT_EVALUATED;
  const price =
    usdPerHour === null
      ? unknown
      : `, from ${hourlyPriceText(usdPerHour, currency)} (${monthlyPriceText(usdPerHour, currency)})`;
  const bound =
    lowerBoundUsdPerHour === null || usdPerHour === null
      ? []
      : [`Lower bound: ${hourlyPriceText(lowerBoundUsdPerHour, currency)}.`];
  const best = bestFound === undefined ? [] : [`Best fleet found: ${hourlyPriceText(bestFound.usdPerHour, currency)}.`];
  const prices = priceSourcesText(cost);
  const basis = [...bound, ...best, ...(prices === '' ? [] : [`Prices: ${prices}.`])];
  return [
    `${[...outcomeParts(verdict, price).map(colors.bold), counts(verdict, colors)].join('; ')}.`,
    ...settledSentences(verdict),
    ...(basis.length === 0 ? [] : [basis.join(' ')]),
    ...reservationSentences(verdict),
    ...(cost.notEvaluated ?? []).map((why) => `Cost not evaluated: ${why}.`),
    ...assumptions.filter(isAssumedObject).map((sentence) => `Assumed: ${sentence}.`),
  ];
}

/** `2 nodes run in open capacity reservations, so that $0.7140/h of the price is paid for already.` */
export function reservationSentences({ summary: { cost } }: Pick<Verdict, 'summary'>): string[] {
  if (cost.openReservations === undefined) return [];
  const { usdPerHour, reservations } = cost.openReservations;
  const nodes = reservations.reduce((sum, reservation) => sum + reservation.nodes, 0);
  const runs = `${countText(nodes, 'node')} ${nodes === 1 ? 'runs' : 'run'}`;
  const [noun, ids] = [
    reservations.length === 1 ? 'the open capacity reservation' : 'open capacity reservations',
    shortListText(
      reservations.map(({ id }) => id),
      MAX_BLOCKERS,
    ),
  ];
  return [
    `${runs} in ${noun} ${ids}, so that ${hourlyPriceText(usdPerHour, cost.currency)} of the price is paid for already.`,
  ];
}

/** The other fleets that Karpenter may end with, that of its first pass, and those after consolidation. */
export function settledSentences({ summary, firstPass, settled, consolidated, unschedulable }: Verdict): string[] {
  if (settled === undefined || firstPass === undefined) return [];
  const { currency } = summary.cost;
  const planned = fleetText(rangeOfOne({ nodes: summary.nodes, usdPerHour: summary.cost.usdPerHour }), currency);
  const parts = [
    ['depending on random names', settled],
    ["right after Karpenter's first pass", rangeOfOne(firstPass)],
    ['consolidated', consolidated],
  ] as const;
  const sentence = parts
    .flatMap(([when, figures]) => (figures === undefined ? [] : [[when, fleetText(figures, currency)] as const]))
    .filter(([, text]) => text !== planned)
    .map(([when, text]) => `${when}: ${text}`)
    .join('; ');
  const { pendingPods } = settled;
  const isOpen = pendingPods.most > 0 && pendingPods.least + pendingPods.most !== 2 * unschedulable.length;
  return [
    ...(sentence === '' ? [] : [`${sentence[0].toUpperCase()}${sentence.slice(1)}.`]),
    ...(isOpen
      ? [`Once the nodes are up, ${numberRange(pendingPods)} pods have no node: kube-scheduler decides which ones.`]
      : []),
  ];
}

/** `10 to 12 nodes, $7.10/h to $7.97/h`. */
export function fleetText({ nodes: { least, most }, usdPerHour }: FleetFigures, currency: string): string {
  const count = least === most ? countText(least, 'node') : `${numberText(least)} to ${countText(most, 'node')}`;
  if (usdPerHour === null) return count;
  const [low, high] = [usdPerHour.least, usdPerHour.most].map((figure) => hourlyPriceText(figure, currency));
  return `${count}, ${low === high ? low : `${low} to ${high}`}`;
}

type FleetFigures = Pick<FleetRangeVerdict, 'nodes' | 'usdPerHour'>;

function rangeOfOne({ nodes, usdPerHour }: FleetVerdict): FleetFigures {
  const one = (figure: number) => ({ least: figure, median: figure, most: figure });
  return { nodes: one(nodes), usdPerHour: usdPerHour === null ? null : one(usdPerHour) };
}

function numberRange({ least, most }: RangeVerdict): string {
  return least === most ? numberText(most) : `${numberText(least)} to ${numberText(most)}`;
}

export function isAssumedObject(sentence: string): boolean {
  return ASSUMED_OBJECT.test(sentence);
}

/** The outcome in one sentence. */
export function outcome(verdict: Verdict): string {
  return `${outcomeParts(verdict, costText(verdict.summary.cost)).join('; ')}.`;
}

/** What the counts of findings are made of. */
type Counted = Pick<Verdict, 'findings' | 'acknowledged'> & {
  readonly summary: Pick<Verdict['summary'], 'errors' | 'warnings' | 'infos'>;
};

/** `1 error (KARP-306), 2 warnings, 1 note, 3 acknowledged.` */
export function countsText(verdict: Counted, colors: Colors): string {
  const rules = verdict.summary.errors > 0 ? ` (${rulesOfErrors(verdict.findings)})` : '';
  return `${counts(verdict, colors, rules)}.`;
}

function counts(
  { summary: { errors, warnings, infos }, acknowledged }: Pick<Counted, 'summary' | 'acknowledged'>,
  colors: Colors,
  rules = '',
): string {
  return [
    errors > 0 ? `${colors.red(countText(errors, 'error'))}${rules}` : colors.green('no errors'),
    warnings > 0 ? colors.yellow(countText(warnings, 'warning')) : 'no warnings',
    ...(infos > 0 ? [countText(infos, 'note')] : []),
    ...(acknowledged ? [`${numberText(acknowledged.length)} acknowledged`] : []),
  ].join(', ');
}

/** Helps to find the errors among many warnings. */
function rulesOfErrors(findings: readonly Finding[]): string {
  const rules = [...new Set(findings.filter(({ severity }) => severity === 'error').map(({ rule }) => rule))].sort();
  return shortListText(rules, MAX_RULES, 'rule');
}

function outcomeParts(verdict: Verdict, price: string): string[] {
  const {
    summary: { pods, scheduledPods },
    unschedulable,
    nodeClaims,
  } = verdict;
  // A workload with too many pods is one entry of the list.
  const notEvaluated = pods - scheduledPods - unschedulable.length;
  if (pods === 0) return [noPodsText(verdict.findings)];
  const allFit = scheduledPods === pods;
  if (pods === 1 && !allFit) return [unschedulable.length > 0 ? 'The pod does not fit' : 'The pod is not evaluated'];
  if (unschedulable.length === pods) return [`None of the ${countText(pods, 'pod')} fits`];
  if (notEvaluated === pods) return [`None of the ${countText(pods, 'pod')} is evaluated`];
  const parts =
    scheduledPods === 0
      ? [`None of the ${countText(pods, 'pod')} is scheduled`]
      : fitParts(verdict.summary, ` on ${nodeCountText(verdict)}${price}${notStartedText(verdict.summary)}`);
  if (unschedulable.length > 0) parts.push(`${countText(unschedulable.length, 'pod does', 'pods do')} not fit`);
  if (notEvaluated > 0) parts.push(`${countText(notEvaluated, 'pod is', 'pods are')} not evaluated`);
  const notLaunched = nodeClaims.filter(({ launch }) => launch === null).length;
  if (notLaunched > 0) parts.push(`${countText(notLaunched, 'node')} cannot be launched`);
  return parts;
}

/** Pods that have a node in the plan, and do not start there, such as those without an address. */
function notStartedText({ scheduledPods, notStarted }: Summary): string {
  if (notStarted === undefined) return '';
  const { pods, rules } = notStarted;
  const outcomeText =
    scheduledPods === 1
      ? 'it does not start'
      : pods >= scheduledPods
        ? 'none of them starts'
        : `at least ${numberText(pods)} of them ${pods === 1 ? 'does' : 'do'} not start`;
  return `, but ${outcomeText} (${rules.join(' and ')})`;
}

/** Errors about the input explain why there are no pods better than the count. */
function noPodsText(findings: readonly Finding[]): string {
  const errors = findings.filter(({ severity }) => severity === 'error').map(({ rule }) => rule);
  if (errors.includes(UNREADABLE)) return 'No pods are planned, because some of the input cannot be read';
  if (errors.some((rule) => REFUSED.includes(rule)))
    return 'No pods are planned, because the API server refuses some of the input';
  return 'There are no pods to schedule';
}

/** The planned nodes, after what fits before the errors are fixed that keep Karpenter from launching some of them. */
function fitParts({ pods, scheduledPods, asWritten }: Summary, nodes: string): string[] {
  const planned = fitText(pods, scheduledPods);
  if (asWritten === undefined) return [`${planned}${nodes}`];
  const { scheduledPods: fitting, causes } = asWritten;
  const now =
    fitting > 0
      ? fitText(pods, fitting)
      : pods === 1
        ? 'The pod does not fit'
        : `None of the ${countText(pods, 'pod')} fits`;
  const corrected = `${planned[0].toLowerCase()}${planned.slice(1)}${nodes}`;
  return [
    `${now} as it is${fitting < scheduledPods ? ':' : ', although'} ${blockersText(causes)}`,
    `with that corrected, ${corrected}`,
  ];
}

function blockersText(causes: readonly LaunchBlocker[]): string {
  const rejected = causes.filter(({ consequence }) => consequence === 'rejected');
  const outside = causes.filter(({ consequence }) => consequence === 'never-joins');
  const others = causes.filter((cause) => !rejected.includes(cause) && !outside.includes(cause));
  return [
    ...(rejected.length === 0 ? [] : [`the API server rejects ${objectNames(rejected)}`]),
    ...(others.length === 0 ? [] : [`Karpenter launches no node for ${objectNames(others)}`]),
    ...(outside.length === 0 ? [] : [`nodes of ${objectNames(outside)} never join the cluster`]),
  ].join(', and ');
}

function objectNames(objects: readonly LaunchBlocker[]): string {
  return shortListText([...new Set(objects.map(({ kind, name }) => `${kind} ${name}`))], MAX_BLOCKERS);
}

function fitText(pods: number, scheduledPods: number): string {
  if (scheduledPods < pods)
    return `${numberText(scheduledPods)} of ${countText(pods, 'pod')} ${scheduledPods === 1 ? 'fits' : 'fit'}`;
  return pods === 1 ? 'The pod fits' : `All ${countText(pods, 'pod')} fit`;
}

/** The price of all new nodes, at the lowest price of each, and what any packing costs at least. */
function costText({ usdPerHour, lowerBoundUsdPerHour, currency, notEvaluated }: Verdict['summary']['cost']): string {
  if (usdPerHour === null) return notEvaluated === undefined ? '' : NOT_EVALUATED;
  const bound = lowerBoundUsdPerHour === null ? '' : `, lower bound ${hourlyPriceText(lowerBoundUsdPerHour, currency)}`;
  return `, from ${hourlyPriceText(usdPerHour, currency)} (${monthlyPriceText(usdPerHour, currency)}${bound})`;
}
