import {
  FieldPath,
  findMissingAmi,
  findMissingVariant,
  MissingAmi,
  MissingVariant,
  setField,
  unsafeFix,
} from '../../../contract';
import { findUnresolved } from '../../manifest/find-unresolved';
import { NodeClassManifest } from '../../manifest/model';
import { recordsOf } from '../../manifest/records';
import { classesInUse } from '../common/class-use';
import { clusterVersions, minorOf } from '../common/cluster-versions';
import { defineRule, NOT_APPLICABLE, SubjectFinding, unknown } from '../define-rule';
import { subjectsFrom } from '../subjects';

const FAMILIES: Readonly<Record<string, string>> = { al2: 'Amazon Linux 2', al2023: 'AL2023' };

/** @see https://github.com/awslabs/amazon-eks-ami/blob/main/CHANGELOG.md */
export const amiReleaseWithoutKubernetes = defineRule({
  id: 'KARP-155',
  name: 'ami-release-without-kubernetes',
  severity: 'error',
  summary: 'The release in an AMI alias has no AMI for the Kubernetes version.',
  subjects: subjectsFrom<NodeClassManifest>(({ model }) => classesInUse(model)),
  judge({ object }, { model }) {
    const terms = recordsOf(object.raw?.spec?.amiSelectorTerms);
    const index = terms.findIndex(({ alias }) => typeof alias === 'string');
    if (index < 0) return NOT_APPLICABLE;
    const alias = terms[index].alias as string;
    if (findUnresolved(alias) !== undefined) return unknown('its AMIs are known only at deployment');
    const versions = clusterVersions(model);
    const minors = versions.length === 0 ? [undefined] : versions.map(minorOf);
    const path = ['spec', 'amiSelectorTerms', index, 'alias'];
    const variants = minors.map((minor) => findMissingVariant(alias, minor));
    const [version] = versions;
    if (version !== undefined && !variants.includes(undefined))
      return withoutVariant(alias, version, path, variants[0]!);
    const [missing, ...others] = minors.map((minor) => findMissingAmi(alias, minor));
    // The class may be for a cluster that has such an AMI.
    if (missing === undefined || others.includes(undefined)) return undefined;
    return {
      path,
      message: messageOf(alias, minors[0], missing),
      remedy: remedyOf(alias, missing),
      evidence: { consequence: 'not-ready', alias, kubernetes: versions[0] ?? null, date: missing.date },
      fix: missing.isTooOld ? unsafeFix(setField(path, missing.instead)) : undefined,
    };
  },
});

function withoutVariant(
  alias: string,
  kubernetes: string,
  path: FieldPath,
  { release, isTooOld }: MissingVariant,
): SubjectFinding {
  const minor = `Kubernetes 1.${minorOf(kubernetes)}`;
  const why = isTooOld
    ? `Bottlerocket has AMIs for ${minor} only since ${release}`
    : `Bottlerocket ${release} removed the AMIs for ${minor}`;
  return {
    path,
    message: `selects ${alias}, but ${why}: the class finds no AMI, and nothing is launched`,
    remedy: isTooOld
      ? `write a release from v${release} on, such as bottlerocket@v${release}`
      : `upgrade the cluster to a newer Kubernetes version, or write a release before v${release}`,
    evidence: { consequence: 'not-ready', alias, kubernetes, release },
    fix: isTooOld ? unsafeFix(setField(path, `bottlerocket@v${release}`)) : undefined,
  };
}

function messageOf(alias: string, minor: number | undefined, { date, isTooOld }: MissingAmi): string {
  const family = FAMILIES[alias.split('@')[0]];
  const kubernetes = minor === undefined ? '' : ` for Kubernetes 1.${minor}`;
  const day = `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}`;
  const when = isTooOld ? `up to ${day}` : `since ${day}`;
  return `selects ${alias}, but EKS published no ${family} AMI${kubernetes} ${when}: the class finds no AMI, and nothing is launched`;
}

function remedyOf(alias: string, { first, instead, isTooOld }: MissingAmi): string {
  if (isTooOld) return `write a release from v${first} on, such as ${instead}`;
  return alias.startsWith('al2@')
    ? 'write an alias of AL2023, such as al2023@<version>, and test userData with it'
    : `upgrade the cluster to a newer Kubernetes version, or write ${instead}, the last release for this one`;
}
