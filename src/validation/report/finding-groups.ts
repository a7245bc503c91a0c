import { Finding, Verdict } from '../vocabulary/verdict';

/** Groups findings of one rule that differ only in their object and place, in the order of their first ones. */
export function groupByMessage(findings: readonly Finding[]): Finding[][] {
  return groupBy(findings, ({ rule, severity, subject, message, remedy }) =>
    JSON.stringify([rule, severity, subject.kind, message, remedy]),
  );
}

/** The findings of each rule, most findings first. Findings on the most expensive workload come first in a group. */
export function groupByRule(findings: readonly Finding[], workloads: Verdict['workloads']): Finding[][] {
  const weights = weightsOf(workloads);
  const weightOf = ({ subject }: Finding) => weights.get(keyOf(subject)) ?? NO_WEIGHT;
  return groupBy(findings, ({ rule }) => rule)
    .map((group) => [...group].sort((left, right) => byWeight(weightOf(left), weightOf(right))))
    .sort((left, right) => right.length - left.length);
}

interface Weight {
  readonly costPerHour: number;
  readonly pods: number;
}
const NO_WEIGHT: Weight = { costPerHour: 0, pods: 0 };

function weightsOf(workloads: Verdict['workloads']): ReadonlyMap<string, Weight> {
  return new Map(
    workloads.map((workload) => [keyOf(workload), { costPerHour: workload.costPerHour ?? 0, pods: workload.pods }]),
  );
}

function keyOf({
  kind,
  namespace,
  name,
}: {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}): string {
  return JSON.stringify([kind, namespace, name]);
}

function byWeight(left: Weight, right: Weight): number {
  return right.costPerHour - left.costPerHour || right.pods - left.pods;
}

function groupBy(findings: readonly Finding[], key: (finding: Finding) => string): Finding[][] {
  const groups = new Map<string, Finding[]>();
  for (const finding of findings) {
    const group = groups.get(key(finding));
    if (group) group.push(finding);
    else groups.set(key(finding), [finding]);
  }
  return [...groups.values()];
}
