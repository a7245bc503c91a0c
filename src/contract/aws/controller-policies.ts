import { compareKarpenterVersions } from '../karpenter-version';
import {
  ALL_CONTROLLER_FEATURES,
  ConditionalPart,
  CONTROLLER_STATEMENTS,
  ControllerFeature,
  ControllerPolicyName,
  StatementTemplate,
} from './controller-statements';
import { IamCondition, IamStatement } from './iam-statement';

/** Values for the placeholders of the policies. Any of them may be a CDK token. */
export interface PolicyTarget {
  readonly partition: string;
  readonly region: string;
  readonly account: string;
  readonly clusterName: string;
  /** ARNs of the node roles that Karpenter may pass to instances. */
  readonly nodeRoles: readonly string[];
  /** ARN of the interruption queue. Without it, the policies have no statement about a queue. */
  readonly interruptionQueue?: string;
}

/** The release and the features that the policies are for. */
export interface PolicyScope {
  readonly karpenterVersion: string;
  /** @default - all features, as in upstream's published policies */
  readonly features?: ReadonlySet<ControllerFeature>;
}

/** One IAM policy of the controller. */
export interface ControllerPolicy {
  readonly name: ControllerPolicyName;
  readonly statements: readonly IamStatement[];
}

/**
 * Upstream's policies of a release, without the parts for unused features. Policies without a statement are left out.
 */
export function controllerPolicies(target: PolicyTarget, scope: PolicyScope): ControllerPolicy[] {
  const features = scope.features ?? ALL_CONTROLLER_FEATURES;
  const isIncluded = ({ since, feature }: Pick<ConditionalPart, 'since' | 'feature'>) =>
    (since === undefined || compareKarpenterVersions(scope.karpenterVersion, since) >= 0) &&
    (feature === undefined || features.has(feature));
  const chosen = CONTROLLER_STATEMENTS.filter(
    (template) => isIncluded(template) && (template.feature !== 'interruptionQueue' || target.interruptionQueue),
  );
  const names = [...new Set(chosen.map(({ policy }) => policy))];
  return names.map((name) => ({
    name,
    statements: chosen
      .filter(({ policy }) => policy === name)
      .map((template) => toStatement(template, target, isIncluded)),
  }));
}

function toStatement(
  template: StatementTemplate,
  target: PolicyTarget,
  isIncluded: (part: ConditionalPart) => boolean,
): IamStatement {
  const chosen = (parts: StatementTemplate['actions']) =>
    parts
      .map((part) => (typeof part === 'string' ? { value: part } : part))
      .filter(isIncluded)
      .map(({ value }) => value);
  return {
    Sid: template.sid,
    Effect: 'Allow',
    Action: chosen(template.actions),
    Resource: chosen(template.resources).flatMap((resource) =>
      resource === '${NodeRoles}' ? target.nodeRoles : [fill(resource, target)],
    ),
    ...(template.condition && { Condition: fillCondition(template.condition, target) }),
  };
}

function fillCondition(condition: IamCondition, target: PolicyTarget): IamCondition {
  return Object.fromEntries(
    Object.entries(condition).map(([operator, keys]) => [
      operator,
      Object.fromEntries(
        Object.entries(keys).map(([key, value]) => [
          fill(key, target),
          typeof value === 'string' ? fill(value, target) : value.map((item) => fill(item, target)),
        ]),
      ),
    ]),
  );
}

function fill(text: string, target: PolicyTarget): string {
  const values: Readonly<Record<string, string | undefined>> = {
    Partition: target.partition,
    Region: target.region,
    Account: target.account,
    ClusterName: target.clusterName,
    InterruptionQueue: target.interruptionQueue,
  };
  return text.replace(/\$\{(\w+)\}/g, (placeholder, name: string) => values[name] ?? placeholder);
}

/** A change of upstream's published policies in a release. */
export interface PolicyChange {
  readonly release: string;
  readonly change: string;
  /** File and commit in github.com/aws/karpenter-provider-aws. */
  readonly source: string;
}

const DOC = (release: string, commit: string): string =>
  `website/content/en/v${release}/reference/cloudformation.md@${commit}`;
const TEMPLATE = 'getting-started/getting-started-with-karpenter/cloudformation.yaml';

/**
 * Oldest first. The statements of 1.15 are upstream's page at that commit. Its template is not available, so
 * test/contract/aws/controller-calls.test.ts compares the actions with the calls in the Go code of 1.15.1. Releases
 * that are not listed have the policies of the previous release.
 *
 * @see https://karpenter.sh/docs/reference/cloudformation/
 */
export const POLICY_CHANGES: readonly PolicyChange[] = [
  { release: '1.0.0', change: 'one policy of 16 statements', source: `website/content/en/v1.0/${TEMPLATE}@5288f72` },
  {
    release: '1.3.0',
    change: 'reads capacity reservations and launches into them',
    source: `${DOC('1.6', '4485993')}, pkg/aws/sdk.go@v1.3.3`,
  },
  {
    release: '1.4.0',
    change: 'nodes pull images with AmazonEC2ContainerRegistryPullOnly',
    source: 'pull request 7963',
  },
  {
    release: '1.7.0',
    change: 'lists instance profiles, since `role` of an EC2NodeClass may change',
    source: `${DOC('1.8', '0ecff49')}, pull request 8249`,
  },
  { release: '1.9.0', change: 'the one policy is split into several', source: 'pull request 8690' },
  { release: '1.11.0', change: 'reads placement groups and launches into them', source: DOC('1.11', '37d04b4') },
  {
    release: '1.12.0',
    change: 'reads the status checks of instances and zonal shifts of the cluster',
    source: DOC('1.12', '10b53ca'),
  },
  {
    release: '1.15.0',
    change: 'reboots instances in order to repair them',
    source: `${DOC('1.15', 'd77d1a3')}, pkg/providers/instance/instance.go@v1.15.1`,
  },
];
