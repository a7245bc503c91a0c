import { compareKarpenterVersions } from '../karpenter-version';
import { ALL_CONTROLLER_FEATURES, ControllerFeature } from './controller-feature';
import { ConditionalPart, CONTROLLER_STATEMENTS, ControllerPolicyName, StatementTemplate } from './controller-statements';
import { IamCondition, IamStatement } from './iam-statement';

/** What the policies are written for. Any text may be a token of the CDK. */
export interface PolicySubject {
  readonly partition: string;
  readonly region: string;
  readonly account: string;
  readonly clusterName: string;
  /** ARNs of the roles that nodes may have. */
  readonly nodeRoles: readonly string[];
  /** ARN of the queue; with none, nothing is said of a queue. */
  readonly interruptionQueue?: string;
}

/** Which release, and what of it. */
export interface PolicyScope {
  readonly karpenterVersion: string;
  /** Default: everything that upstream's published policies allow. */
  readonly features?: ReadonlySet<ControllerFeature>;
}

/** One of the policies of the controller. */
export interface ControllerPolicy {
  readonly name: ControllerPolicyName;
  readonly statements: readonly IamStatement[];
}

/**
 * Upstream's policies of a release, without the parts that are for features not in use; policies without a statement
 * are left out.
 */
export function controllerPolicies(subject: PolicySubject, scope: PolicyScope): ControllerPolicy[] {
  const features = scope.features ?? ALL_CONTROLLER_FEATURES;
  const isIn = ({ since, feature }: Pick<ConditionalPart, 'since' | 'feature'>) =>
    (since === undefined || compareKarpenterVersions(scope.karpenterVersion, since) >= 0) && (feature === undefined || features.has(feature));
  const chosen = CONTROLLER_STATEMENTS.filter((template) => isIn(template) && (template.feature !== 'interruptionQueue' || subject.interruptionQueue));
  const names = [...new Set(chosen.map(({ policy }) => policy))];
  return names.map((name) => ({
    name,
    statements: chosen.filter(({ policy }) => policy === name).map((template) => toStatement(template, subject, isIn)),
  }));
}

function toStatement(template: StatementTemplate, subject: PolicySubject, isIn: (part: ConditionalPart) => boolean): IamStatement {
  const chosen = (parts: StatementTemplate['actions']) =>
    parts.map((part) => typeof part === 'string' ? { value: part } : part).filter(isIn).map(({ value }) => value);
  return {
    Sid: template.sid,
    Effect: 'Allow',
    Action: chosen(template.actions),
    Resource: chosen(template.resources).flatMap((resource) => resource === '${NodeRoles}' ? subject.nodeRoles : [fill(resource, subject)]),
    ...template.condition && { Condition: fillCondition(template.condition, subject) },
  };
}

function fillCondition(condition: IamCondition, subject: PolicySubject): IamCondition {
  return Object.fromEntries(Object.entries(condition).map(([operator, keys]) => [
    operator,
    Object.fromEntries(Object.entries(keys).map(([key, value]) => [
      fill(key, subject),
      typeof value === 'string' ? fill(value, subject) : value.map((each) => fill(each, subject)),
    ])),
  ]));
}

function fill(text: string, subject: PolicySubject): string {
  const values: Readonly<Record<string, string | undefined>> = {
    Partition: subject.partition,
    Region: subject.region,
    Account: subject.account,
    ClusterName: subject.clusterName,
    InterruptionQueue: subject.interruptionQueue,
  };
  return text.replace(/\$\{(\w+)\}/g, (placeholder, name: string) => values[name] ?? placeholder);
}
