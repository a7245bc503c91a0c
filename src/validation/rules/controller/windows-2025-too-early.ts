import { asRecord } from '../../../contract';
import { eksctlClusters } from '../../cluster/node-groups';
import { NodeClassManifest } from '../../manifest/model';
import { recordsOf } from '../../manifest/records';
import { classesInUse } from '../common/class-use';
import { fail, notEvaluated, Outcome, pass, Rule, RuleContext } from '../rule';

/** The first Kubernetes minor version for which Karpenter resolves the alias. */
const FIRST_MINOR = 35;
const ALIAS = /^windows2025@/;

/** @see https://github.com/aws/karpenter-provider-aws/blob/v1.15.1/pkg/providers/amifamily/ami.go */
export const windows2025TooEarly: Rule = {
  id: 'KARP-918',
  name: 'windows-2025-too-early',
  severity: 'error',
  summary:
    'A node class selects Windows Server 2025, but the cluster is older than Kubernetes 1.35: nothing is launched.',
  check({ model }: RuleContext): Outcome[] {
    const versions = [...model.aws.clusters, ...eksctlClusters(model.objects)].map(({ version }) => version);
    return versions.length === 0 ? [] : classesInUse(model).flatMap((nodeClass) => checkClass(nodeClass, versions));
  },
};

function checkClass({ object }: NodeClassManifest, versions: ReadonlyArray<string | undefined>): Outcome[] {
  const terms = recordsOf(asRecord(object.raw.spec)?.amiSelectorTerms);
  const index = terms.findIndex(({ alias }) => typeof alias === 'string' && ALIAS.test(alias));
  if (index < 0) return [];
  const supported = versions.map(isSupported);
  if (supported.every((answer) => answer === true)) return [pass(object)];
  if (supported.includes(undefined))
    return [notEvaluated(object, 'the version of the cluster is known only at deployment')];
  if (supported.includes(true))
    return [notEvaluated(object, `it may be for any of the clusters with the versions ${versions.join(', ')}`)];
  const [version] = versions;
  return [
    fail({
      object,
      path: ['spec', 'amiSelectorTerms', index, 'alias'],
      message: `selects Windows Server 2025, which needs Kubernetes 1.${FIRST_MINOR}, but the cluster has ${version}: the class is not ready, and nothing is launched`,
      remedy: `write windows2022@latest, or upgrade the cluster to 1.${FIRST_MINOR} first`,
      evidence: { kubernetes: version },
    }),
  ];
}

/** Undefined if the version is not known. */
function isSupported(version: string | undefined): boolean | undefined {
  const minor = /^1\.(\d+)/.exec(version ?? '')?.[1];
  return minor === undefined ? undefined : Number(minor) >= FIRST_MINOR;
}
