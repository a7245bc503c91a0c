import { createColors } from 'picocolors';
import { describeAcknowledged } from './acknowledged';
import { describeAssumptions } from './assumptions';
import { describeFindings } from './findings';
import { fleetText } from './headline';
import { describePodsWithoutNode } from './pods';
import { countText, hourlyPriceText, monthlyPriceText, moreText, numberText, stepsText } from '../../../model';
import {
  Difference,
  DriftDifference,
  FieldDifference,
  NamesDifference,
  NodePoolDifference,
  ObjectDifference,
} from '../../difference/difference';
import { objectOf } from '../../vocabulary/subject';
import { Finding, RangeVerdict, SettledVerdict, Summary } from '../../vocabulary/verdict';
import { costChangeLines, costChangesTitle } from '../costs/cost-changes';
import { summarisePods } from '../pod-names';
import { firstNames, groupSimilar } from '../similar';
import { Colors, fittingPods, omittedText, Section, TextOptions, withoutControlCharacters } from '../wording';

export const UNCHANGED = 'Nothing changes.';
/** The most objects that are printed. */
const MAX_OBJECTS = 40;
/** The most fields of one object. */
const MAX_FIELDS = 8;
const MAX_NAMES = 6;
/** The most characters of a value. */
const MAX_VALUE_LENGTH = 60;

/**
 * A difference as text, for reviewers: first the effect on nodes and cost, then the changed objects and what follows
 * from them.
 */
export function renderDifferenceText(rawDifference: Difference, { color = false }: TextOptions = {}): string {
  const difference = withoutControlCharacters(rawDifference);
  const colors = createColors(color);
  if (isUnchanged(difference)) return `${colors.bold(UNCHANGED)}\n`;
  const [outcome, ...more] = headlines(difference, colors);
  const sections = [
    ...changeSections(difference),
    ...costSections(difference),
    describeFindings({ findings: difference.findings.added }, colors, 'New findings'),
    resolvedFindings(difference),
    describeAcknowledged(difference),
    describeAssumptions(difference),
  ];
  const blocks = sections
    .filter(({ lines }) => lines.length > 0)
    .map(({ title, lines }) => [colors.bold(title), ...lines].join('\n'));
  return `${[[colors.bold(outcome), ...more].join('\n'), ...blocks].join('\n\n')}\n`;
}

/** Who pays more or less. */
export function costSections(difference: Difference): Section[] {
  const { costs } = difference;
  return costs === undefined ? [] : [{ title: costChangesTitle(costs), lines: costChangeLines(difference) }];
}

/** Changed objects, and the effects on NodePools, nodes and pods. */
export function changeSections({ summary, objects, nodePools, drift, unschedulable }: Difference): Section[] {
  const [podsThatDoNotFit] = describePodsWithoutNode({ unschedulable, notEvaluated: [] });
  return [
    { title: 'Changes', lines: objectLines(objects) },
    { title: 'NodePools', lines: nodePools.flatMap((pool) => nodePoolLines(pool, summary.after.cost.currency)) },
    { title: 'Nodes that drift', lines: drift.flatMap(driftLines) },
    { title: 'Pods that no longer fit', lines: podsThatDoNotFit.lines },
  ];
}

export function resolvedFindings({
  findings: { removed },
}: {
  readonly findings: Pick<Difference['findings'], 'removed'>;
}): Section {
  return { title: 'Resolved findings', lines: removed.map(resolvedLine) };
}

export function isUnchanged({
  summary,
  objects,
  nodePools,
  unschedulable,
  resolved,
  drift,
  findings: { added, removed },
}: Difference): boolean {
  return (
    [objects, nodePools, unschedulable, resolved, drift, added, removed].every(({ length }) => length === 0) &&
    JSON.stringify(summary.before) === JSON.stringify(summary.after)
  );
}

/** Price, nodes and pods in one sentence, then one sentence each about pods and findings. */
export function headlines(
  { summary: { before, after }, settled, resolved, findings: { added, removed } }: Difference,
  colors: Colors,
): string[] {
  const pods =
    resolved.length === 0
      ? []
      : [
          `${countText(resolved.length, 'pod without a node before is', 'pods without a node before are')} resolved: ${summarisePods(resolved)}.`,
        ];
  return [
    `${effectText(before, after)}.`,
    ...rangeSentences(settled, after.cost.currency),
    ...pods,
    `${addedText(added, colors)}; ${removed.length === 0 ? 'none resolved' : `${countText(removed.length, 'finding')} resolved`}.`,
  ];
}

/** The fleets that random names lead to, unless both sides have one only. */
function rangeSentences(settled: Difference['settled'], currency: string): string[] {
  if (!settled) return [];
  const { before, after } = settled;
  if ([before, after].every((range) => range === null || !isOpen(range))) return [];
  const [old, now] = [before, after].map((range) => (range === null ? 'none' : fleetText(range, currency)));
  const both = old === now ? now : stepsText(old, now);
  return [
    `Depending on random names: ${both}.${before && after && mayBeChance(before, after) ? ' Random names alone may make this change of the price.' : ''}`,
  ];
}

function isOpen({ nodes, usdPerHour }: SettledVerdict): boolean {
  return nodes.least !== nodes.most || usdPerHour?.least !== usdPerHour?.most;
}

/** Whether each price lies in the range of the other side. */
function mayBeChance({ usdPerHour: before }: SettledVerdict, { usdPerHour: after }: SettledVerdict): boolean {
  if (before === null || after === null || before.median === after.median) return false;
  const has = ({ least, most }: RangeVerdict, price: number) => least <= price && price <= most;
  return has(before, after.median) && has(after, before.median);
}

/** `+$73/month: $0.2000/h → $0.3000/h; 2 → 3 new nodes; 4 of 7 → 5 of 7 pods fit`. */
function effectText(before: Summary, after: Summary): string {
  const nodes = fromTo(before.nodes, after.nodes, (count) => countText(count, 'new node'), numberText);
  const pods = fromTo(
    before,
    after,
    (summary) => `${numberText(fittingPods(summary))} of ${countText(summary.pods, 'pod')} fit`,
    fitText,
  );
  const price = priceText(before, after);
  const isEqual = [...price, nodes, pods].every((part) => !part.includes(stepsText('', '')));
  return `${isEqual ? 'Unchanged: ' : ''}${[...price, nodes, pods].join('; ')}`;
}

function fitText(summary: Summary): string {
  return `${numberText(fittingPods(summary))} of ${numberText(summary.pods)}`;
}

/** @param short describes the value before, in front of an arrow */
function fromTo<Value>(
  before: Value,
  after: Value,
  describe: (value: Value) => string,
  short: (value: Value) => string,
): string {
  return describe(before) === describe(after) ? describe(after) : stepsText(short(before), describe(after));
}

/** The change per month first; empty if nothing is launched before or after. */
function priceText(
  { cost: { usdPerHour: before } }: Summary,
  { cost: { usdPerHour: after, currency } }: Summary,
): string[] {
  if (before === null && after === null) return [];
  const [priceBefore, priceAfter] = [hourlyPriceText(before ?? 0, currency), hourlyPriceText(after ?? 0, currency)];
  if (priceBefore === priceAfter) return [`${priceAfter} (${monthlyPriceText(after ?? 0, currency)})`];
  const more = (after ?? 0) - (before ?? 0);
  return [`${more > 0 ? '+' : ''}${monthlyPriceText(more, currency)}: ${stepsText(priceBefore, priceAfter)}`];
}

/** `1 new error (KARP-402), 2 new warnings`. */
export function addedText(added: readonly Finding[], colors: Colors): string {
  if (added.length === 0) return colors.green('no new findings');
  const text = (severity: Finding['severity'], noun: string, paint: (text: string) => string) => {
    const findings = added.filter((finding) => finding.severity === severity);
    const rules = [...new Set(findings.map(({ rule }) => rule))].sort().join(', ');
    return findings.length === 0
      ? []
      : [`${paint(countText(findings.length, `new ${noun}`))}${severity === 'error' ? ` (${rules})` : ''}`];
  };
  return [
    ...text('error', 'error', colors.red),
    ...text('warning', 'warning', colors.yellow),
    ...text('info', 'note', (plain) => plain),
  ].join(', ');
}

function resolvedLine({ rule, name, severity, subject }: Finding): string {
  return `  ${severity} ${rule} ${name}${subject.kind === '' ? '' : ` of ${objectOf(subject)}`}`;
}

function objectLines(objects: Difference['objects']): string[] {
  const groups = groupEqualChanges(objects);
  const hidden = groups.slice(MAX_OBJECTS).flat().length;
  return [
    ...groups.slice(0, MAX_OBJECTS).flatMap(changeLines),
    ...(hidden > 0 ? [`  ${omittedText(hidden, 'object')}`] : []),
  ];
}

/** Karpenter's objects come first. Objects with the same change are printed once. */
function groupEqualChanges(objects: readonly ObjectDifference[]): ObjectDifference[][] {
  const isKarpenters = ({ apiVersion }: ObjectDifference) => /^karpenter\./.test(apiVersion);
  const ordered = [...objects.filter(isKarpenters), ...objects.filter((object) => !isKarpenters(object))];
  return groupSimilar(ordered, ({ kind, change, fields }) => JSON.stringify([kind, change, fields]));
}

function changeLines([object, ...others]: readonly ObjectDifference[]): string[] {
  const { change, fields } = object;
  const hidden = fields.length - MAX_FIELDS;
  const more = others.length === 0 ? '' : ` and ${moreText(others.length)} like it`;
  return [
    `  ${objectOf(object)}${more}${change === 'changed' ? '' : ` ${others.length === 0 ? 'is' : 'are'} ${change}`}`,
    ...fields.slice(0, MAX_FIELDS).map((field) => `    ${fieldText(field)}`),
    ...(hidden > 0 ? [`    ${omittedText(hidden, 'field')}`] : []),
  ];
}

function fieldText({ path, before, after }: FieldDifference): string {
  const [valueBefore, valueAfter] = [valueText(before), valueText(after)];
  if (before === null) return `${path}: added, ${valueAfter}`;
  if (after === null) return `${path}: removed, was ${valueBefore}`;
  return `${path}: ${stepsText(valueBefore, valueAfter)}`;
}

function valueText(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text;
}

/** The change of a NodePool's new nodes, and of what it can launch. */
function nodePoolLines(
  { name, change, instanceTypes, zones, capacityTypes, nodes, usdPerHour }: NodePoolDifference,
  currency: string,
): string[] {
  const launchable = [
    namesText(instanceTypes, 'instance type'),
    namesText(zones, 'zone'),
    namesText(capacityTypes, 'capacity type'),
  ].flat();
  const hasSameNodes = nodes.before === nodes.after && usdPerHour.before === usdPerHour.after;
  return [
    `  ${name}${change === 'changed' ? '' : ` is ${change}`}${
      hasSameNodes
        ? ''
        : `: ${stepsText(numberText(nodes.before), countText(nodes.after, 'new node'))}, ` +
          stepsText(hourlyPriceText(usdPerHour.before, currency), hourlyPriceText(usdPerHour.after, currency))
    }`,
    ...(change === 'removed'
      ? ['    deleting it deletes its nodes, regardless of disruption budgets']
      : launchable.map((line) => `    ${line}`)),
  ];
}

function namesText({ added, removed }: NamesDifference, noun: string): string[] {
  return [
    ...(added.length === 0 ? [] : [`can launch ${moreText(added.length, noun)}: ${firstNames(added, MAX_NAMES, '')}`]),
    ...(removed.length === 0
      ? []
      : [`can launch ${countText(removed.length, `fewer ${noun}`)}: ${firstNames(removed, MAX_NAMES, '')}`]),
  ];
}

function driftLines({ nodePool, reason, fields, certain, nodes, atATime }: DriftDifference): string[] {
  const why = `(${reason}${fields.length === 0 ? '' : `: ${fields.join(', ')}`})`;
  const may = 'may drift, depending on what the selectors match in AWS';
  if (nodes.length === 0)
    return [`  all nodes of NodePool ${nodePool} ${certain ? 'drift' : may} ${why}; pass --cluster to list them`];
  const pace =
    atATime === null
      ? 'the number of nodes at a time depends on the budget schedule'
      : `its budgets allow ${atATime === 0 ? 'none' : `${numberText(atATime)} at a time`}`;
  return [
    `  ${countText(nodes.length, 'node')} of NodePool ${nodePool} ${certain ? (nodes.length === 1 ? 'drifts' : 'drift') : may} ${why}; ${pace}`,
    `    ${firstNames(nodes, MAX_NAMES, '')}`,
  ];
}
