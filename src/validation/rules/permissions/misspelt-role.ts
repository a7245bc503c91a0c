import { NodeClassRole, nodeRoles } from './node-roles';
import { setField, unsafeFix } from '../../../contract';
import { nearestNames } from '../../../model';
import { NodeClassManifest } from '../../manifest/model';
import { AwsModel, hasUnknown, Role } from '../../template';
import { SubjectFinding } from '../define-rule';

/** Shorter parts of a name, and numbers, distinguish clusters and environments. */
const LEAST_LETTERS = 5;

/** The role of instances whose name differs by a typing error from that of a class, and that no class has. */
export function misspeltRole(
  { name, path, role }: NodeClassRole,
  { aws, nodeClasses }: { readonly aws: AwsModel; readonly nodeClasses: readonly NodeClassManifest[] },
): Role | undefined {
  if (role !== undefined || path.includes('instanceProfile') || hasUnknown(name)) return undefined;
  const used = nodeRoles(nodeClasses, aws).map((one) => one.name);
  const candidates = aws.roles.filter(
    (one) =>
      !one.generated &&
      !hasUnknown(one.name) &&
      !used.includes(one.name) &&
      one.trust?.some(({ principals }) => principals.some((principal) => /^Service:ec2\b/.test(principal))),
  );
  const [near, ...others] = nearestNames(
    name,
    candidates.map((one) => one.name).filter((other) => isTypo(name, other)),
  );
  return others.length > 0 ? undefined : candidates.find((one) => one.name === near);
}

function isTypo(left: string, right: string): boolean {
  const [own, other] = [left, right].map((name) => name.split(/[-_./]/));
  return (
    left.replace(/\D/g, '') === right.replace(/\D/g, '') &&
    (own.length !== other.length || own.every((part, i) => part === other[i] || part.length >= LEAST_LETTERS))
  );
}

export function misspeltFinding({ path, name }: NodeClassRole, role: Role): SubjectFinding {
  return {
    path,
    message: `has role ${name}, but the role of instances in the input is ${role.name}: unless ${name} exists too, the node class does not become ready`,
    remedy: `write ${role.name}, or name the role ${name}`,
    evidence: { role: name, declared: role.name, consequence: 'launch-fails' },
    fix: unsafeFix(setField(path, role.name)),
    related: { object: role.resource.object, path: ['Properties', 'RoleName'], label: `is named ${role.name}` },
  };
}
