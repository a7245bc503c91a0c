import {
  ControllerFeature,
  controllerPolicies,
  FeatureGate,
  IamStatement,
  isGateEnabled,
  POLICY_CHANGES,
  asRecord,
} from '../../../contract';
import { countText, listText } from '../../../model';
import { Controller, releaseOf, chartValue } from '../../controller';
import { findUnresolved } from '../../manifest/find-unresolved';
import { covers, Condition, anyOf, Answer, readable, Role, Statement, sameText, isActionAllowed } from '../../template';
import { poolsOf } from '../common/pool';
import { defineRule, unknown, SubjectFinding } from '../define-rule';
import { RuleContext } from '../rule';
import { hasTagsOf, refusedResources } from './launch-permissions';
import { KarpenterPolicies, policiesOfKarpenter } from './policies-of-karpenter';
import { subjectsWith } from '../subjects';
import { parameterWithAccount, statementWithWrongTag } from './unusable-statements';

const PASS_ROLE = 'iam:PassRole';
const REMEDY_PASS_ROLE = `allow ${PASS_ROLE} on the ARN of the role of the nodes, with iam:PassedToService: ec2.amazonaws.com`;

/** @see https://karpenter.sh/docs/reference/cloudformation/ */
export const controllerPolicyMissingAction = defineRule({
  id: 'KARP-601',
  name: 'controller-policy-missing-action',
  readsTerraform: true,
  severity: 'error',
  summary:
    "Karpenter's role lacks permissions that its version needs for the features in use, so its calls to AWS fail.",
  subjects: subjectsWith<KarpenterPolicies>(({ role }) => role.resource.object, policiesOfKarpenter),
  judge({ controller, role, unattached = false }, context) {
    const version = releaseOf(controller, context.options);
    const place = placeOf(controller, context, role);
    const needed = neededStatements(context, controller, version, place);
    const permissions = needed.flatMap(({ Action, Resource }) =>
      Action.map((action) => {
        const usableRole = withUsableStatements(role, action, place);
        return { action, answers: Resource.map((resource) => isActionAllowed(usableRole, action, resource)) };
      }),
    );
    // A narrower policy may leave resources out on purpose, so one allowed resource is enough.
    const missing = actionNames(permissions.filter(({ answers }) => answers.every((answer) => answer === 'no')));
    const unusable = [statementWithWrongTag(role, context), parameterWithAccount(role)].flatMap((one) => one ?? []);
    if (unusable.length > 0) return unusable;
    const refused = refusedResources(
      role,
      needed.flatMap(({ Action, Resource }) =>
        Action.flatMap((action) =>
          missing.includes(action) ? [] : Resource.map((resource) => ({ action, resource })),
        ),
      ),
      (held, action, type) => withUsableStatements(held, action, place, type),
      poolsOf(context).some(({ launch }) => launch?.view.capacityTypes.includes('spot')),
    );
    if (refused !== undefined && missing.length === 0) return refused;
    // Another policy of the role may allow the rest, but PassRole belongs to the actions on instance profiles.
    if (unattached) return missing.includes(PASS_ROLE) ? withoutPassRole(role, version) : undefined;
    const isKnown = controller?.version !== undefined || context.options.karpenterVersion !== undefined;
    if (missing.length > 0) return [finding(role, missing, { version, isKnown }, place), ...(refused ? [refused] : [])];
    const undecided = actionNames(permissions.filter(({ answers }) => !answers.includes('yes')));
    return undecided.length > 0
      ? unknown(
          `whether it allows ${listText(undecided.slice(0, 3))} depends on values or policies that are known only at deployment`,
        )
      : undefined;
  },
});

function withoutPassRole({ name }: Role, version: string): SubjectFinding {
  return {
    path: [],
    message: `the policy launches instances for Karpenter, but neither it nor another policy of the templates allows ${PASS_ROLE}: EC2 refuses every launch`,
    remedy: REMEDY_PASS_ROLE,
    evidence: { missing: [PASS_ROLE], policy: name, version },
  };
}

function finding(
  role: Role,
  missing: readonly string[],
  { version, isKnown }: { readonly version: string; readonly isKnown: boolean },
  place: ControllerPlace,
): SubjectFinding {
  const others = otherPlaces(role, place);
  const isOther = (kind: string) => others.some((other) => other.startsWith(kind));
  const own = [
    ...(place.clusterName === undefined || !isOther('cluster') ? [] : [`cluster ${place.clusterName}`]),
    ...(place.region === undefined || !isOther('region') ? [] : [`region ${place.region}`]),
  ];
  const mismatch =
    others.length === 0
      ? ''
      : `; some of its statements are limited to ${listText(others)}, but Karpenter runs for ${listText(own)}`;
  return {
    path: [],
    message: `this controller role lacks ${countText(missing.length, 'permission')} that Karpenter ${version} needs${isKnown ? '' : ' (no version is in the input)'}: ${listText(missing)}${mismatch}`,
    remedy:
      others.length > 0
        ? `write ${listText(own)} in the conditions and resources of its policies`
        : missing.join() === PASS_ROLE
          ? REMEDY_PASS_ROLE
          : `allow ${missing.length === 1 ? 'it' : 'them'} as Karpenter's own policies for ${version} do; the upgrade guide lists what each release added`,
    evidence: { missing, version, lastChange: POLICY_CHANGES.at(-1)!.release },
  };
}

function actionNames(permissions: ReadonlyArray<{ readonly action: string }>): string[] {
  return [...new Set(permissions.map(({ action }) => action))].sort();
}

function placeOf({ values, helmRelease }: Controller, { model }: RuleContext, { resource }: Role): ControllerPlace {
  const clusterName = chartValue(values, 'settings', 'clusterName');
  // CDK tokens can be compared; the placeholders of other tools cannot.
  const isKnown =
    typeof clusterName === 'string' && clusterName !== '' && findUnresolved(readable(clusterName)) === undefined;
  const ofProvider =
    resource.tool === 'Terraform' && model.aws === model.writtenAws ? model.terraformRegion : undefined;
  return { ...(isKnown ? { clusterName } : {}), region: helmRelease?.resource.region ?? ofProvider };
}

/**
 * The statements that Karpenter needs, for any region and account: the rule checks only whether the actions are
 * allowed.
 */
function neededStatements(
  context: RuleContext,
  controller: Controller,
  karpenterVersion: string,
  { clusterName = '*' }: ControllerPlace,
): IamStatement[] {
  const subject = { partition: '*', region: '*', account: '*', clusterName, nodeRoles: ['*'], interruptionQueue: '*' };
  return controllerPolicies(subject, { karpenterVersion, features: usedFeatures(context, controller) }).flatMap(
    ({ statements }) => statements,
  );
}

function usedFeatures({ model, options }: RuleContext, { values }: Controller): Set<ControllerFeature> {
  const specs = model.nodeClasses.map(({ object }) => asRecord(object.raw.spec) ?? {});
  const setting = (name: string) => chartValue(values, 'settings', name);
  const isGateOn = (gate: FeatureGate) => isGateEnabled(options.featureGates, gate);
  const isIsolated = setting('isolatedVPC') === true || setting('isolatedVPC') === 'true';
  const used: Readonly<Record<ControllerFeature, boolean>> = {
    instanceProfiles: specs.some(({ role }) => role !== undefined),
    instanceProfileReads: !isIsolated,
    capacityReservations:
      isGateOn('ReservedCapacity') && specs.some(({ capacityReservationSelectorTerms: terms }) => terms !== undefined),
    placementGroups: specs.some(({ placementGroupSelector }) => placementGroupSelector !== undefined),
    // KARP-502 checks these permissions on the queue itself.
    interruptionQueue: false,
    zonalShift: setting('enableZonalShift') === true || setting('enableZonalShift') === 'true',
    instanceStatus: true,
    priceList: !isIsolated,
    nodeReboot: isGateOn('NodeRepair') && isGateOn('RebootForRepair'),
  };
  return new Set((Object.keys(used) as ControllerFeature[]).filter((feature) => used[feature]));
}

/** The cluster and region of a controller, as far as they are known. */
export interface ControllerPlace {
  readonly clusterName?: string;
  readonly region?: string;
}

/** The tag of Karpenter's resources whose key contains the cluster name; its value is always `owned`. */
const OWNED_KEY = /^aws:(?:resource|request)tag\/kubernetes\.io\/cluster\/(.+)$/i;
const OWNED = 'owned';
/** The tag whose value is the cluster name. */
const NAME_KEY = /^aws:(?:resource|request)tag\/eks:eks-cluster-name$/i;
const REGION_KEY = /^aws:requestedregion$/i;
/** The role without the Allow statements whose conditions this Karpenter cannot meet for the action. */
export function withUsableStatements(role: Role, action: string, place: ControllerPlace, type?: string): Role {
  const isUsable = (statement: Statement) =>
    !statement.allows ||
    (statement.conditions.every((condition) => mayBeMet(condition, action, place)) &&
      (type === undefined || hasTagsOf(statement, action, type)));
  const usable = (statements?: readonly Statement[]) => statements && { statements: statements.filter(isUsable) };
  return { ...role, policies: role.policies.map((policy) => ({ ...policy, ...usable(policy.statements) })) };
}

/** Other clusters and regions that statements of the role are limited to: `cluster staging`, `region us-east-1`. */
export function otherPlaces(role: Role, { clusterName, region }: ControllerPlace): string[] {
  const allowing = role.policies.flatMap(({ statements = [] }) => statements).filter(({ allows }) => allows);
  const conditions = allowing.flatMap((statement) => statement.conditions);
  const clusters = conditions.flatMap(
    ({ key, values }) => OWNED_KEY.exec(key)?.[1] ?? (NAME_KEY.test(key) ? values : []),
  );
  const regions = conditions.flatMap(({ key, values }) => (REGION_KEY.test(key) ? values : []));
  return [
    ...new Set([
      ...clusters
        .filter((name) => clusterName !== undefined && isSameCluster(name, clusterName) === 'no')
        .map((name) => `cluster ${name}`),
      ...regions
        .filter((name) => region !== undefined && covers(name, region) === 'no')
        .map((name) => `region ${name}`),
    ]),
  ].sort();
}

/**
 * False only if the condition certainly fails: its key is one that Karpenter's requests have, with a value that they do
 * not have.
 */
function mayBeMet(
  { operator, key, values }: Condition,
  action: string,
  { clusterName, region }: ControllerPlace,
): boolean {
  if (!/^string(equals|like)$/i.test(operator)) return true;
  const isPattern = /^stringlike$/i.test(operator);
  const hasValue = (text: string) =>
    anyOf(values.map((value) => (isPattern ? covers(value, text) : sameText(value, text)))) !== 'no';
  const owner = OWNED_KEY.exec(key)?.[1];
  if (owner !== undefined)
    return (clusterName === undefined || isSameCluster(owner, clusterName) !== 'no') && hasValue(OWNED);
  if (NAME_KEY.test(key)) return clusterName === undefined || hasValue(clusterName);
  return !REGION_KEY.test(key) || region === undefined || !action.startsWith('ec2:') || hasValue(region);
}

/** The name is part of a condition key, and IAM compares condition keys without case. */
function isSameCluster(left: string, right: string): Answer {
  return left.toLowerCase() === right.toLowerCase() ? 'yes' : sameText(left, right);
}
