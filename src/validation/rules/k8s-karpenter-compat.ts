import { findIncompatibility, firstKarpenterFor, parseKarpenterVersion } from '../../contract';
import { fail, notEvaluated, pass } from './private/outcome';
import { Outcome, Rule, RuleContext } from './rule';
import { Controller } from '../controller';

/** Releases that upstream tells people to leave. Source: upgrade guide of Karpenter 1.8. */
const DEFECTIVE: Readonly<Record<string, string>> = { '1.8.4': 'it places pods with topology spread wrongly' };

/** @see https://karpenter.sh/docs/upgrading/compatibility/ */
export class KubernetesKarpenterCompatibility implements Rule {
  public readonly id = 'KARP-908';
  public readonly name = 'k8s-karpenter-compat';
  public readonly severity = 'error';
  public readonly summary = 'The version of Karpenter is not made for the version of Kubernetes that the cluster has, or has a known defect.';

  public check({ model: { aws }, controllers }: RuleContext): Outcome[] {
    return controllers.flatMap((controller): Outcome[] => {
      const { version, object } = controller;
      if (version === undefined) return [];
      if (!parseKarpenterVersion(version)) return [notEvaluated(object, `its version is known only at deployment: ${version}`)];
      if (version in DEFECTIVE) return [this.finding(controller, `is ${version}, which has a known defect: ${DEFECTIVE[version]}`, 'move to a newer patch release')];
      const [cluster, ...others] = aws.clusters;
      if (!cluster || others.length > 0) return [];
      if (cluster.version === undefined) return [notEvaluated(object, 'the version of the cluster is known only at deployment')];
      if (!findIncompatibility(cluster.version, version)) return [pass(object)];
      const first = firstKarpenterFor(cluster.version)!;
      return [this.finding(controller, `is ${version}, and Kubernetes ${cluster.version} needs ${first} or newer`, `move Karpenter to ${first} or newer, before the cluster`)];
    });
  }

  private finding({ object, pathOf, version }: Controller, message: string, remedy: string): Outcome {
    return fail({ object, path: pathOf('version'), message: `Karpenter ${message}`, remedy, evidence: { version } });
  }
}
