import { setField, unsafeFix } from '../../../contract';
import { NodeClassManifest } from '../../manifest/model';
import { recordsOf } from '../../manifest/records';
import { classesInUse } from '../common/class-use';
import { clusterVersions, minorOf } from '../common/cluster-versions';
import { defineRule, NOT_APPLICABLE, unknown } from '../define-rule';
import { subjectsFrom } from '../subjects';

/** The first Kubernetes minor version for which Karpenter resolves the alias. */
const FIRST_MINOR = 35;
const ALIAS = /^windows2025@/;

/** @see https://github.com/aws/karpenter-provider-aws/blob/v1.15.1/pkg/providers/amifamily/ami.go */
export const windows2025TooEarly = defineRule({
  id: 'KARP-918',
  name: 'windows-2025-too-early',
  severity: 'error',
  summary:
    'A node class selects Windows Server 2025, but the cluster is older than Kubernetes 1.35: nothing is launched.',
  subjects: subjectsFrom<NodeClassManifest>(({ model }) => classesInUse(model), {
    where: (_, { model }) => clusterVersions(model).length > 0,
  }),
  judge({ object }, { model }) {
    const versions = clusterVersions(model);
    const terms = recordsOf(object.raw.spec?.amiSelectorTerms);
    const index = terms.findIndex(({ alias }) => typeof alias === 'string' && ALIAS.test(alias));
    if (index < 0) return NOT_APPLICABLE;
    const supported = versions.map(isSupported);
    if (supported.every((answer) => answer === true)) return undefined;
    if (supported.includes(undefined)) return unknown('the version of the cluster is known only at deployment');
    if (supported.includes(true))
      return unknown(`it may be for any of the clusters with the versions ${versions.join(', ')}`);
    const [version] = versions;
    return {
      path: ['spec', 'amiSelectorTerms', index, 'alias'],
      message: `selects Windows Server 2025, which needs Kubernetes 1.${FIRST_MINOR}, but the cluster has ${version}: the class is not ready, and nothing is launched`,
      remedy: `write windows2022@latest, or upgrade the cluster to 1.${FIRST_MINOR} first`,
      evidence: { consequence: 'not-ready', kubernetes: version },
      fix: unsafeFix(setField(['spec', 'amiSelectorTerms', index, 'alias'], 'windows2022@latest')),
    };
  },
});

/** Undefined if the version is not known. */
function isSupported(version: string | undefined): boolean | undefined {
  const minor = minorOf(version);
  return minor === undefined ? undefined : minor >= FIRST_MINOR;
}
