import { incompatibilityProblem, firstKarpenterFor, parseKarpenterVersion } from '../../../contract';
import { Controller } from '../../controller';
import { fail, notEvaluated, Outcome, pass, Rule, RuleContext } from '../rule';

/** Releases with a known defect. Source: upgrade guide of Karpenter 1.8. */
const DEFECTIVE: Readonly<Record<string, string>> = { '1.8.4': 'it schedules pods with topology spread constraints wrongly' };

/** @see https://karpenter.sh/docs/upgrading/compatibility/ */
export class KubernetesKarpenterCompatibility implements Rule {
  public readonly id = 'KARP-908';
  public readonly name = 'k8s-karpenter-compat';
  public readonly severity = 'error';
  public readonly summary = 'Karpenter\'s version does not support the cluster\'s Kubernetes version, or has a known defect.';

  public check({ model: { aws }, controllers }: RuleContext): Outcome[] {
    return controllers.flatMap((controller): Outcome[] => {
      const { version, object } = controller;
      if (version === undefined) return [];
      if (!parseKarpenterVersion(version)) return [notEvaluated(object, `its version is known only at deployment: ${version}`)];
      if (version in DEFECTIVE) return [this.finding(controller, `is ${version}, which has a known defect: ${DEFECTIVE[version]}`, 'upgrade to a newer patch release')];
      const [cluster, ...others] = aws.clusters;
      if (!cluster || others.length > 0) return [];
      if (cluster.version === undefined) return [notEvaluated(object, 'the version of the cluster is known only at deployment')];
      if (!incompatibilityProblem(cluster.version, version)) return [pass(object)];
      const first = firstKarpenterFor(cluster.version)!;
      return [this.finding(controller, `is ${version}, but Kubernetes ${cluster.version} needs ${first} or newer`, `upgrade Karpenter to ${first} or newer before you upgrade the cluster`)];
    });
  }

  private finding({ object, pathOf, version }: Controller, message: string, remedy: string): Outcome {
    return fail({ object, path: pathOf('version'), message: `Karpenter ${message}`, remedy, evidence: { version } });
  }
}
