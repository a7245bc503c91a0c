import { classesWithUserData, userDataOf } from './known-user-data';
import {
  asRecord,
  decodedUserData,
  detectUserDataFormat,
  findFormatProblem,
  findMimeProblem,
  findPartProblem,
  MimeProblem,
  PartProblem,
  QuotedSetting,
  quotedSettings,
  readToml,
  scriptProblem,
  setField,
  TomlProblem,
  UnknownSetting,
  unknownSettings,
  UnquotedSetting,
  unquotedSettings,
  unsafeFix,
} from '../../../../contract';
import { listText, parseYaml } from '../../../../model';
import { findUnresolved } from '../../../manifest/find-unresolved';
import { ManifestObject } from '../../../manifest/model';
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
    if (!problem) return findingInside(family, deployedText(object, userData));
    const { format, otherwise, remedy, preventsLaunch } = problem;
    return {
      path: PATH,
      message: `the user data is ${format}, which ${family} does not take: ${otherwise}`,
      remedy,
      evidence: { amiFamily: family, format, ...(preventsLaunch ? { consequence: 'launch-fails' } : {}) },
    };
  },
});

/** The text that Flux deploys, without the variables that it empties. KARP-010 advises to escape them. */
function deployedText({ emptied = [] }: ManifestObject, userData: string): string {
  return emptied
    .filter(({ path }) => path.join('.') === PATH.join('.'))
    .reduce((text, variable) => text.replaceAll(variable.text, ''), userData);
}

/** Mistakes in user data of the right format. */
function findingInside(family: string, userData: string): SubjectFinding | SubjectFinding[] | undefined {
  const decoded = decodedUserData(userData);
  if (decoded !== undefined) return encodedFinding(family);
  if (family === 'Bottlerocket') {
    const { problem } = readToml(userData);
    if (problem !== undefined && findUnresolved(problem.written) === undefined) return tomlFinding(problem);
    const quoted = quotedSettings(userData);
    if (quoted.length > 0) return quotedFinding(quoted);
    const unquoted = unquotedSettings(userData);
    return [
      ...(unquoted.length === 0 ? [] : [unquotedFinding(unquoted)]),
      ...unknownSettings(userData).map(unknownFinding),
    ];
  }
  if (!MIME_FAMILIES.includes(family)) return undefined;
  if (detectUserDataFormat(userData) === 'mime') {
    const problem = findMimeProblem(userData);
    if (problem !== undefined) return mimeFinding(problem, family, userData);
    const part = findPartProblem(userData);
    return part && partFinding(part, family);
  }
  return family === 'AL2023' && isMapping(userData) ? mappingFinding(userData) : scriptFinding(userData, family);
}

function encodedFinding(family: string): SubjectFinding {
  const preventsLaunch = family === 'Bottlerocket';
  return {
    path: PATH,
    message: `the user data is in base64, and Karpenter encodes it once more: ${
      preventsLaunch
        ? 'it cannot parse the text as TOML, and launches nothing'
        : 'no program of the node reads it, and nothing in it takes effect'
    }`,
    remedy: 'write the decoded text',
    evidence: { amiFamily: family, ...(preventsLaunch ? { consequence: 'launch-fails' } : {}) },
  };
}

function tomlFinding({ kind, written }: TomlProblem): SubjectFinding {
  const what =
    kind === 'again'
      ? `${written} is there twice`
      : kind === 'value'
        ? `the value in "${written}" is none, because texts need quotes`
        : `the line "${written}" is neither a table nor a key with a value`;
  return {
    path: PATH,
    message: `the user data is no TOML: ${what}; Karpenter cannot parse it, and launches nothing`,
    remedy:
      kind === 'again'
        ? 'write all its keys in one place'
        : kind === 'value'
          ? valueRemedy(written)
          : 'write settings in TOML, such as [settings.kernel.sysctl]',
    evidence: { amiFamily: 'Bottlerocket', written, consequence: 'launch-fails' },
  };
}

function valueRemedy(line: string): string {
  const [, key, word] = /^([^=]*?)\s*=\s*(\w+)\s*$/.exec(line) ?? [];
  if (word === undefined) return 'write a value of TOML, with texts in quotes';
  if (/^(?:yes|on|true)$/i.test(word)) return `write ${key} = true`;
  return /^(?:no|off|false)$/i.test(word) ? `write ${key} = false` : `write ${key} = "${word}"`;
}

function quotedFinding(quoted: readonly QuotedSetting[]): SubjectFinding {
  const names = listText(quoted.map(({ key, value }) => `${key} = "${value}"`));
  const [{ key, value }] = quoted;
  return {
    path: PATH,
    message: `the user data has ${names}, but Bottlerocket takes no text there: Karpenter cannot decode the settings, and launches nothing`,
    remedy: `write ${key.slice(key.lastIndexOf('.') + 1)} = ${value}, without quotes`,
    evidence: { settings: quoted.map((setting) => setting.key), consequence: 'launch-fails' },
  };
}

function unknownFinding({ written, meant, isRefused }: UnknownSetting): SubjectFinding {
  return {
    path: PATH,
    message: `the user data has ${written}, ${
      isRefused
        ? 'which Bottlerocket does not know: it refuses the settings at boot, and the node does not join'
        : 'which Karpenter does not know, and leaves out: it has no effect'
    }`,
    remedy: `write ${meant} instead of ${written}`,
    evidence: { amiFamily: 'Bottlerocket', written, meant, ...(isRefused ? { consequence: 'never-joins' } : {}) },
    ...(isRefused ? {} : { severity: 'warning' as const }),
  };
}

function partFinding({ kind, written }: PartProblem, family: string): SubjectFinding {
  const evidence = { amiFamily: family, written };
  const path = PATH;
  switch (kind) {
    case 'header':
      return {
        path,
        message: `the header of the MIME archive, or of a part of it, has the line "${written}", which is no header: Karpenter cannot read the archive, and launches nothing`,
        remedy: 'write an empty line after the header',
        evidence: { ...evidence, consequence: 'launch-fails' },
      };
    case 'blank':
      return {
        path,
        message:
          'the MIME archive begins with an empty line or a blank, so that its header is empty: Karpenter cannot read the archive, and launches nothing',
        remedy: 'begin the user data with MIME-Version: 1.0, without an empty line before it',
        evidence: { ...evidence, consequence: 'launch-fails' },
      };
    case 'no-archive':
      return {
        path,
        message:
          'the MIME archive has no Content-Type: multipart/mixed in its header: Karpenter cannot read the archive, and launches nothing',
        remedy: 'write Content-Type: multipart/mixed; boundary="BOUNDARY" below MIME-Version: 1.0',
        evidence: { ...evidence, consequence: 'launch-fails' },
      };
    case 'node-config':
      return {
        path,
        message: `a part of the MIME archive is a NodeConfig of type ${written}, which nodeadm does not read: its settings have no effect`,
        remedy: 'write Content-Type: application/node.eks.aws',
        evidence,
      };
    case 'not-node-config':
      return {
        path,
        message: `a part of the MIME archive is a script of type ${written}, which nodeadm decodes as a NodeConfig: it fails, and the node does not join`,
        remedy: 'write Content-Type: text/x-shellscript; charset="us-ascii"',
        evidence: { ...evidence, consequence: 'never-joins' },
      };
    case 'script':
      return scriptFindingOf(written, 'a script in the MIME archive', evidence);
  }
}

function scriptFinding(userData: string, family: string): SubjectFinding | undefined {
  const format = detectUserDataFormat(userData);
  const problem = format === undefined || format === 'shell' ? scriptProblem(userData) : undefined;
  return problem && scriptFindingOf(problem.written, 'the user data', { amiFamily: family, written: problem.written });
}

function scriptFindingOf(written: string, what: string, evidence: SubjectFinding['evidence']): SubjectFinding {
  const isBelow = written.startsWith('#!');
  return {
    path: PATH,
    message: isBelow
      ? `${what} has an empty line before "${written}", so that the kernel finds no interpreter: cloud-init cannot run it, and nothing in it takes effect`
      : `${what} begins with "${written}" instead of an interpreter: cloud-init cannot run it, and nothing in it takes effect`,
    remedy: isBelow ? 'remove the empty line' : 'write #!/bin/bash as its first line',
    evidence,
  };
}

/** Whether Karpenter takes the text for a NodeConfig. */
function isMapping(userData: string): boolean {
  try {
    return asRecord(parseYaml(userData)) !== undefined;
  } catch {
    return false;
  }
}

function mappingFinding(userData: string): SubjectFinding | undefined {
  if (/^\s*["']?apiVersion["']?\s*:/m.test(userData) || userData.trimStart().startsWith('{')) return undefined;
  if (userData.startsWith('#!'))
    return {
      path: PATH,
      message:
        'the lines of the script have the form "key: value", so that Karpenter takes it for YAML and passes it on as a NodeConfig: nodeadm refuses it, and the node does not join',
      remedy:
        'add a line of another form, such as set -eu, or write a MIME archive with a part of Content-Type: text/x-shellscript',
      evidence: { amiFamily: 'AL2023', consequence: 'never-joins' },
    };
  const isCloudConfig = /^(?:packages|runcmd|bootcmd|write_files|users|package_\w+|power_state)\s*:/m.test(userData);
  return {
    path: PATH,
    message:
      'the user data is YAML without apiVersion, which Karpenter passes on as a NodeConfig: nodeadm refuses it, and the node does not join',
    remedy: isCloudConfig
      ? 'write a MIME archive with a part of Content-Type: text/cloud-config, or a shell script'
      : 'write apiVersion: node.eks.aws/v1alpha1 and kind: NodeConfig, or a shell script that begins with #!/bin/bash',
    evidence: { amiFamily: 'AL2023', consequence: 'never-joins' },
  };
}

const HEADER_BOUNDARY = /boundary=(?:"[^"\n]*"|[^\s;"]+)/i;

function mimeFinding(
  { kind, boundary, written, meant }: MimeProblem,
  family: string,
  userData: string,
): SubjectFinding {
  const other = `the line "${written}" does not have the boundary "${boundary}" of the header`;
  const consequence = kind === 'launch-fails' ? { consequence: kind } : {};
  const end = `end the user data with the line --${boundary}--`;
  if (meant !== undefined)
    return {
      path: PATH,
      message: `the header of the MIME archive in the user data has the boundary "${boundary}", and its parts begin with "--${meant}": no program of the node reads them`,
      remedy: `write boundary="${meant}" in the header`,
      evidence: { amiFamily: family, boundary, meant },
      fix: unsafeFix(
        setField(
          PATH,
          userData.replace(HEADER_BOUNDARY, () => `boundary="${meant}"`),
        ),
      ),
    };
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
