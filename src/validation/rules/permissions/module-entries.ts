import { NodeClassRole } from './node-roles';
import { KarpenterModule } from '../../manifest/aws-model';
import { AwsModel } from '../../template';
import { SubjectFinding } from '../define-rule';

/** An output of a module, with the name of the module. */
const MODULE_OUTPUT = /^\$\{\s*module\.([^.[\s}]+)(?:\[[^\]]*\])?\./;
/** An access entry may be for a role that only Terraform knows. */
const UNKNOWN_PRINCIPAL = /\$\{(?!\s*(?:aws_iam_role|module|data)\.)/;

/** The module that creates the role of nodes and no access entry for it, if nothing else may let them join. */
export function moduleWithoutEntry({ name }: NodeClassRole, aws: AwsModel): KarpenterModule | undefined {
  const isAdmitted = [...aws.resources.values()].some(({ type }) => type === 'Terraform::RoleMapping');
  return aws.karpenterModules.find((module) => {
    const isOwn =
      MODULE_OUTPUT.exec(name)?.[1] === module.name ||
      (module.nodeRole !== undefined && !module.isPrefix && name === module.nodeRole);
    const mayBeEntry = aws.accessEntries.some(
      ({ principal }) =>
        principal.includes(`module.${module.name}`) ||
        UNKNOWN_PRINCIPAL.test(principal) ||
        principal.endsWith(`/${module.nodeRole}`),
    );
    return module.hasEntry === false && isOwn && !isAdmitted && !mayBeEntry && aws.clusters.length === 1;
  });
}

export function withoutEntryOfModule(
  { nodeClass }: NodeClassRole,
  { name, resource }: KarpenterModule,
): SubjectFinding {
  const { object } = nodeClass;
  return {
    object: { ...resource.object, name: `module.${name}` },
    path: ['Properties', 'HasEntry'],
    message: `creates the role of nodes and no access entry for it, and no file maps the role in aws-auth: nodes of EC2NodeClass ${object.name} start and cost money but do not join`,
    remedy: `write create_access_entry = true in module.${name}, or remove it, because true is the default`,
    evidence: { module: name, consequence: 'never-joins' },
    related: { object, path: ['spec', 'role'], label: 'nodes have this role' },
  };
}
