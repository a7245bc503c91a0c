import { isForProduction, judge } from '../check/remedies/judged-findings';
import { CheckSession } from '../context/check-session';

/** What counts of the verdict of an input: findings and pods without a node. */
export interface Trial {
  readonly session: CheckSession;
  /** How many errors and warnings there are of each rule and object, with a name for people. */
  readonly findings: ReadonlyMap<string, { readonly text: string; readonly count: number }>;
  /** Pods that no node takes. */
  readonly pending: number;
}

/** Runs the scheduler and the rules, as `check` does. Remedies are not tried. */
export function trialOf(session: CheckSession): Trial {
  const { sources, model, ruleContext } = session;
  const isForDevelopment = sources.some((source) => source.isForDevelopment === true);
  const judged = judge({ ...ruleContext, isTrial: true }, isForProduction(session, isForDevelopment)).findings;
  const findings = new Map<string, { readonly text: string; readonly count: number }>();
  const add = (rule: string, kind: string, name: string, namespace = '') => {
    const key = JSON.stringify([rule, kind, namespace, name]);
    findings.set(key, { text: `${rule} about ${kind} ${name}`, count: (findings.get(key)?.count ?? 0) + 1 });
  };
  for (const { rule, severity, finding } of judged) {
    const { kind, name, namespace } = finding.object.madeBy ?? finding.object;
    if (severity !== 'info') add(rule.id, kind, name, namespace);
  }
  for (const { rule, severity, subject } of model.problems)
    if (severity !== 'info') add(rule, subject.kind, subject.name, subject.namespace);
  return { session, findings, pending: ruleContext.plan.unschedulable.length };
}

/** Why the second input is worse than the first, as a clause. Undefined if it is not. */
export function objectionTo(before: Trial, after: Trial): string | undefined {
  if (after.pending > before.pending) return 'a pod would lose its node';
  for (const [key, { text, count }] of after.findings)
    if (count > (before.findings.get(key)?.count ?? 0)) return `${text} would be new`;
  return undefined;
}
