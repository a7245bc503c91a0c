import { asRecord } from '../../../contract';
import { NodeClassManifest } from '../../manifest/model';
import { AwsModel, hasUnknown, Role } from '../../template';

/** The role that the nodes of a class have. */
export interface NodeRole {
  readonly nodeClass: NodeClassManifest;
  /** Of the field that names it, or its instance profile. */
  readonly path: readonly string[];
  /** Its name, as far as it is known. */
  readonly name: string;
  /** Where it is in the templates. */
  readonly role?: Role;
}

/** One for each node class that names a role, or an instance profile that is in the templates. */
export function nodeRoles(nodeClasses: readonly NodeClassManifest[], aws: AwsModel): NodeRole[] {
  return nodeClasses.flatMap((nodeClass) => {
    const spec = asRecord(nodeClass.object.raw.spec);
    const direct = typeof spec?.role === 'string' ? spec.role : undefined;
    const profile = aws.instanceProfiles.find(({ name }) => name === spec?.instanceProfile);
    const name = direct ?? profile?.roles[0];
    if (name === undefined) return [];
    return [{ nodeClass, path: ['spec', direct === undefined ? 'instanceProfile' : 'role'], name, role: aws.roles.find((role) => role.name === name) }];
  });
}

/** Why nothing can be said of a role that is not in the templates. */
export function whyUnknown({ name }: NodeRole): string {
  return hasUnknown(name) ? `which role ${name} is, is known only at deployment` : `role ${name} is not in the templates`;
}
