import { FieldPath } from '../../../contract';
import { KarpenterModule } from '../../manifest/aws-model';
import { NodeClassManifest } from '../../manifest/model';
import { hasUnknown, readable, sameText } from '../../template';
import { originalOf } from '../common/class-use';
import { defineRule, Judgement, NOT_APPLICABLE, SubjectFinding } from '../define-rule';
import { nodeClasses } from '../subjects';

/** A reference to an output of a module, as a class in Terraform has it. */
const OUTPUT = /^\$\{\s*module\.([\w-]+)(?:\[[^\]]*\])?\.(\w+)\s*\}$/;
/** The characters that Terraform appends to a prefix. */
const RANDOM_LENGTH = 26;
/** Outputs that are no name of the role of nodes, with what they are. */
const WRONG_OUTPUTS: Readonly<Record<string, string>> = {
  iam_role_name: 'the name of the role of the controller',
  iam_role_arn: 'the ARN of the role of the controller',
  node_iam_role_arn: 'an ARN and no name',
  instance_profile_name: 'the name of an instance profile',
};

/** @see https://github.com/terraform-aws-modules/terraform-aws-eks/tree/master/modules/karpenter */
export const karpenterModuleRoleMismatch = defineRule<NodeClassManifest>({
  id: 'KARP-617',
  name: 'karpenter-module-role-mismatch',
  readsTerraform: true,
  severity: 'error',
  summary:
    'The role or instance profile of a node class is not that of the Terraform module which gives Karpenter its permissions.',
  subjects: nodeClasses({ where: (_, { model }) => model.aws.karpenterModules.length > 0 }),
  judge({ object }, { model, model: { aws } }): Judgement {
    // The conversion of an older class does not know the role.
    if (originalOf(model, object) !== undefined) return NOT_APPLICABLE;
    const { role, instanceProfile } = object.raw.spec ?? {};
    const modules = aws.karpenterModules;
    if (typeof instanceProfile === 'string') return profileFinding(instanceProfile, modules);
    if (typeof role !== 'string') return NOT_APPLICABLE;
    const [, name, output] = OUTPUT.exec(role) ?? [];
    const module = modules.find((each) => each.name === name);
    if (module !== undefined && Object.hasOwn(WRONG_OUTPUTS, output))
      return finding(
        ['spec', 'role'],
        `role is \${module.${name}.${output}}, ${WRONG_OUTPUTS[output]}: Karpenter may pass only the role of nodes of the module, so every launch fails`,
        `write \${module.${name}.node_iam_role_name}`,
        { output },
      );
    const [only, ...others] = modules;
    const isOther = others.length > 0 || aws.roles.some((each) => sameText(each.name, role) !== 'no');
    if (isOther || only.nodeRole === undefined) return NOT_APPLICABLE;
    if (hasUnknown(role)) return only.isPrefix && endsUnlikePrefixed(role) ? roleFinding(role, only) : NOT_APPLICABLE;
    return isRoleOf(role, only) ? undefined : roleFinding(role, only);
  },
});

function isRoleOf(role: string, { nodeRole = '', isPrefix }: KarpenterModule): boolean {
  return isPrefix ? role.startsWith(`${nodeRole}-`) : role === nodeRole;
}

/** Whether a role with an unknown begin has an end that no name with a prefix has: Terraform appends hex digits. */
function endsUnlikePrefixed(role: string): boolean {
  return /[^\da-f]/.test(role.slice(role.lastIndexOf('}') + 1).slice(-RANDOM_LENGTH));
}

function roleFinding(role: string, { name, nodeRole = '', isPrefix, resource }: KarpenterModule): SubjectFinding {
  const isNameOfPrefix = isPrefix && (role === nodeRole || hasUnknown(role));
  return {
    ...finding(
      ['spec', 'role'],
      `role is ${readable(role)}, but module.${name} creates ${isPrefix ? `a role whose name begins with ${nodeRole}- and ends at random` : `role ${nodeRole}`}, ` +
        'which is the only one that Karpenter may pass: every launch fails',
      isNameOfPrefix
        ? `write node_iam_role_use_name_prefix = false in module.${name}`
        : isPrefix
          ? `write node_iam_role_name = "${role}" and node_iam_role_use_name_prefix = false in module.${name}`
          : `write role: ${nodeRole}`,
      { role, nodeRole, isPrefix },
    ),
    related: { object: resource.object, path: [], label: 'creates the role' },
  };
}

function profileFinding(profile: string, modules: readonly KarpenterModule[]): Judgement {
  const [, name, output] = OUTPUT.exec(profile) ?? [];
  const module = modules.find((each) => each.name === name);
  if (module?.hasInstanceProfile !== false || !/^instance_profile_/.test(output)) return NOT_APPLICABLE;
  return finding(
    ['spec', 'instanceProfile'],
    `instanceProfile is \${module.${name}.${output}}, which is null, because the module creates no instance profile by default`,
    `write role: \${module.${name}.node_iam_role_name} instead of instanceProfile, or create_instance_profile = true in module.${name}`,
    { output },
  );
}

function finding(
  path: FieldPath,
  message: string,
  remedy: string,
  evidence: Readonly<Record<string, unknown>>,
): SubjectFinding {
  return { path, message, remedy, evidence: { ...evidence, consequence: 'launch-fails' } };
}
