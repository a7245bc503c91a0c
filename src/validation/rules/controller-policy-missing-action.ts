import {
  ControllerFeature, controllerPolicies, FeatureGate, IamStatement, isGateOpen, NEWEST_KARPENTER_VERSION, POLICY_CHANGES,
  asRecord,
} from '../../contract';
import { allowedTo, ControllerPlace, otherPlaces } from './private/cluster-conditions';
import { controllerRoles } from './private/karpenter-role';
import { fail, notEvaluated, pass } from './private/outcome';
import { mayDo } from './private/permissions';
import { findUnresolved } from './private/unresolved';
import { count, joinNames } from './private/wording';
import { Outcome, Rule, RuleContext } from './rule';
import { Controller, valueAt } from '../controller';
import { readable, Role } from '../template';

/** @see https://karpenter.sh/docs/reference/cloudformation/ */
export class ControllerPolicyMissingAction implements Rule {
  public readonly id = 'KARP-601';
  public readonly name = 'controller-policy-missing-action';
  public readonly severity = 'error';
  public readonly summary = 'The role of Karpenter lacks permissions that its version needs for what the setup uses: what it does with them fails.';

  public check(context: RuleContext): Outcome[] {
    return controllerRoles(context).map(({ controller, role }) => this.checkRole(context, controller, role));
  }

  private checkRole(context: RuleContext, controller: Controller, role: Role): Outcome {
    const { object } = role.resource;
    const version = controller.version ?? context.options.karpenterVersion ?? NEWEST_KARPENTER_VERSION;
    const place = placeOf(controller);
    const answers = neededStatements(context, controller, version, place).flatMap(({ Action, Resource }) => Action.map((action) => {
      const able = allowedTo(role, action, place);
      return { action, answer: Resource.map((resource) => mayDo(able, action, resource)) };
    }));
    // Where a resource is known to be left out on purpose, as a narrower policy does, one that overlaps is enough.
    const missing = names(answers.filter(({ answer }) => answer.every((each) => each === 'no')));
    if (missing.length > 0) return this.finding(role, missing, version, place);
    const open = names(answers.filter(({ answer }) => !answer.includes('yes')));
    return open.length > 0 ? notEvaluated(object, `whether it allows ${joinNames(open.slice(0, 3))} is decided by policies that are not in the templates`) : pass(object);
  }

  private finding(role: Role, missing: readonly string[], version: string, place: ControllerPlace): Outcome {
    const { object } = role.resource;
    const others = otherPlaces(role, place);
    const own = [...place.clusterName === undefined ? [] : [`cluster ${place.clusterName}`], ...place.region === undefined ? [] : [`region ${place.region}`]];
    const aside = others.length === 0 ? '' : `; some of its statements are about ${joinNames(others)}, and Karpenter is told of ${joinNames(own)}`;
    return fail({
      object,
      path: [],
      message: `Karpenter ${version} needs ${count(missing.length, 'permission')} that this role, the controller's, does not have: ${joinNames(missing)}${aside}`,
      remedy: others.length > 0 ? `write ${joinNames(own)} in the conditions and resources of its policies` : `allow ${missing.length === 1 ? 'it' : 'them'} as upstream's policies for ${version} do; what each release added is listed in its upgrade guide`,
      evidence: { missing, version, lastChange: POLICY_CHANGES.at(-1)!.release },
    });
  }
}

function names(answers: ReadonlyArray<{ readonly action: string }>): string[] {
  return [...new Set(answers.map(({ action }) => action))].sort();
}

function placeOf({ values, release }: Controller): ControllerPlace {
  const clusterName = valueAt(values, 'settings', 'clusterName');
  // A token can be compared, which a placeholder of somebody else's cannot.
  const isKnown = typeof clusterName === 'string' && clusterName !== '' && findUnresolved(readable(clusterName)) === undefined;
  return { ...isKnown ? { clusterName } : {}, region: release?.resource.region };
}

/** For any region and account: what is looked for is whether the actions are allowed at all. */
function neededStatements(context: RuleContext, controller: Controller, karpenterVersion: string, { clusterName = '*' }: ControllerPlace): IamStatement[] {
  const subject = { partition: '*', region: '*', account: '*', clusterName, nodeRoles: ['*'], interruptionQueue: '*' };
  return controllerPolicies(subject, { karpenterVersion, features: usedFeatures(context, controller) }).flatMap(({ statements }) => statements);
}

function usedFeatures({ model, options }: RuleContext, { values }: Controller): Set<ControllerFeature> {
  const specs = model.nodeClasses.map(({ object }) => asRecord(object.raw.spec) ?? {});
  const setting = (name: string) => valueAt(values, 'settings', name);
  const isOpen = (gate: FeatureGate) => isGateOpen(options.featureGates, gate);
  const isIsolated = setting('isolatedVPC') === true || setting('isolatedVPC') === 'true';
  const used: Readonly<Record<ControllerFeature, boolean>> = {
    instanceProfiles: specs.some(({ role }) => role !== undefined),
    instanceProfileReads: !isIsolated,
    capacityReservations: isOpen('ReservedCapacity') && specs.some(({ capacityReservationSelectorTerms: terms }) => terms !== undefined),
    placementGroups: specs.some(({ placementGroupSelector }) => placementGroupSelector !== undefined),
    // Rule 502 looks at it, on the very queue.
    interruptionQueue: false,
    zonalShift: setting('enableZonalShift') === true || setting('enableZonalShift') === 'true',
    instanceStatus: true,
    priceList: !isIsolated,
    nodeReboot: isOpen('NodeRepair') && isOpen('RebootForRepair'),
  };
  return new Set((Object.keys(used) as ControllerFeature[]).filter((feature) => used[feature]));
}
