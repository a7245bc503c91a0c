import { fail, notEvaluated, pass } from './private/outcome';
import { Outcome, Rule, RuleContext } from './rule';

/** The first version of Kubernetes for which EKS makes no AMI of Amazon Linux 2. */
const FIRST_WITHOUT = 33;

/** @see https://docs.aws.amazon.com/eks/latest/userguide/eks-ami-deprecation-faqs.html */
export class Al2Eol implements Rule {
  public readonly id = 'KARP-907';
  public readonly name = 'al2-eol';
  public readonly severity = 'error';
  public readonly summary = 'A node class wants Amazon Linux 2, for which EKS makes no AMI from Kubernetes 1.33 on: it finds none, and nothing is launched.';

  public check({ model: { nodeClasses, aws } }: RuleContext): Outcome[] {
    const [cluster, ...others] = aws.clusters;
    const minor = Number(/^1\.(\d+)/.exec(cluster?.version ?? '')?.[1]);
    if (!cluster || others.length > 0) return [];
    return nodeClasses.filter(({ facts }) => facts?.amiFamily === 'AL2').map(({ object }) => {
      const terms = object.raw.spec.amiSelectorTerms;
      const byAlias = Array.isArray(terms) && terms.some((term) => typeof term?.alias === 'string');
      if (!byAlias || minor < FIRST_WITHOUT) return pass(object);
      if (Number.isNaN(minor)) return notEvaluated(object, 'the version of the cluster is known only at deployment');
      return fail({
        object,
        path: ['spec', 'amiSelectorTerms', 0, 'alias'],
        message: `wants Amazon Linux 2 in a cluster of Kubernetes ${cluster.version}, for which EKS makes no such AMI: the class finds none, and nothing is launched`,
        remedy: 'write an alias of al2023 or bottlerocket',
        evidence: { kubernetes: cluster.version },
      });
    });
  }
}
