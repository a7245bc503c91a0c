import { createColors } from 'picocolors';
import { describeAcknowledged } from './acknowledged';
import { describeChange } from './fitting-change';
import type { RootVerdict } from './roots';
import { countText, jsonText, moreText, numberText, stepsText } from '../../../model';
import type { Explanations } from '../../explain/explain';
import {
  AcknowledgedFinding,
  EliminationVerdict,
  PlacementNodeReport,
  PlacementPoolReport,
  PodPlacementReport,
} from '../../vocabulary/verdict';
import { summarisePods } from '../pod-names';
import { groupSimilarPools, similarPoolsText } from '../similar';
import { Colors, offerText, TextOptions, withoutControlCharacters } from '../wording';

/** The parts of `Explanations` that are printed. */
interface ExplanationsReport {
  readonly placements: readonly PodPlacementReport[];
  readonly omittedPods: number;
  readonly notEvaluated: readonly string[];
  readonly origin?: string;
  readonly assumptions?: readonly string[];
  readonly acknowledged?: readonly AcknowledgedFinding[];
}

/** The result of `explain` as text. */
export function renderExplanationsText(
  { placements, omittedPods, notEvaluated, assumptions = [], acknowledged = [], origin }: ExplanationsReport,
  options: TextOptions = {},
): string {
  const printed = withoutControlCharacters({ placements, sentences: [...assumptions, ...notEvaluated], acknowledged });
  const accepted = describeAcknowledged(printed);
  const blocks = describePlacements(printed.placements, createColors(options.color ?? false)).map((lines) =>
    lines.join('\n'),
  );
  const rest = [
    ...(omittedPods === 0 ? [] : [`and ${moreText(omittedPods, 'pod')}: name fewer pods at once`]),
    ...(printed.sentences.length === 0 ? [] : [printed.sentences.map((sentence) => `- ${sentence}`).join('\n')]),
    ...(origin === undefined ? [] : [`- ${origin}`]),
    ...(accepted.lines.length === 0 ? [] : [[accepted.title, ...accepted.lines].join('\n')]),
  ];
  return `${[...blocks, ...rest].join('\n\n')}\n`;
}

/** The result of `explain` as JSON. The same input gives the same bytes. */
export function renderExplanationsJson({ placements }: Pick<ExplanationsReport, 'placements'>): string {
  return jsonText(placements);
}

/** What `explain` prints about one of several roots, or why it is not searched. */
export interface RootExplanations extends Pick<RootVerdict, 'name' | 'kind' | 'notes' | 'skipped'> {
  readonly explanations?: Explanations;
}

/** The result of `explain` for several roots as JSON. Names and notes are those of the JSON of `check`. */
export function renderRootExplanationsJson(roots: readonly RootExplanations[]): string {
  const printed = roots.map(({ name, kind, notes, skipped, explanations }) => ({
    name,
    kind,
    notes,
    ...(explanations === undefined ? { skipped } : { placements: explanations.placements }),
  }));
  return jsonText({ schemaVersion: '1', roots: printed });
}

/** The lines of each report: first where the pod runs, then how that was decided. */
export function describePlacements(reports: readonly PodPlacementReport[], colors: Colors): string[][] {
  return reports.map((report) => describePlacement(report, colors));
}

/**
 * The constraints that removed instance types: `1,391 instance types → 1,036 (category c, m, r) → 313 (arch arm64)`.
 */
export function eliminationText([catalog, ...steps]: readonly EliminationVerdict[]): string {
  const narrowing = steps.filter(({ left }, index) => left < (index === 0 ? catalog.left : steps[index - 1].left));
  if (narrowing.length === 0) return `all ${numberText(catalog.left)} instance types are left`;
  return stepsText(
    countText(catalog.left, 'instance type'),
    ...narrowing.map(({ constraint, left }) => `${numberText(left)} (${shortConstraint(constraint)})`),
  );
}

const BOUND_SIGNS: Readonly<Record<string, string>> = { Gt: '>', Gte: '>=', Lt: '<', Lte: '<=' };

/**
 * Shortens a requirement: `karpenter.k8s.aws/instance-category In [c m r]` becomes `category c, m, r`, and
 * `karpenter.k8s.aws/instance-generation Gt 3` becomes `generation > 3`. Other constraints stay as they are.
 */
export function shortConstraint(constraint: string): string {
  const [, name, operator, values = ''] =
    /^(?:[\w.-]+\/)?(?:instance-)?([\w-]+) (In|NotIn) \[([^\]]*)\]$/.exec(constraint) ?? [];
  if (name === undefined) {
    const [, bounded, bound, value] = /^(?:[\w.-]+\/)?(?:instance-)?([\w-]+) ([GL]te?) (\d+)$/.exec(constraint) ?? [];
    return bounded === undefined ? constraint : `${bounded} ${BOUND_SIGNS[bound]} ${value}`;
  }
  return `${name} ${operator === 'In' ? '' : 'not '}${values.includes(' and ') ? values : values.split(' ').join(', ')}`;
}

function describePlacement(report: PodPlacementReport, colors: Colors): string[] {
  const { alike, givenUp, node, nodePools } = report;
  return [
    colors.bold(`${report.pod} ${outcomeText(report)}`),
    ...describePosition(report),
    ...(alike.length === 0 ? [] : [`  same for ${summarisePods(alike)}${elsewhereText(report)}`]),
    ...givenUp.map((preference) => `  relaxed: ${preference}`),
    ...(node === null || node.elimination.length === 0
      ? []
      : ['  instance types left after each constraint:', ...describeElimination(node.elimination)]),
    ...groupSimilarPools(nodePools).flatMap(([pool, ...others]) => [
      ...describePool(pool, node),
      ...similarPoolsText(others.map(({ nodePool }) => nodePool)).map((line) => `    ${line}`),
    ]),
    ...(node === null ? [] : describeFinalNode(node)),
    ...describeSettledNode(report),
    ...describeChange(report).map((line) => `  ${line}`),
  ];
}

function outcomeText({ outcome, node, notTried }: PodPlacementReport): string {
  switch (outcome) {
    case 'new-node-claim':
      return `opens ${node!.name}, a new node of NodePool ${node!.nodePool}`;
    case 'open-node-claim':
      return `joins ${node!.name}, a planned node of NodePool ${node!.nodePool} with ${countText(node!.podsBefore, 'pod')}`;
    case 'existing-node':
      return node!.isPlanned
        ? `runs on ${node!.name}, a planned node`
        : `runs on node ${node!.name}, which already exists`;
    case 'unschedulable':
      return notTried === null ? 'fits nowhere' : `gets no node: ${notTried}`;
    default:
      return `is not tried: ${notTried ?? ''}`;
  }
}

/** Pods that open a node are on different nodes anyway: each opens one. */
function elsewhereText({ alike, alikeElsewhere, outcome }: PodPlacementReport): string {
  if (outcome === 'new-node-claim' || alikeElsewhere === 0) return '';
  const on = alikeElsewhere === 1 ? 'on another node' : 'on other nodes';
  return `, ${alikeElsewhere === alike.length ? '' : `${alikeElsewhere} of them `}${on}`;
}

function describePosition({ position, placedPods, openNodeClaims, outcome }: PodPlacementReport): string[] {
  if (outcome === 'not-tried') return [];
  const open =
    openNodeClaims === 0 ? 'no planned node to join' : `${countText(openNodeClaims, 'planned node')} to join`;
  const hasJoined = outcome === 'open-node-claim' || outcome === 'existing-node';
  const rejected =
    openNodeClaims === 0 || hasJoined
      ? ''
      : openNodeClaims === 1
        ? ', but it does not take the pod'
        : ', but none takes the pod';
  if (position === null) return [`  tried after ${countText(placedPods, 'scheduled pod')}; ${open}${rejected}`];
  return [`  scheduled as pod ${position} of ${placedPods}; ${open}${rejected}`];
}

function describeFinalNode({ name, instanceTypes: { inTheEnd }, cheapest }: PlacementNodeReport): string[] {
  if (inTheEnd === null || cheapest === null) return [];
  return [
    `  with all its pods, ${name} can be ${countText(inTheEnd, 'instance type')}; cheapest: ${offerText(cheapest, cheapest.currency)}`,
  ];
}

/** Later passes and kube-scheduler may put the pod onto another node than the one for which it was planned. */
function describeSettledNode({ pod, settledNode }: PodPlacementReport): string[] {
  if (settledNode === undefined) return [];
  if (settledNode === null)
    return [`  after all passes: ${pod} has no node, because kube-scheduler binds other pods first`];
  const { name, offer, pods } = settledNode;
  const type = offer === null ? '' : `, ${offerText(offer, offer.currency)}`;
  const others = pods === 1 ? 'alone' : `with ${countText(pods - 1, 'other pod')}`;
  return [`  after all passes: ${pod} runs on ${name}${type}, ${others}`];
}

function describePool(report: PlacementPoolReport, node: PlacementNodeReport | null): string[] {
  const { nodePool, weight, outcome, message, diagnosis, elimination } = report;
  const name = `  NodePool ${nodePool}${weight === 0 ? '' : ` (weight ${weight})`}`;
  switch (outcome) {
    case 'takes it':
      return [`${name} takes the pod${node === null ? '' : ` on ${node.name}`}`, ...describeElimination(elimination)];
    case 'not tried':
      return [`${name} is not tried any more`];
    case 'no instance types':
      return [`${name} can launch nothing, so it is never tried`, ...describeElimination(elimination)];
    default:
      return [
        `${name} rejects the pod: ${message ?? ''}`,
        ...(diagnosis === null ? [] : [`    ${diagnosis}`]),
        ...describeElimination(elimination),
      ];
  }
}

function describeElimination(steps: readonly EliminationVerdict[]): string[] {
  const width = Math.max(...steps.map(({ left }) => String(left).length), 0);
  return steps.map(({ constraint, left }) => `    ${numberText(left).padStart(width)}  ${constraint}`);
}
