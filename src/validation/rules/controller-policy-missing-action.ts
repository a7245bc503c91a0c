import {
  ControllerFeature, controllerPolicies, FeatureGate, IamStatement, isGateOpen, NEWEST_KARPENTER_VERSION, POLICY_CHANGES,
  asRecord,
} from '../../contract';
import { controllerRoles } from './private/karpenter-role';
import { fail, notEvaluated, pass } from './private/outcome';
import { mayDo } from './private/permissions';
import { count, joinNames } from './private/wording';
import { Outcome, Rule, RuleContext } from './rule';
import { Controller, valueAt } from '../controller';
import { Role } from '../template';

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
    const answers = neededStatements(context, controller, version).flatMap(({ Action, Resource }) =>
      Action.map((action) => ({ action, answer: Resource.map((resource) => mayDo(role, action, resource)) })));
    // Where a resource is known to be left out on purpose, as a narrower policy does, one that overlaps is enough.
    const missing = names(answers.filter(({ answer }) => answer.every((each) => each === 'no')));
    if (missing.length > 0) return this.finding(role, missing, version);
    const open = names(answers.filter(({ answer }) => !answer.includes('yes')));
    return open.length > 0 ? notEvaluated(object, `whether it allows ${joinNames(open.slice(0, 3))} is decided by policies that are not in the templates`) : pass(object);
  }

  private finding({ resource: { object } }: Role, missing: readonly string[], version: string): Outcome {
    return fail({
      object,
      path: [],
      message: `Karpenter ${version} needs ${count(missing.length, 'permission')} that this role, the controller's, does not have: ${joinNames(missing)}`,
      remedy: `allow ${missing.length === 1 ? 'it' : 'them'} as upstream's policies for ${version} do; what each release added is listed in its upgrade guide`,
      evidence: { missing, version, lastChange: POLICY_CHANGES.at(-1)!.release },
    });
  }
}

function names(answers: ReadonlyArray<{ readonly action: string }>): string[] {
  return [...new Set(answers.map(({ action }) => action))].sort();
}

/** For any region, account and cluster: what is looked for is whether the actions are allowed at all. */
function neededStatements(context: RuleContext, controller: Controller, karpenterVersion: string): IamStatement[] {
  const subject = { partition: '*', region: '*', account: '*', clusterName: '*', nodeRoles: ['*'], interruptionQueue: '*' };
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
