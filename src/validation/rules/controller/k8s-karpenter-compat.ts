import { incompatibilityProblem, firstKarpenterFor, parseKarpenterVersion } from '../../../contract';
import { EksctlCluster, eksctlClusters } from '../../cluster/node-groups';
import { FieldPath, ManifestObject } from '../../manifest/model';
import { fail, notEvaluated, Outcome, pass, Rule, RuleContext } from '../rule';

/** Releases with a known defect. Source: upgrade guide of Karpenter 1.8. */
const DEFECTIVE: Readonly<Record<string, string>> = {
  '1.8.4': 'it schedules pods with topology spread constraints wrongly',
};

/** @see https://karpenter.sh/docs/upgrading/compatibility/ */
export const kubernetesKarpenterCompatibility: Rule = {
  id: 'KARP-908',
  name: 'k8s-karpenter-compat',
  severity: 'error',
  summary: "Karpenter's version does not support the cluster's Kubernetes version, or has a known defect.",
  check({ model: { aws, objects }, controllers }: RuleContext): Outcome[] {
    const eksctl = eksctlClusters(objects);
    const [cluster, ...others] = [...aws.clusters, ...eksctl];
    const only = others.length === 0 ? cluster : undefined;
    const installed = [
      ...controllers.map(({ object, version, pathOf }) => ({ object, version, path: pathOf('version') })),
      ...eksctl.map(installedByEksctl),
    ];
    return installed.flatMap((karpenter): Outcome[] => {
      const { version, object } = karpenter;
      if (version === undefined) return [];
      if (!parseKarpenterVersion(version))
        return [notEvaluated(object, `its version is known only at deployment: ${version}`)];
      if (version in DEFECTIVE)
        return [
          finding(
            karpenter,
            `is ${version}, which has a known defect: ${DEFECTIVE[version]}`,
            'upgrade to a newer patch release',
          ),
        ];
      if (!only) return [];
      if (!/^1\.\d+/.test(only.version ?? ''))
        return [notEvaluated(object, 'the version of the cluster is known only at deployment')];
      const kubernetes = only.version!;
      if (!incompatibilityProblem(kubernetes, version)) return [pass(object)];
      const first = firstKarpenterFor(kubernetes)!;
      return [
        finding(
          karpenter,
          `is ${version}, but Kubernetes ${kubernetes} needs ${first} or newer`,
          `upgrade Karpenter to ${first} or newer before you upgrade the cluster`,
        ),
      ];
    });
  },
};

function finding({ object, path, version }: InstalledKarpenter, message: string, remedy: string): Outcome {
  return fail({ object, path, message: `Karpenter ${message}`, remedy, evidence: { version } });
}

interface InstalledKarpenter {
  readonly object: ManifestObject;
  readonly version?: string;
  readonly path: FieldPath;
}

function installedByEksctl({ object, karpenterVersion }: EksctlCluster): InstalledKarpenter {
  return { object, version: karpenterVersion?.replace(/^v/, ''), path: ['karpenter', 'version'] };
}
