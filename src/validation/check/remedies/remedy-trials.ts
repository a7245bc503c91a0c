import { judge, isForProduction, JudgedFinding } from './judged-findings';
import { placesOf } from './pod-places';
import { countText, hourlyPriceText, memoizeByIdentity } from '../../../model';
import { CheckSession, readSession, RuleContext } from '../../context/check-session';
import { podGroupIndices } from '../../context/schedule-input';
import { SourceFile } from '../../manifest';
import { changedObjectKey, withChanges } from '../../manifest/edit/changed-source';
import { ObjectFix } from '../../manifest/edit/fix-of';
import { ManifestObject } from '../../manifest/object';
import { Rule } from '../../rules';
import { MORE_SPECIFIC_RULES } from '../../rules/common/unscheduled-pods';
import { PlanCost } from '../cost';

/** At most this many changes are tried for one input. */
const MAX_TRIALS = 100;
/** About how many microseconds a trial takes for each part of the input, and how many all trials together may take. */
export const WORK = { character: 0.4, workload: 450, pod: 15, total: 12_000_000 };
/** A price that rises by less than this share is the same price. */
const SAME_PRICE = 1.005;

/** Rules about pods without a node. A change may exchange one for another. */
const PENDING_RULES: ReadonlySet<string> = new Set([...MORE_SPECIFIC_RULES, 'KARP-213', 'KARP-318']);

/** What a change of the input does to the whole verdict. */
export interface TrialResult {
  /** Whether a finding is still there that the change was to remove. @default false */
  readonly isUseless?: boolean;
  /** What becomes worse, as a clause; undefined if nothing does. */
  readonly objection?: string;
  /** The new error or warning, if the objection is one. */
  readonly cause?: JudgedFinding;
  /** The changed objects that have findings which are new, or were to be removed. */
  readonly suspects?: ReadonlySet<string>;
  /** The price of the nodes afterwards, if they become dearer, as a clause. */
  readonly dearer?: string;
  /** Like `dearer`, if the nodes are for pods that had none. */
  readonly price?: string;
}

/** What counts of a verdict. */
interface Outcome {
  readonly findings: readonly JudgedFinding[];
  /** Rules that could not be evaluated for an object. */
  readonly unjudged: ReadonlySet<string>;
  /** Pods without a node by workload. */
  readonly pending: ReadonlyMap<string, number>;
  readonly notEvaluated: number;
  /** Workloads with pods that are not evaluated. */
  readonly unknown: ReadonlySet<string>;
  readonly scheduled: number;
  readonly perHour: number | null;
  readonly currency: string;
  /** NodePools that launch nodes. */
  readonly usedPools: ReadonlySet<string>;
  /** NodePools that no instance type meets. */
  readonly emptyPools: ReadonlySet<string>;
  /** The nodes of each workload and NodePool, with the pods on them; equal if the nodes are alike. */
  readonly places: ReadonlyMap<string, string>;
  /** Workloads with pods. */
  readonly workloads: ReadonlySet<string>;
}

/** The trials of a session, which its verdict and its explanations share. */
export const remedyTrialsOf = memoizeByIdentity((session: CheckSession) => new RemedyTrials(session));

/**
 * Checks the input again with changes, with the same options. The changed objects are read from the same files, so that
 * a change is tried whether or not its file can be edited.
 */
export class RemedyTrials {
  /** The context of the rules, in which changes with which pods fit are tried, too. */
  public readonly context: RuleContext;
  /** Numbers of unlike nodes. */
  private readonly nodes = new Map<string, number>();
  private readonly results = new Map<string, TrialResult | undefined>();
  private readonly isForDevelopment: boolean;
  private readonly isForProduction: boolean;
  private readonly affordable: number;
  private before?: Outcome;
  private trials = 0;

  public constructor(private readonly session: CheckSession) {
    this.isForDevelopment = session.sources.some(({ isForDevelopment }) => isForDevelopment === true);
    this.isForProduction = isForProduction(session, this.isForDevelopment);
    const { sources, input, model } = session;
    const work =
      WORK.character * sources.reduce((sum, { text }) => sum + text.length, 0) +
      WORK.workload * model.workloads.length +
      WORK.pod * input.pods.reduce((sum, { count }) => sum + count, 0);
    this.affordable = Math.min(MAX_TRIALS, Math.floor(WORK.total / work));
    this.context = { ...session.ruleContext, objectionTo: (changes) => this.resultOf(changes, [])?.objection };
  }

  /** How many changes are not tried, because that would take too long. */
  public get untried(): number {
    return [...this.results.values()].filter((result) => result === undefined).length;
  }

  /**
   * Undefined if more trials would take too long.
   *
   * @param solved findings that the changes remove
   */
  public resultOf(changes: readonly ObjectFix[], solved: readonly JudgedFinding[]): TrialResult | undefined {
    const key = JSON.stringify(changes.map(({ object, fix }) => [changedObjectKey(object), fix.edits]));
    if (!this.results.has(key)) this.results.set(key, this.isSpent ? undefined : this.tryChanges(changes, solved));
    return this.results.get(key);
  }

  /**
   * The findings of the input that are gone with the changes. Undefined if the trial would take too long, or if more
   * pods are without a node then.
   */
  public goneWith(changes: readonly ObjectFix[], findings: readonly JudgedFinding[]): JudgedFinding[] | undefined {
    if (changes.length === 0) return undefined;
    return this.goneWithFiles((file) => withChanges(file, changes), findings);
  }

  /** Like `goneWith`, if the input has other files. */
  public goneWithFiles(
    changed: (file: SourceFile) => SourceFile,
    findings: readonly JudgedFinding[],
  ): JudgedFinding[] | undefined {
    if (this.isSpent) return undefined;
    this.trials++;
    const before = (this.before ??= this.outcomeOf(this.session));
    const after = this.outcomeOf(this.sessionOf(changed));
    if (after.scheduled < before.scheduled) return undefined;
    const left = countsOf(after.findings);
    return findings.filter((finding) => !left.has(findingKey(finding)));
  }

  private sessionWith(changes: readonly ObjectFix[]): CheckSession {
    return this.sessionOf((file) => withChanges(file, changes));
  }

  private sessionOf(changed: (file: SourceFile) => SourceFile): CheckSession {
    const { session } = this;
    const sources = session.sources.map(changed);
    // A change may set a feature gate in Karpenter's settings.
    const options = { ...session.options, featureGates: session.givenGates };
    return readSession(sources, { ...options, onProgress: undefined, explain: false, settle: undefined });
  }

  /** Whether more trials would take too long. No clock decides, so that each run has the same result. */
  public get isSpent(): boolean {
    return this.trials >= this.affordable;
  }

  private tryChanges(changes: readonly ObjectFix[], solved: readonly JudgedFinding[]): TrialResult {
    const { session } = this;
    this.trials++;
    const changed = this.sessionWith(changes);
    const fixed = new Set(changes.map(({ object }) => changedObjectKey(object)));
    const before = (this.before ??= this.outcomeOf(session));
    const after = this.outcomeOf(changed);
    const left = remaining(before, after, solved);
    if (left.length > 0) return { isUseless: true, suspects: new Set(left) };
    const isOfPods = changes.every(
      ({ object }) => before.workloads.has(changedObjectKey(object)) || object.kind === 'PodDisruptionBudget',
    );
    return difference(before, after, fixed, isAdvice(solved), isOfPods);
  }

  /** Fleets are not settled: that would take longer, and random names would hide the effect of a change. */
  private outcomeOf(session: CheckSession): Outcome {
    const context: RuleContext = { ...session.passesContext, isTrial: true };
    const { plan, model } = context;
    const pending = new Map<string, number>();
    const workloadOf = new Map(
      model.workloads.flatMap((workload) =>
        podGroupIndices(workload).map((group) => [group, changedObjectKey(workload.object)] as const),
      ),
    );
    for (const { group } of plan.unschedulable) {
      const workload = workloadOf.get(group) ?? String(group);
      pending.set(workload, (pending.get(workload) ?? 0) + 1);
    }
    const { findings, notEvaluated: open } = judge(context, this.isForProduction);
    const nodes = [...plan.nodeClaims, ...plan.filledNodes];
    return {
      findings,
      unjudged: new Set(open.map(({ rule, outcome: { object } }) => ruleKey(rule, object))),
      pending,
      unknown: new Set(plan.notEvaluated.map(({ group }) => workloadOf.get(group) ?? '')),
      notEvaluated: plan.notEvaluated.reduce((sum, { pods, count = pods.length }) => sum + count, 0),
      scheduled: nodes.reduce((sum, { pods }) => sum + pods.length, 0),
      perHour: new PlanCost(context).usdPerHour(),
      currency: context.catalog.currency,
      usedPools: new Set(plan.nodeClaims.map(({ nodePool }) => nodePool)),
      places: placesOf(plan, workloadOf, this.nodes),
      workloads: new Set(workloadOf.values()),
      emptyPools: new Set(plan.pools.filter(({ instanceTypes }) => instanceTypes.length === 0).map(({ name }) => name)),
    };
  }
}

/** Preferences of pods that keep nodes: a NodePool without nodes keeps none. */
const KEPT_NODES = 'KARP-416';

/** Objects with a finding that is still there. Pods without a node may only have another reason then. */
function remaining({ findings }: Outcome, after: Outcome, solved: readonly JudgedFinding[]): string[] {
  const [counts, left, expected] = [findings, after.findings, solved].map(countsOf);
  return solved
    .filter((judged) => {
      const key = findingKey(judged);
      return (left.get(key) ?? 0) > Math.max(0, (counts.get(key) ?? 0) - expected.get(key)!);
    })
    .map(({ finding }) => changedObjectKey(finding.object));
}

/** Whether the findings are advice for workloads, which may move the pods of others. */
function isAdvice(solved: readonly JudgedFinding[]): boolean {
  return solved.length > 0 && solved.every(({ rule }) => rule.isWorkloadAdvice === true);
}

/**
 * @param movesPods whether advice for other workloads is no new problem: their pods are on other nodes by chance
 * @param isOfPods whether only workloads and their PodDisruptionBudgets change. Then any finding about pods on other
 * nodes than before, and about the NodePool of these nodes, is there by chance: another order of the pods has it, too.
 */
function difference(
  before: Outcome,
  after: Outcome,
  fixed: ReadonlySet<string>,
  movesPods: boolean,
  isOfPods: boolean,
): TrialResult {
  const isMore = ([workload, count]: readonly [string, number]) => count > (before.pending.get(workload) ?? 0);
  const morePending = [...after.pending].filter(isMore);
  if (morePending.length > 0) {
    const [[workload, count]] = morePending;
    const more = count - (before.pending.get(workload) ?? 0);
    const [kind, , name] = JSON.parse(workload.startsWith('[') ? workload : '["Pod","","of the cluster"]');
    return {
      objection: `${countText(more, `pod of ${kind} ${name} then fits`, `pods of ${kind} ${name} then fit`)} on no node`,
      suspects: new Set(morePending.map(([key]) => key).filter((key) => fixed.has(key))),
    };
  }
  if (after.notEvaluated > before.notEvaluated && after.scheduled < before.scheduled)
    return { objection: `${countText(after.notEvaluated - before.notEvaluated, 'pod')} can then not be evaluated` };
  const known = countsOf(before.findings);
  const causes = after.findings.filter((judged) => {
    const { rule, finding } = judged;
    const subject = changedObjectKey(finding.object);
    // An error that becomes a warning is no new problem.
    const keys = [judged.severity, 'error' as const].map((severity) => findingKey({ ...judged, severity }));
    const key = keys.find((candidate) => (known.get(candidate) ?? 0) > 0);
    if (key !== undefined) known.set(key, known.get(key)! - 1);
    return (
      key === undefined &&
      judged.severity !== 'info' &&
      !PENDING_RULES.has(rule.id) &&
      !(movesPods && rule.isWorkloadAdvice === true && !fixed.has(subject)) &&
      !(isOfPods && !fixed.has(subject) && after.places.get(subject) !== before.places.get(subject)) &&
      // It may have been there before, such as the zones of pods while others have no node.
      !before.unjudged.has(ruleKey(rule, finding.object)) &&
      !isRevealed(subject, judged, before, fixed)
    );
  });
  const [cause] = causes;
  if (cause !== undefined) {
    const { rule, finding } = cause;
    return {
      objection: `${rule.id} for ${nameOf(finding.object)}: ${firstClause(finding.message)}`,
      cause,
      suspects: new Set(
        causes.map(({ finding: { object } }) => changedObjectKey(object)).filter((key) => fixed.has(key)),
      ),
    };
  }
  return pricesOf(before, after);
}

function pricesOf(before: Outcome, after: Outcome): Pick<TrialResult, 'dearer' | 'price'> {
  const perHour = before.perHour ?? (before.scheduled === 0 ? 0 : null);
  if (perHour === null || after.perHour === null || after.perHour <= perHour * SAME_PRICE) return {};
  const then = `the nodes of the plan then cost ${hourlyPriceText(after.perHour, after.currency)}`;
  const text = perHour === 0 ? then : `${then} instead of ${hourlyPriceText(perHour, before.currency)}`;
  if (after.scheduled === before.scheduled) return { dearer: text };
  return after.scheduled > before.scheduled ? { price: text } : {};
}

/** A pod without a node, or a NodePool without nodes, has findings as soon as it has some: they were there before. */
function isRevealed(
  subject: string,
  {
    rule,
    severity,
    finding: {
      object: { kind, name },
    },
  }: JudgedFinding,
  { pending, unknown, usedPools, emptyPools }: Outcome,
  fixed: ReadonlySet<string>,
): boolean {
  if (pending.has(subject) || unknown.has(subject)) return true;
  if (kind !== 'NodePool' || usedPools.has(name)) return false;
  // Warnings about the instance types of a NodePool need some.
  return !fixed.has(subject) || rule.id === KEPT_NODES || (severity === 'warning' && emptyPools.has(name));
}

function countsOf(findings: readonly JudgedFinding[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const finding of findings) counts.set(findingKey(finding), (counts.get(findingKey(finding)) ?? 0) + 1);
  return counts;
}

function ruleKey({ id }: Rule, object: ManifestObject): string {
  return JSON.stringify([id, changedObjectKey(object)]);
}

function findingKey({ rule, severity, finding }: JudgedFinding): string {
  return JSON.stringify([rule.id, severity, changedObjectKey(finding.object)]);
}

function nameOf({ kind, namespace, name }: ManifestObject): string {
  return namespace === undefined ? `${kind} ${name}` : `${kind} ${namespace}/${name}`;
}

/** The start of a message, up to the reason. */
function firstClause(message: string): string {
  // A text in quotes is a whole.
  return /^(?:"[^"]*"|[:;](?! )|[^:;])*/.exec(message)![0];
}
