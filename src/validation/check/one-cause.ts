import { Label, listText } from '../../model';
import { READING_RULES } from '../manifest';
import { MORE_SPECIFIC_RULES } from '../rules/common/unscheduled-pods';
import { SPREAD_REMEDY } from '../rules/disruption/availability/pod-spread';
import { Finding } from '../vocabulary/verdict';

const REJECTED = READING_RULES.rejected.rule;
const RANK: Readonly<Record<Finding['severity'], number>> = { error: 2, warning: 1, info: 0 };

/** A finding that only follows from another one about the same object. */
interface Consequence {
  readonly cause: string;
  readonly effects: readonly string[];
  /** Whether both are about one mistake. @default - they are about the same object */
  readonly isSame?: (cause: Finding, effect: Finding) => boolean;
}

const CONSEQUENCES: readonly Consequence[] = [
  // Which NodePool a pod is meant for is unknown as long as its zone does not exist.
  { cause: 'KARP-216', effects: ['KARP-211', 'KARP-213'], isSame: ({ severity }) => severity === 'error' },
  // The field is there, under a name that no one reads.
  { cause: REJECTED, effects: [REJECTED], isSame: isMisspelt },
  // Constraints that exclude each other leave no instance type.
  { cause: 'KARP-108', effects: ['KARP-201'] },
  // A misspelt label is the reason why the API server refuses the field.
  { cause: 'KARP-105', effects: [REJECTED], isSame: hasSamePath },
  // The toleration is written, in a place where it is dropped.
  {
    cause: REJECTED,
    effects: ['KARP-211', 'KARP-213'],
    isSame: ({ remedy }) => /^move it to \S*\btolerations$/.test(remedy),
  },
  // A value that EC2 does not have is the reason why Karpenter refuses the list of values.
  { cause: 'KARP-251', effects: [REJECTED], isSame: isInsideOrSame },
  // A schedule that cannot be parsed makes a budget that never allows anything.
  { cause: REJECTED, effects: ['KARP-417', 'KARP-405'], isSame: isInside },
  // With a window that never ends, expiry is the only thing that replaces a node.
  { cause: 'KARP-417', effects: ['KARP-405'], isSame: hasSamePath },
  // Both advise nodes on demand.
  { cause: 'KARP-513', effects: ['KARP-401'], isSame: isAsSevere },
  // An autoscaler without its metric is why the request is missed first.
  { cause: 'KARP-436', effects: ['KARP-306'], isSame: isOneRequest },
  // The queue is set, in a value of the chart that the chart does not read.
  { cause: 'KARP-115', effects: ['KARP-501'], isSame: ({ remedy }) => /\binterruptionQueue\b/.test(remedy) },
  { cause: 'KARP-919', effects: ['KARP-501'], isSame: ({ remedy }) => /\bsettings\.interruptionQueue$/.test(remedy) },
  { cause: 'KARP-919', effects: ['KARP-115'], isSame: ({ remedy }) => /\bsettings\.clusterName$/.test(remedy) },
  {
    cause: 'KARP-115',
    effects: ['KARP-115'],
    isSame: ({ remedy }, effect) =>
      /^(rename|write) .*\bclusterName$/.test(remedy) && /^settings\.clusterName is not set/.test(effect.message),
  },
  { cause: 'KARP-919', effects: ['KARP-903'], isSame: ({ remedy }) => /\bcontroller\.resources$/.test(remedy) },
  // A version of another form is no date either.
  { cause: 'KARP-917', effects: ['KARP-155'], isSame: hasSamePath },
  // The protection is written, in a form that has no effect.
  { cause: 'KARP-409', effects: ['KARP-424'], isSame: ({ severity }) => severity === 'error' },
  // Nodes that live for minutes expire before any budget lets a new AMI through.
  { cause: 'KARP-427', effects: ['KARP-418'], isSame: (_, { evidence }) => Number(evidence.days) <= 1 },
  // The amount that is out of proportion to the nodes has a rule of its own.
  { cause: 'KARP-159', effects: [REJECTED], isSame: hasSamePath },
  // With a misspelt topology key, nothing spreads the pods.
  {
    cause: 'KARP-105',
    effects: ['KARP-414', 'KARP-425'],
    isSame: ({ evidence }) => ['topology spread', 'pod anti-affinity'].includes(String(evidence.constraint)),
  },
  // Pods that nothing spreads over nodes are not spread over zones either.
  { cause: 'KARP-414', effects: ['KARP-425'], isSame: isSpreadOverZones },
  { cause: 'KARP-402', effects: ['KARP-425'], isSame: isSpreadOverZones },
  // With a selector of other pods, nothing spreads the pods.
  { cause: 'KARP-428', effects: ['KARP-414', 'KARP-425'] },
];

/** Rules about pods without a node. */
const REFUSALS: readonly string[] = [...MORE_SPECIFIC_RULES, 'KARP-213'];

/** The order in which a mistake is named, if one change lets the pods fit. */
const MISTAKES: readonly string[] = [
  ...['KARP-105', 'KARP-216', 'KARP-106'],
  ...MORE_SPECIFIC_RULES.filter((rule) => !['KARP-105', 'KARP-216', 'KARP-106'].includes(rule)),
];

/** One finding for one mistake, with the severity of the most severe one that it replaces. */
export function withoutConsequences(findings: readonly Finding[]): Finding[] {
  const causeOf = new Map<Finding, Finding>();
  const bySubject = new Map<string, Finding[]>();
  for (const finding of findings) {
    const key = subjectKey(finding);
    bySubject.set(key, [...(bySubject.get(key) ?? []), finding]);
  }
  for (const ofSubject of bySubject.values()) {
    for (const { cause: rule, effects, isSame = () => true } of CONSEQUENCES) {
      for (const cause of ofSubject.filter((finding) => finding.rule === rule))
        for (const effect of ofSubject)
          if (effects.includes(effect.rule) && isSame(cause, effect)) causeOf.set(effect, cause);
    }
    for (const [effect, cause] of sameRemedies(ofSubject)) causeOf.set(effect, cause);
  }
  const severities = new Map<Finding, Finding['severity']>();
  for (const [effect, cause] of causeOf) {
    const { severity } = [effect, cause, { severity: severities.get(cause) ?? cause.severity }].reduce((most, next) =>
      RANK[next.severity] > RANK[most.severity] ? next : most,
    );
    severities.set(cause, severity);
  }
  const predecessors = new Set(findings.filter(isOfPredecessor).map(placeKey));
  const isAboutPredecessor = (finding: Finding) =>
    OF_SUCCESSORS.includes(finding.rule) && predecessors.has(placeKey(finding));
  const left = findings
    .filter((finding) => !causeOf.has(finding) && !isAboutPredecessor(finding))
    .filter(isFirst())
    .map((finding) => (severities.has(finding) ? { ...finding, severity: severities.get(finding)! } : finding));
  return withOneForEachQueue(left);
}

/** A queue that is the target of no rule has one mistake, whichever events it misses. */
function withOneForEachQueue(findings: readonly Finding[]): Finding[] {
  const withoutRules = findings.filter(
    ({ rule, location: { path }, evidence: { rules } }) =>
      rule === 'KARP-503' && path === '' && Array.isArray(rules) && rules.length === 0,
  );
  return findings.flatMap((finding) => {
    if (!withoutRules.includes(finding)) return [finding];
    const alike = withoutRules.filter((other) => subjectKey(other) === subjectKey(finding));
    const [first] = [...alike].sort((left, right) => RANK[right.severity] - RANK[left.severity]);
    if (finding !== first) return [];
    if (alike.length === 1) return [finding];
    const detailTypes = alike.map(({ evidence }) => String(evidence.detailType));
    const message = `no EventBridge rule has this queue as its target: Karpenter receives no ${listText(detailTypes, 'or')}`;
    const remedy = `add a rule on the default event bus for each of these ${detailTypes.length} detail types, with this queue as its target`;
    return [{ ...first, message, remedy, evidence: { ...first.evidence, detailTypes } }];
  });
}

/**
 * Passes the first of equal findings: the pods of a leader and of its workers may come from one template, and pods of
 * several templates have the node selector of their workflow. Their messages differ in the number of pods. Two rules of
 * the API may refuse one field, and one value of a chart may be a request and a limit.
 */
function isFirst(): (finding: Finding) => boolean {
  const seen = new Set<string>();
  return ({ rule, subject, location, message, remedy, fix }) => {
    const { file, line, column, value } = location;
    const place = rule === REJECTED && value !== undefined ? { file, line, column, value } : location;
    const isOne = REFUSALS.includes(rule) || (rule === REJECTED && (value !== undefined || fix !== undefined));
    const key = JSON.stringify([rule, subject, place, isOne ? '' : message, remedy]);
    return seen.size < seen.add(key).size;
  };
}

/** Rules about AMIs, which the successor of an AWSNodeTemplate selects in another way. */
const OF_SUCCESSORS: readonly string[] = ['KARP-905', 'KARP-907'];

function isOfPredecessor({ rule, subject: { kind } }: Finding): boolean {
  return rule === 'KARP-101' && kind === 'AWSNodeTemplate';
}

/** The object of a file, whatever kind it is converted to. */
function placeKey({ subject: { name }, location: { file } }: Finding): string {
  return JSON.stringify([file, name]);
}

/** Several rules say with one remedy why the pods of a workload fit nowhere: the most likely mistake is named. */
function sameRemedies(findings: readonly Finding[]): Array<[effect: Finding, cause: Finding]> {
  const mistakes = findings
    .filter(({ rule, severity }) => severity === 'error' && MISTAKES.includes(rule))
    .sort((left, right) => MISTAKES.indexOf(left.rule) - MISTAKES.indexOf(right.rule));
  return mistakes.flatMap((effect, index): Array<[Finding, Finding]> => {
    const cause = mistakes.slice(0, index).find(({ rule, remedy }) => rule !== effect.rule && remedy === effect.remedy);
    return cause === undefined ? [] : [[effect, cause]];
  });
}

const MISSPELT = /^(\S*?)[^.\]\s]+: is no field .*$/s;
const MISSING = /^(\S+): must (?:be set\b.*|.*, got nothing)$/s;

/** Whether the field that is missing is the one that the misspelt field beside it means. */
function isMisspelt({ message, remedy }: Finding, missing: Finding): boolean {
  const [, around] = MISSPELT.exec(message) ?? [];
  const [, meant] = /^write (\w+)$/.exec(remedy) ?? [];
  return around !== undefined && meant !== undefined && MISSING.exec(missing.message)?.[1] === `${around}${meant}`;
}

function hasSamePath(cause: Finding, effect: Finding): boolean {
  return cause.location.path === effect.location.path && cause.location.line === effect.location.line;
}

/** Whether both miss one request of one container, and nothing else. */
function isOneRequest(autoscaled: Finding, missing: Finding): boolean {
  const { resource, containers } = autoscaled.evidence;
  const only = JSON.stringify([{ name: [containers].flat()[0], missing: [resource] }]);
  return hasSamePath(autoscaled, missing) && JSON.stringify(missing.evidence.containers) === only;
}

/** Whether the remedy of the cause spreads the pods over zones, and the effect only needs that. */
function isSpreadOverZones({ remedy }: Finding, effect: Finding): boolean {
  // Pods that are spread create their volumes in the zones of their nodes.
  const needed = effect.remedy.replace('create volumes in each zone and ', '');
  const isOfZones = needed === `spread the pods over ${Label.ZONE}` || needed.endsWith(', and with volumes in each');
  return remedy.includes(SPREAD_REMEDY) && isOfZones;
}

function isAsSevere(cause: Finding, effect: Finding): boolean {
  return effect.severity !== 'info' && RANK[cause.severity] >= RANK[effect.severity];
}

/** Whether the cause is a field of the effect's field. */
function isInside(cause: Finding, effect: Finding): boolean {
  const [inner, outer] = [cause.location.path, effect.location.path];
  return inner.startsWith(`${outer}.`) || inner.startsWith(`${outer}[`);
}

function isInsideOrSame(cause: Finding, effect: Finding): boolean {
  return isInside(cause, effect) || hasSamePath(cause, effect);
}

function subjectKey({ subject: { kind, namespace, name } }: Finding): string {
  return JSON.stringify([kind, namespace, name]);
}
