import { amiFamilyOfClass } from '../../../../contract';
import { whyUnresolved } from '../../../manifest/find-unresolved';
import { NodeClassManifest } from '../../../manifest/model';
import { Subjects } from '../../define-rule';
import { nodeClasses } from '../../subjects';

/** The families whose user data a rule judges. */
export type UserDataSelection = (family: string, userData: string) => boolean;

/** The EC2NodeClasses with user data and a known AMI family. */
export function classesWithUserData(where: UserDataSelection = () => true): Subjects<NodeClassManifest> {
  return nodeClasses({
    where: ({ object }) => {
      const { family, userData } = userDataOf(object.raw);
      return family !== '' && userData !== '' && where(family, userData);
    },
    unknown: ({ object }) => whyUserDataUnknown(object.raw),
  });
}

/** The AMI family and the user data of a class; empty text if they are not known. */
export function userDataOf(raw: NodeClassManifest['object']['raw']): {
  readonly family: string;
  readonly userData: string;
} {
  const userData: unknown = raw?.spec?.userData;
  return {
    family: amiFamilyOfClass(raw?.spec ?? {}) ?? '',
    userData: typeof userData === 'string' ? userData : '',
  };
}

/** Why the user data is unknown. Scripts of several lines have variables of their own, which look like placeholders. */
export function whyUserDataUnknown(raw: NodeClassManifest['object']['raw']): string | undefined {
  const userData: unknown = raw?.spec?.userData;
  if (typeof userData === 'string') return userData.includes('\n') ? undefined : whyUnresolved(userData);
  return whyUnresolved(userData);
}
