import { classesWithUserData, userDataOf } from './known-user-data';
import { FieldFix, nodeConfigProblems, NodeConfigProblem, setField, unsafeFix } from '../../../../contract';
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
    return nodeConfigProblems(userData).map((problem) => findingOf(problem, object.raw.spec?.userData));
  },
});

function findingOf(problem: NodeConfigProblem, userData: unknown): SubjectFinding {
  const { field, written, instead, isFatal } = problem;
  return {
    path: PATH,
    message: isFatal
      ? `the NodeConfig in the user data has ${written}, which nodeadm ${field.startsWith('spec.') ? 'does not know: it fails, and' : 'cannot decode:'} the node does not join`
      : `the NodeConfig in the user data has ${written}, which nodeadm does not know and drops: its settings have no effect`,
    remedy: instead === undefined ? `remove ${written}` : `write ${instead}`,
    fix: lineFix(problem, userData),
    evidence: { field, written, ...(isFatal ? { consequence: 'never-joins' } : {}) },
    ...(isFatal ? {} : { severity: 'warning' }),
  };
}

/** Corrects the only line that can be meant: undefined if there are several, or if more of the path is wrong. */
function lineFix({ field, written, instead }: NodeConfigProblem, userData: unknown): FieldFix | undefined {
  if (typeof userData !== 'string' || instead === undefined) return undefined;
  const [from, to] = [written, instead].map((text) => /^((?:[\w]+\.)*)(\w+)(: [\w./-]+)?$/.exec(text));
  if (!from || !to || from[1] !== to[1] || field.split('.').at(-1) !== from[2]) return undefined;
  const lines = userData.split('\n');
  const isMeant = (line: string) => {
    const text = line.trim().replace(/["']/g, '');
    return from[3] === undefined ? text.startsWith(`${from[2]}:`) : text === `${from[2]}${from[3]}`;
  };
  const [index, ...others] = lines.flatMap((line, position) => (isMeant(line) ? [position] : []));
  if (index === undefined || others.length > 0) return undefined;
  const indent = lines[index].slice(0, lines[index].search(/\S/));
  const rest = from[3] === undefined ? lines[index].slice(lines[index].indexOf(':')) : to[3];
  const corrected = lines.map((line, position) => (position === index ? `${indent}${to[2]}${rest}` : line));
  return unsafeFix(setField(PATH, corrected.join('\n')));
}
