import { classesWithUserData, userDataOf } from './known-user-data';
import {
  detectUserDataFormat,
  findFormatProblem,
  findMimeProblem,
  MimeProblem,
  UnquotedSetting,
  unquotedSettings,
} from '../../../../contract';
import { listText } from '../../../../model';
import { defineRule, SubjectFinding } from '../../define-rule';

const PATH = ['spec', 'userData'];
/** The families whose user data Karpenter reads as a MIME archive. */
const MIME_FAMILIES = ['AL2', 'AL2023'];

/** @see https://karpenter.sh/docs/concepts/nodeclasses/#specuserdata */
export const userDataFormat = defineRule({
  id: 'KARP-150',
  name: 'user-data-format',
  severity: 'error',
  summary:
    'The user data of a node class has a format that its AMI family does not take, or mistakes in it: nothing is launched, or the script never runs.',
  subjects: classesWithUserData(),
  judge({ object }) {
    const { family, userData } = userDataOf(object.raw);
    const problem = findFormatProblem(family, userData);
    if (!problem) return findingInside(family, userData);
    const { format, otherwise, remedy, preventsLaunch } = problem;
    return {
      path: PATH,
      message: `the user data is ${format}, which ${family} does not take: ${otherwise}`,
      remedy,
      evidence: { amiFamily: family, format, ...(preventsLaunch ? { consequence: 'launch-fails' } : {}) },
    };
  },
});

/** Mistakes in user data of the right format. */
function findingInside(family: string, userData: string): SubjectFinding | undefined {
  if (family === 'Bottlerocket') {
    const unquoted = unquotedSettings(userData);
    return unquoted.length === 0 ? undefined : unquotedFinding(unquoted);
  }
  if (!MIME_FAMILIES.includes(family) || detectUserDataFormat(userData) !== 'mime') return undefined;
  const problem = findMimeProblem(userData);
  return problem && mimeFinding(problem, family);
}

function mimeFinding({ kind, boundary, written }: MimeProblem, family: string): SubjectFinding {
  const other = `the line "${written}" does not have the boundary "${boundary}" of the header`;
  const consequence = kind === 'launch-fails' ? { consequence: kind } : {};
  const end = `end the user data with the line --${boundary}--`;
  return {
    path: PATH,
    message:
      kind === 'launch-fails'
        ? `the MIME archive in the user data has no line "--${boundary}--" that ends it${written === undefined ? '' : `, and ${other}`}: Karpenter cannot merge it with its own part, and launches nothing`
        : `the MIME archive in the user data loses a part, because ${other}: no program of the node reads that part`,
    remedy:
      written === undefined ? end : `write --${boundary} instead of ${written}${kind === 'lost' ? '' : `, and ${end}`}`,
    evidence: { amiFamily: family, boundary, ...(written === undefined ? {} : { written }), ...consequence },
  };
}

function unquotedFinding(unquoted: readonly UnquotedSetting[]): SubjectFinding {
  const [{ name, value }] = unquoted;
  const preventsLaunch = unquoted.some((setting) => setting.preventsLaunch);
  const names = unquoted.map((setting) => `${setting.key} = ${setting.value}`);
  return {
    path: PATH,
    message: `the user data has ${listText(names)}, but Bottlerocket takes only strings there: ${
      preventsLaunch
        ? 'Karpenter cannot decode the settings, and launches nothing'
        : 'it refuses the settings at boot, and the node does not join'
    }`,
    remedy: `write ${name} = "${value}"${unquoted.length > 1 ? ', and put the other values in quotes too' : ', in quotes'}`,
    evidence: {
      settings: unquoted.map((setting) => setting.key),
      consequence: preventsLaunch ? 'launch-fails' : 'never-joins',
    },
  };
}
