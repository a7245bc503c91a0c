import {
  firstKarpenterFor,
  incompatibilityProblem,
  isKubernetesTooOld,
  oldestKubernetesFor,
  parseKarpenterVersion,
} from '../../../contract';
import { eksctlClusters } from '../../cluster/node-groups';
import { FieldPath, ManifestObject } from '../../manifest/model';
import { clusterVersions } from '../common/cluster-versions';
import { defineRule, NOT_APPLICABLE, SubjectFinding, unknown } from '../define-rule';
import { RuleContext } from '../rule';
import { subjectsFrom } from '../subjects';

/** Releases with a known defect. Source: upgrade guide of Karpenter 1.8. */
const DEFECTIVE: Readonly<Record<string, string>> = {
  '1.8.4': 'it schedules pods with topology spread constraints wrongly',
};

/** @see https://karpenter.sh/docs/upgrading/compatibility/ */
export const kubernetesKarpenterCompatibility = defineRule({
  id: 'KARP-908',
  name: 'k8s-karpenter-compat',
  severity: 'error',
  summary: "Karpenter's version does not support the cluster's Kubernetes version, or has a known defect.",
  subjects: subjectsFrom<InstalledKarpenter>(installedKarpenters, {
    where: ({ version }) => version !== undefined,
    unknown: ({ version = '' }) =>
      parseKarpenterVersion(version) ? undefined : `its version is known only at deployment: ${version}`,
  }),
  judge({ version = '', path }, context) {
    const finding = (message: string, remedy: string): SubjectFinding => ({
      path,
      message: `Karpenter is ${version}, ${message}`,
      remedy,
      evidence: { version },
    });
    if (version in DEFECTIVE)
      return finding(`which has a known defect: ${DEFECTIVE[version]}`, 'upgrade to a newer patch release');
    const versions = clusterVersions(context.model);
    if (versions.length !== 1) return NOT_APPLICABLE;
    const [kubernetes = ''] = versions;
    if (!/^1\.\d+/.test(kubernetes)) return unknown('the version of the cluster is known only at deployment');
    if (!incompatibilityProblem(kubernetes, version)) return undefined;
    if (isKubernetesTooOld(kubernetes, version)) {
      const oldest = oldestKubernetesFor(version)!;
      return finding(
        `which needs Kubernetes ${oldest} or newer, but the cluster has ${kubernetes}`,
        `upgrade the cluster to Kubernetes ${oldest} or newer`,
      );
    }
    const first = firstKarpenterFor(kubernetes)!;
    return finding(
      `but Kubernetes ${kubernetes} needs ${first} or newer`,
      `upgrade Karpenter to ${first} or newer before you upgrade the cluster`,
    );
  },
});

interface InstalledKarpenter {
  readonly object: ManifestObject;
  readonly version?: string;
  readonly path: FieldPath;
}

function installedKarpenters({ model, controllers }: RuleContext): InstalledKarpenter[] {
  return [
    ...controllers.map(({ object, version, pathOf }) => ({ object, version, path: pathOf('version') })),
    ...eksctlClusters(model.objects).map(({ object, karpenterVersion }) => ({
      object,
      version: karpenterVersion?.replace(/^v/, ''),
      path: ['karpenter', 'version'],
    })),
  ];
}
