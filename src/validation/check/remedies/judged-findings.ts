import { podGroupIndices } from '../../context/schedule-input';
import { ManifestObject } from '../../manifest/model';
import { hasPlaceholder, isNameToFillIn } from '../../manifest/placeholders/placeholder';
import { Outcome, Rule, RuleContext, RuleFinding, RULES, Severity } from '../../rules';
import { isDemonstration, isOfTests } from '../../rules/common/brief-pods';
import { groupsForOtherNodes, isRefusedByConstraints } from '../../rules/common/other-nodes';

/** A finding of a rule, with the severity that it has in this input. */
export interface JudgedFinding {
  readonly rule: Rule;
  readonly severity: Severity;
  readonly finding: RuleFinding;
}

/** What the rules say, in the order of the rules. */
export interface Judgements {
  readonly findings: readonly JudgedFinding[];
  readonly notEvaluated: ReadonlyArray<{
    readonly rule: Rule;
    readonly outcome: Outcome & { readonly state: 'not-evaluated' };
  }>;
  /** Rules that threw. */
  readonly failed: ReadonlyArray<{ readonly rule: Rule; readonly error: unknown }>;
}

interface JudgeOptions {
  readonly onRule?: (done: number) => void;
  /** The paths of samples and of files of vendors. */
  readonly others?: ReadonlySet<string>;
  /** @default - all */
  readonly rules?: readonly Rule[];
}

/**
 * The outcomes of all rules. Advice to a workload is a warning only if Karpenter may run its pods, and not in a cluster
 * for development.
 *
 * @param isProduction whether the input is a cluster of Karpenter's that is not for development
 */
export function judge(
  context: RuleContext,
  isProduction: boolean,
  { onRule, others = new Set(), rules = RULES }: JudgeOptions = {},
): Judgements {
  const findings: JudgedFinding[] = [];
  const unadvised = objectsWithoutAdvice(context);
  const notEvaluated: Array<Judgements['notEvaluated'][number]> = [];
  const failed: Array<Judgements['failed'][number]> = [];
  for (const [done, rule] of rules.entries()) {
    onRule?.(done);
    for (const outcome of outcomesOf(rule, context, failed)) {
      if (outcome.state === 'not-evaluated') notEvaluated.push({ rule, outcome });
      if (outcome.state !== 'fail') continue;
      const { finding } = outcome;
      findings.push({
        rule,
        finding,
        severity: severityOf(rule, finding, isProduction && !unadvised.has(finding.object), others),
      });
    }
  }
  return { findings, notEvaluated, failed };
}

/** The outcomes of a rule. One that throws because of an odd value does not hide what the others find. */
function outcomesOf(rule: Rule, context: RuleContext, failed: Array<Judgements['failed'][number]>): readonly Outcome[] {
  try {
    return rule.check(context);
  } catch (error) {
    failed.push({ rule, error });
    return [];
  }
}

/**
 * The workloads that need no advice for production: Karpenter launches no nodes for their pods, so that it does not
 * evict them either; they are demonstrations; or a script makes several from one template with a placeholder as name.
 */
function objectsWithoutAdvice(context: RuleContext): ReadonlySet<ManifestObject> {
  const refused = context.plan.unschedulable.filter(({ reasons }) => isRefusedByConstraints(reasons));
  const groups = new Set([...groupsForOtherNodes(context), ...refused.map(({ group }) => group)]);
  return new Set(
    context.model.workloads
      .filter(
        (workload) =>
          podGroupIndices(workload).some((group) => groups.has(group)) ||
          isDemonstration(workload) ||
          hasPlaceholder(workload.name) ||
          isNameToFillIn(workload.name),
      )
      .map(({ object }) => object),
  );
}

function severityOf(
  rule: Rule,
  { object, path, severity }: RuleFinding,
  isProduction: boolean,
  others: ReadonlySet<string>,
): Severity {
  const isLowered = rule.isVendorsChoice || (rule.isWorkloadAdvice && (severity ?? rule.severity) === 'warning');
  if (isLowered && others.has(object.locate([]).file)) return 'info';
  if (severity !== undefined) return severity;
  const isAdvice = (rule.isWorkloadAdvice === true || rule.isProductionAdvice === true) && rule.severity === 'warning';
  return isAdvice && (!isProduction || isOfTests(object.file ?? object.locate(path).file)) ? 'info' : rule.severity;
}

/** Whether a cluster of Karpenter's is checked that is not for development. */
export function isForProduction({ model }: Pick<RuleContext, 'model'>, isForDevelopment: boolean): boolean {
  return !isForDevelopment && (model.nodePools.length > 0 || (model.cluster?.nodePools.length ?? 0) > 0);
}
