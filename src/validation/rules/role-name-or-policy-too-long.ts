import { AWS_LIMITS, LONGEST, QUEUE_NAME_MAX_LENGTH } from '../../contract';
import { fail, notEvaluated, pass } from './private/outcome';
import { lengthOf, TextLength } from './private/worst-case';
import { Outcome, Rule, RuleContext } from './rule';
import { AwsModel, Policy, TemplateResource } from '../template';

interface Limited {
  readonly resource: TemplateResource;
  readonly path: readonly (string | number)[];
  readonly what: string;
  readonly length: TextLength;
  readonly most: number;
  readonly remedy: string;
}

const SHORTER = 'leave the name to CloudFormation, or give a shorter one with a hash of the whole';

/** @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html */
export class RoleNameOrPolicyTooLong implements Rule {
  public readonly id = 'KARP-608';
  public readonly name = 'role-name-or-policy-too-long';
  public readonly severity = 'error';
  public readonly summary = 'A name or a policy is longer than AWS takes: the deployment fails, in some clusters or regions only.';

  public check({ model: { aws } }: RuleContext): Outcome[] {
    const managed = aws.policies.filter((policy) => policy.managed).map(managedPolicy);
    return [...namesOf(aws), ...managed, ...inlinePolicies(aws)].map((each) => this.checkLength(each));
  }

  private checkLength({ resource: { object }, path, what, length, most, remedy }: Limited): Outcome {
    const { characters, open } = length;
    if (characters > most) {
      return fail({ object, path, message: `${what} must have at most ${most} characters, got ${characters}${open.length > 0 ? ` beside ${open.join(', ')}` : ''}`, remedy, evidence: { characters, most } });
    }
    const worst = characters + open.length * LONGEST.clusterName.length;
    if (worst <= most) return pass(object);
    return notEvaluated(object, `${what} must have at most ${most} characters and has ${characters} beside ${open.join(', ')}, known only at deployment: ${most - characters} are left for it`);
  }
}

/** Only names that are given: CloudFormation cuts those that it makes. */
function namesOf({ roles, instanceProfiles, policies, queues }: AwsModel): Limited[] {
  const limited = (resource: TemplateResource, property: string, most: number): Limited[] => {
    const name = resource.properties[property];
    return typeof name !== 'string' ? [] : [{ resource, path: ['Properties', property], what: `${property} ${name}`, length: lengthOf(name), most, remedy: SHORTER }];
  };
  return [
    ...roles.flatMap(({ resource }) => limited(resource, 'RoleName', AWS_LIMITS.roleNameCharacters)),
    ...instanceProfiles.flatMap(({ resource }) => limited(resource, 'InstanceProfileName', AWS_LIMITS.instanceProfileNameCharacters)),
    ...policies.filter(({ managed }) => managed).flatMap(({ resource }) => limited(resource, 'ManagedPolicyName', AWS_LIMITS.policyNameCharacters)),
    ...queues.flatMap(({ resource }) => limited(resource, 'QueueName', QUEUE_NAME_MAX_LENGTH)),
  ];
}

function managedPolicy({ resource, path, document }: Policy): Limited {
  return { resource, path, what: 'its document', length: documentLength(document), most: AWS_LIMITS.managedPolicyCharacters, remedy: 'split it in several policies, as upstream does since 1.9' };
}

/** All inline policies of a role count together. */
function inlinePolicies({ roles }: AwsModel): Limited[] {
  return roles.flatMap(({ resource, policies }) => {
    const inline = policies.filter(({ managed }) => !managed);
    const lengths = inline.map(({ document }) => documentLength(document));
    if (inline.length === 0) return [];
    return [{
      resource,
      path: [],
      what: `${inline.length === 1 ? 'its inline policy' : `its ${inline.length} inline policies together`}`,
      length: { characters: lengths.reduce((sum, { characters }) => sum + characters, 0), open: [...new Set(lengths.flatMap(({ open }) => open))] },
      most: AWS_LIMITS.inlinePolicyCharacters,
      remedy: 'make managed policies of them, which count each by itself',
    }];
  });
}

/** IAM does not count white space. */
function documentLength(document: unknown): TextLength {
  // White space within tokens is no text of the policy.
  const texts = JSON.stringify(document ?? '').split(/(\$\{Token\[[^\]]*\]\})/).map((part, i) => i % 2 === 1 ? part : part.replace(/\s/g, ''));
  return lengthOf(texts.join(''));
}
