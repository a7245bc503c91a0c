import { classesInUse } from '../common/class-use';
import { fail, notEvaluated, Outcome, pass, Rule, RuleContext } from '../rule';

/** The first Kubernetes minor version for which EKS publishes no Amazon Linux 2 AMI. */
const FIRST_MINOR_WITHOUT_AL2 = 33;

/** @see https://docs.aws.amazon.com/eks/latest/userguide/eks-ami-deprecation-faqs.html */
export class Al2Eol implements Rule {
  public readonly id = 'KARP-907';
  public readonly name = 'al2-eol';
  public readonly severity = 'error';
  public readonly summary = 'A node class selects Amazon Linux 2, for which EKS publishes no AMI since Kubernetes 1.33: nothing is launched.';

  public check({ model }: RuleContext): Outcome[] {
    const [cluster, ...others] = model.aws.clusters;
    const minor = Number(/^1\.(\d+)/.exec(cluster?.version ?? '')?.[1]);
    if (!cluster || others.length > 0) return [];
    return classesInUse(model).filter(({ facts }) => facts?.amiFamily === 'AL2').map(({ object }) => {
      const terms = object.raw.spec.amiSelectorTerms;
      const byAlias = Array.isArray(terms) && terms.some((term) => typeof term?.alias === 'string');
      if (!byAlias || minor < FIRST_MINOR_WITHOUT_AL2) return pass(object);
      if (Number.isNaN(minor)) return notEvaluated(object, 'the version of the cluster is known only at deployment');
      return fail({
        object,
        path: ['spec', 'amiSelectorTerms', 0, 'alias'],
        message: `selects Amazon Linux 2, for which EKS publishes no AMI for Kubernetes ${cluster.version}: the class finds no AMI, and nothing is launched`,
        remedy: 'write an alias of AL2023 or Bottlerocket, such as al2023@<version>',
        evidence: { kubernetes: cluster.version },
      });
    });
  }
}
