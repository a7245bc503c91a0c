import { classesWithUserData, userDataOf } from './known-user-data';
import { nodeConfigProblems, NodeConfigProblem } from '../../../../contract';
import { defineRule, SubjectFinding } from '../../define-rule';

const PATH = ['spec', 'userData'];

/** @see https://awslabs.github.io/amazon-eks-ami/nodeadm/doc/api/ */
export const nodeConfigNotDecoded = defineRule({
  id: 'KARP-157',
  name: 'node-config-not-decoded',
  severity: 'error',
  summary: 'User data of AL2023 has a NodeConfig that nodeadm cannot decode, or whose fields it drops.',
  subjects: classesWithUserData(
    (family, userData) => family === 'AL2023' && /^\s*["{]?\s*"?apiVersion/m.test(userData),
  ),
  judge({ object }) {
    const { userData } = userDataOf(object.raw);
    return nodeConfigProblems(userData).map(findingOf);
  },
});

function findingOf({ field, written, instead, isFatal }: NodeConfigProblem): SubjectFinding {
  return {
    path: PATH,
    message: isFatal
      ? `the NodeConfig in the user data has ${written}, which nodeadm ${field.startsWith('spec.') ? 'does not know: it fails, and' : 'cannot decode:'} the node does not join`
      : `the NodeConfig in the user data has ${written}, which nodeadm does not know and drops: its settings have no effect`,
    remedy: instead === undefined ? `remove ${written}` : `write ${instead}`,
    evidence: { field, written, ...(isFatal ? { consequence: 'never-joins' } : {}) },
    ...(isFatal ? {} : { severity: 'warning' }),
  };
}
