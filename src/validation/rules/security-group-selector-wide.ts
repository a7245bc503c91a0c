import { asRecord } from '../../contract';
import { fail, notEvaluated, pass } from './private/outcome';
import { selects } from './private/selector-terms';
import { joinNames } from './private/wording';
import { Outcome, Rule, RuleContext } from './rule';
import { NodeClassManifest } from '../manifest/model';
import { PlainRecord, recordsOf } from '../manifest/records';
import { anyOf, SecurityGroup } from '../template';

const CLUSTER_TAG = 'kubernetes.io/cluster/';

/** @see https://karpenter.sh/docs/concepts/nodeclasses/#specsecuritygroupselectorterms */
export class SecurityGroupSelectorWide implements Rule {
  public readonly id = 'KARP-613';
  public readonly name = 'security-group-selector-wide';
  public readonly severity = 'error';
  public readonly summary = 'A node class takes several security groups that are tagged as the cluster\'s: load balancers want exactly one, and fail.';

  public check({ model: { nodeClasses, aws } }: RuleContext): Outcome[] {
    return nodeClasses.flatMap((nodeClass) => {
      const terms = recordsOf(asRecord(nodeClass.object.raw.spec)?.securityGroupSelectorTerms);
      const byClusterTag = terms.findIndex((term) => Object.keys(asRecord(term.tags) ?? {}).some((key) => key.startsWith(CLUSTER_TAG)));
      if (byClusterTag >= 0) return [this.clusterTag(nodeClass, byClusterTag)];
      return aws.securityGroups.length === 0 || terms.length === 0 ? [] : [this.checkGroups(nodeClass, terms, aws.securityGroups)];
    });
  }

  private clusterTag({ object }: NodeClassManifest, term: number): Outcome {
    return fail({
      object,
      path: ['spec', 'securityGroupSelectorTerms', term, 'tags'],
      message: `selects security groups by ${CLUSTER_TAG}<name>, a tag that EKS and others give to groups of their own: whatever has it is put on the nodes, and with two of them no load balancer is made`,
      remedy: 'select by a tag of its own, such as karpenter.sh/discovery, that one group of the nodes has',
      evidence: { term },
      severity: 'warning',
    });
  }

  private checkGroups({ object }: NodeClassManifest, terms: readonly PlainRecord[], groups: readonly SecurityGroup[]): Outcome {
    const answers = groups.map((group) => ({ group, answer: anyOf(terms.map((term) => selects(term, group))) }));
    const tagged = answers.filter(({ group, answer }) => answer === 'yes' && Object.keys(group.tags ?? {}).some((key) => key.startsWith(CLUSTER_TAG)))
      .map(({ group }) => group.resource.object.name);
    if (tagged.length > 1) {
      return fail({
        object,
        path: ['spec', 'securityGroupSelectorTerms'],
        message: `selects the security groups ${joinNames(tagged)}, which are all tagged ${CLUSTER_TAG}<name>: controllers of load balancers want exactly one such group on a node, and fail`,
        remedy: 'take the tag off all but one, or select one group by a tag of its own',
        evidence: { securityGroups: tagged },
      });
    }
    if (answers.some(({ answer }) => answer === 'unknown')) return notEvaluated(object, 'which security groups it selects is known only at deployment');
    if (answers.every(({ answer }) => answer === 'no')) return notEvaluated(object, 'it selects no security group of the templates, and may select others');
    return pass(object);
  }
}
