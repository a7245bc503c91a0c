import { asRecord } from '../../contract';
import { valueAt } from '../controller';
import { NodeClassManifest } from '../manifest/model';
import { placeholderRemedy } from '../manifest/template-text';
import { fail, notEvaluated, pass } from './private/outcome';
import { findUnresolved } from './private/unresolved';
import { Outcome, Rule, RuleContext } from './rule';
import { AwsModel, hasUnknown } from '../template';

/** What IAM takes for the name of a role. */
const ROLE_NAME = /^[\w+=,.@-]{1,64}$/;
const ROLE_NAME_REMEDY = 'use at most 64 letters, digits, "+", "=", ",", ".", "@", "_" and "-"';

/** That one of both is there, and not both, the API server sees to. */
export class RoleVsInstanceProfile implements Rule {
  public readonly id = 'KARP-610';
  public readonly name = 'role-vs-instance-profile';
  public readonly severity = 'error';
  public readonly summary = 'A node class names its role by something else than its name, needs IAM in a VPC without a way to it, or has an instance profile without a role.';

  public check(context: RuleContext): Outcome[] {
    return context.model.nodeClasses.flatMap((nodeClass) => {
      const { role, instanceProfile } = asRecord(nodeClass.object.raw.spec) ?? {};
      if (typeof role === 'string' && role !== '') return [this.checkRole(context, nodeClass, role)];
      return typeof instanceProfile === 'string' && context.model.aws.given ? [this.checkProfile(context.model.aws, nodeClass, instanceProfile)] : [];
    });
  }

  private checkRole({ model: { aws }, controllers }: RuleContext, nodeClass: NodeClassManifest, role: string): Outcome {
    const { object } = nodeClass;
    const byArn = aws.roles.find(({ arn }) => arn === role);
    const isKnown = aws.roles.some(({ name }) => name === role);
    if (byArn || /^arn:/.test(role)) {
      return this.finding(nodeClass, 'role', `is the ARN of a role, ${role}, and Karpenter asks IAM for a role of that name: it never becomes ready`,
        `write the name alone, without path: ${byArn ? 'role.roleName' : role.split('/').pop()}`, { role });
    }
    if (!isKnown && findUnresolved(role) === undefined && !ROLE_NAME.test(role)) {
      const remedy = placeholderRemedy(role) ?? (role.includes('/') ? `write the name alone, without path: ${role.split('/').pop()}` : ROLE_NAME_REMEDY);
      return this.finding(nodeClass, 'role', `is ${role}, which is no name of a role for IAM: it never becomes ready`, remedy, { role });
    }
    const isolated = controllers.map(({ values }) => valueAt(values, 'settings', 'isolatedVPC'));
    if (isolated.some((value) => String(value) === 'true')) {
      return this.finding(nodeClass, 'role', 'is a role, for which Karpenter makes an instance profile in IAM; with settings.isolatedVPC it is taken not to reach IAM: the class never becomes ready',
        'make an instance profile of the role beside Karpenter, and write spec.instanceProfile in place of spec.role', { isolatedVPC: true });
    }
    if (!isKnown && (hasUnknown(role) || findUnresolved(role) !== undefined)) return notEvaluated(object, `which role ${role} is, is known only at deployment`);
    const open = controllers.some(({ release, complete }) => release !== undefined && !complete);
    if (open || isolated.some((value) => findUnresolved(value) !== undefined)) {
      return notEvaluated(object, 'whether Karpenter runs in an isolated VPC is known only at deployment');
    }
    return pass(object);
  }

  private checkProfile({ instanceProfiles, opaque }: AwsModel, nodeClass: NodeClassManifest, name: string): Outcome {
    const { object } = nodeClass;
    const profile = instanceProfiles.find((each) => each.name === name);
    if (!profile) return notEvaluated(object, hasUnknown(name) || opaque.length > 0 ? `which instance profile ${name} is, is known only at deployment` : `instance profile ${name} is not in the templates`);
    if (profile.roles.length > 0) return pass(object);
    return this.finding(nodeClass, 'instanceProfile', `is instance profile ${profile.resource.object.name}, which has no role: nodes start without permissions, and never join`,
      'give it the role of the nodes: Roles: [<name of the role>]', { instanceProfile: name });
  }

  private finding({ object }: NodeClassManifest, field: string, what: string, remedy: string, evidence: Readonly<Record<string, unknown>>): Outcome {
    return fail({ object, path: ['spec', field], message: `its ${field} ${what}`, remedy, evidence });
  }
}
