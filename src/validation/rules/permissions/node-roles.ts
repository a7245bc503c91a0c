import { asRecord } from '../../../contract';
import { NodeClassManifest } from '../../manifest/model';
import { AwsModel, hasUnknown, Role } from '../../template';
import { Subjects } from '../define-rule';
import { Selection, subjectsWith } from '../subjects';

/** The IAM role of a node class's nodes. */
export interface NodeClassRole {
  readonly nodeClass: NodeClassManifest;
  /** The field that names the role or its instance profile. */
  readonly path: readonly string[];
  /** The role's name, possibly with tokens. */
  readonly name: string;
  /** The role in the templates, if they declare it. */
  readonly role?: Role;
}

/** The roles of the node classes that name a role, or an instance profile that the templates declare. */
export function nodeRoles(nodeClasses: readonly NodeClassManifest[], aws: AwsModel): NodeClassRole[] {
  return nodeClasses.flatMap((nodeClass) => {
    const spec = asRecord(nodeClass.object.raw.spec);
    const direct = typeof spec?.role === 'string' ? spec.role : undefined;
    const profile = aws.instanceProfiles.find(({ name }) => name === spec?.instanceProfile);
    const name = direct ?? profile?.roles[0];
    if (name === undefined) return [];
    return [
      {
        nodeClass,
        path: ['spec', direct === undefined ? 'instanceProfile' : 'role'],
        name,
        role: aws.roles.find((role) => role.name === name),
      },
    ];
  });
}

/** Why a role that the templates do not declare is not evaluated. */
export function whyRoleUnknown({ name }: NodeClassRole): string {
  return hasUnknown(name)
    ? `which role has the name ${name} is known only at deployment`
    : `role ${name} is not in the templates`;
}

/** The roles as subjects of a rule. */
export function rolesOfNodes(selection?: Selection<NodeClassRole>): Subjects<NodeClassRole> {
  return subjectsWith(
    ({ nodeClass }) => nodeClass.object,
    ({ model: { nodeClasses, aws } }) => nodeRoles(nodeClasses, aws),
    selection,
  );
}
