import { isForProduction, judge } from '../check/remedies/judged-findings';
import { CheckSession } from '../context/check-session';
import { ObjectFix } from '../manifest/edit/fix-of';
import { Rule } from '../rules';

/** The errors and warnings of one rule about one object. */
export interface FindingsOfObject {
  /** For people. */
  readonly text: string;
  readonly count: number;
  /** @default - the file cannot be read */
  readonly rule?: Rule;
  /** The changes of the last remedy. Empty if the remedy leaves a choice. */
  readonly remedy: readonly ObjectFix[];
}

/** What counts of the verdict of an input: findings and pods without a node. */
export interface Trial {
  readonly session: CheckSession;
  /** By rule and object. */
  readonly findings: ReadonlyMap<string, FindingsOfObject>;
  /** Pods that no node takes. */
  readonly pending: number;
}

/** Runs the scheduler and the rules, as `check` does. Remedies are not tried. */
export function trialOf(session: CheckSession): Trial {
  const { model, ruleContext } = session;
  const findings = new Map(findingsOf(session));
  const unreadable = model.problems.filter(({ severity }) => severity !== 'info');
  for (const { rule, subject } of unreadable)
    addFinding(findings, keyOf(rule, subject), { text: textOf(rule, subject), remedy: [] });
  return { session, findings, pending: ruleContext.plan.unschedulable.length };
}

/**
 * The errors and warnings by rule and object.
 *
 * @param context @default - that of the session
 * @param rules @default - all
 */
export function findingsOf(
  session: CheckSession,
  context = session.ruleContext,
  rules?: readonly Rule[],
): ReadonlyMap<string, FindingsOfObject> {
  const isForDevelopment = session.sources.some((source) => source.isForDevelopment === true);
  const trial = context.isTrial === true ? context : { ...context, isTrial: true };
  const judged = judge(trial, isForProduction(session, isForDevelopment), { rules }).findings;
  const findings = new Map<string, FindingsOfObject>();
  for (const { rule, severity, finding } of judged) {
    if (severity === 'info') continue;
    const { fix, also = [] } = finding;
    const subject = finding.object.madeBy ?? finding.object;
    addFinding(findings, keyOf(rule.id, subject), {
      text: textOf(rule.id, subject),
      rule,
      remedy: fix === undefined ? [] : [{ object: finding.object, fix }, ...also],
    });
  }
  return findings;
}

/** The errors and warnings that the second input has and the first one has not, by rule and object. */
export function newFindings(before: Trial, after: Trial): Array<readonly [key: string, findings: FindingsOfObject]> {
  return [...after.findings].filter(([key, { count }]) => count > (before.findings.get(key)?.count ?? 0));
}

interface Subject {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}

function keyOf(rule: string, { kind, name, namespace = '' }: Subject): string {
  return JSON.stringify([rule, kind, namespace, name]);
}

function textOf(rule: string, { kind, name }: Subject): string {
  return `${rule} about ${kind} ${name}`;
}

function addFinding(
  findings: Map<string, FindingsOfObject>,
  key: string,
  finding: Omit<FindingsOfObject, 'count'>,
): void {
  findings.set(key, { ...finding, count: (findings.get(key)?.count ?? 0) + 1 });
}
