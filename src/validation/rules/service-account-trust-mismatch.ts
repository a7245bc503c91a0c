import { Controller, valueAt } from '../controller';
import { isOnFargate } from './private/fargate';
import { fail, notEvaluated, pass } from './private/outcome';
import { ControllerIdentity, identityOf, serviceAccountObject } from './private/service-account';
import { joinNames } from './private/wording';
import { Outcome, Rule, RuleContext } from './rule';
import { anyOf, AwsModel, covers, Role, sameText, Statement } from '../template';

const POD_IDENTITY = 'Service:pods.eks.amazonaws.com';
const AUDIENCE = 'sts.amazonaws.com';

/** @see https://docs.aws.amazon.com/eks/latest/userguide/service-accounts.html */
export class ServiceAccountTrustMismatch implements Rule {
  public readonly id = 'KARP-606';
  public readonly name = 'service-account-trust-mismatch';
  public readonly severity = 'error';
  public readonly summary = 'The service account that Karpenter runs as cannot take the role that is meant for it, by name, namespace or trust.';

  public check(context: RuleContext): Outcome[] {
    return context.controllers.filter(({ release }) => release !== undefined).flatMap((controller) => {
      const identity = identityOf(context, controller);
      if (!identity) return [notEvaluated(controller.object, 'its values are known only at deployment')];
      return [...this.checkTwice(context, controller, identity), this.checkRole(context, controller, identity)];
    });
  }

  /** Helm refuses to take over what it has not made. */
  private checkTwice({ model }: RuleContext, controller: Controller, { namespace, serviceAccount }: ControllerIdentity): Outcome[] {
    if (valueAt(controller.values, 'serviceAccount', 'create') === false || !serviceAccountObject(model.objects, namespace, serviceAccount)) return [];
    return [this.finding(controller, `makes service account ${namespace}/${serviceAccount}, which the input makes as well: Helm refuses to install the chart`,
      'write serviceAccount.create: false, or leave the other one out', {})];
  }

  private checkRole(context: RuleContext, controller: Controller, identity: ControllerIdentity): Outcome {
    const { model: { aws } } = context;
    const who = `${identity.namespace}/${identity.serviceAccount}`;
    const { association, annotatedRole, role } = identity;
    if (association && isOnFargate(aws, controller) === 'yes') {
      return this.finding(controller, `runs on Fargate, where EKS Pod Identity does not work: service account ${who} never gets its role`,
        'give it the role by IRSA (annotation eks.amazonaws.com/role-arn), or run it on a node group', {});
    }
    if (!association && annotatedRole === undefined) return this.withoutRole(aws, controller, who);
    if (!role) return notEvaluated(controller.object, `the role of service account ${who} is not in the templates`);
    if (!role.trust) return notEvaluated(controller.object, `whom role ${role.resource.object.name} trusts is known only at deployment`);
    const flaw = association ? podIdentityFlaw(role.trust) : irsaFlaw(role.trust, `system:serviceaccount:${identity.namespace}:${identity.serviceAccount}`);
    if (flaw === undefined) return pass(controller.object);
    return this.finding(controller, `runs as service account ${who}, which cannot take role ${role.resource.object.name}: ${flaw.problem}`, flaw.remedy, { role: role.name });
  }

  private withoutRole(aws: AwsModel, controller: Controller, who: string): Outcome {
    const near = aws.podIdentityAssociations.filter(({ role }) => isControllers(aws.roles.find(({ arn }) => arn === role)));
    const open = near.some(({ namespace, serviceAccount }) => sameText(`${namespace}/${serviceAccount}`, who) === 'unknown');
    if (near.length === 0 || open) return notEvaluated(controller.object, `how service account ${who} comes by its role is not in the templates`);
    const names = near.map(({ namespace, serviceAccount }) => `${namespace}/${serviceAccount}`);
    return this.finding(controller, `runs as service account ${who}, and the role is associated with ${joinNames(names)}: Karpenter has no permissions`,
      `associate the role with ${who}`, { serviceAccount: who, associated: names });
  }

  private finding({ object, pathOf }: Controller, message: string, remedy: string, evidence: Readonly<Record<string, unknown>>): Outcome {
    return fail({ object, path: pathOf('serviceAccount'), message, remedy, evidence });
  }
}

interface Flaw { readonly problem: string; readonly remedy: string }

/** A role that launches instances is meant for Karpenter. */
function isControllers(role: Role | undefined): boolean {
  const statements = role?.policies.flatMap((policy) => policy.statements ?? []) ?? [];
  return statements.some(({ allows, actions }) => allows && actions.some((action) => covers(action, 'ec2:createfleet') === 'yes'));
}

function podIdentityFlaw(trust: readonly Statement[]): Flaw | undefined {
  const allowed = trust.filter(({ allows, principals }) => allows && principals.includes(POD_IDENTITY)).flatMap(({ actions }) => actions);
  const missing = ['sts:AssumeRole', 'sts:TagSession'].filter((action) => anyOf(allowed.map((pattern) => covers(pattern, action.toLowerCase()))) === 'no');
  if (missing.length === 0) return undefined;
  const actions = joinNames(missing);
  return { problem: `its trust lacks ${actions} for pods.eks.amazonaws.com`, remedy: `allow ${actions} to pods.eks.amazonaws.com in its trust` };
}

/** The issuer's address is before each key, and known only at deployment. */
function irsaFlaw(trust: readonly Statement[], subject: string): Flaw | undefined {
  const web = trust.filter(({ allows, actions }) => allows && actions.some((action) => covers(action, 'sts:assumerolewithwebidentity') === 'yes'));
  if (web.length === 0) return { problem: 'it trusts no service account', remedy: `trust the cluster's OIDC provider for ${subject}` };
  const valuesOf = ({ conditions }: Statement, suffix: string) =>
    conditions.filter(({ key }) => key.endsWith(suffix)).flatMap(({ values }) => values);
  const subjects = web.flatMap((statement) => valuesOf(statement, ':sub'));
  if (subjects.length > 0 && !subjects.some((value) => covers(value, subject) !== 'no')) {
    return { problem: `it trusts ${joinNames(subjects, 'or')}`, remedy: `trust ${subject}` };
  }
  const audiences = web.flatMap((statement) => valuesOf(statement, ':aud'));
  if (audiences.length > 0 && !audiences.includes(AUDIENCE)) return { problem: `it wants the audience ${joinNames(audiences, 'or')}`, remedy: `write ${AUDIENCE}` };
  return undefined;
}
