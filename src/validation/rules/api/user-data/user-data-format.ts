import { classesWithUserData, userDataOf } from './known-user-data';
import { findFormatProblem } from '../../../../contract';
import { defineRule } from '../../define-rule';

/** @see https://karpenter.sh/docs/concepts/nodeclasses/#specuserdata */
export const userDataFormat = defineRule({
  id: 'KARP-150',
  name: 'user-data-format',
  severity: 'error',
  summary:
    'The user data of a node class has a format that its AMI family does not take: nothing is launched, or the script never runs.',
  subjects: classesWithUserData(),
  judge({ object }) {
    const { family, userData } = userDataOf(object.raw);
    const problem = findFormatProblem(family, userData);
    if (!problem) return undefined;
    const { format, otherwise, remedy, preventsLaunch } = problem;
    return {
      path: ['spec', 'userData'],
      message: `the user data is ${format}, which ${family} does not take: ${otherwise}`,
      remedy,
      evidence: { amiFamily: family, format, ...(preventsLaunch ? { consequence: 'launch-fails' } : {}) },
    };
  },
});
