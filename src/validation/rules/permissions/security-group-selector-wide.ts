import { asRecord } from '../../../contract';
import { listText } from '../../../model';

import { PlainRecord, recordsOf } from '../../manifest/records';
import { anyOf, AwsModel, SecurityGroup, selectsResource } from '../../template';
import { defineRule, Judgement, NOT_APPLICABLE, unknown, SubjectFinding } from '../define-rule';
import { nodeClasses } from '../subjects';

const CLUSTER_TAG = 'kubernetes.io/cluster/';

/** @see https://karpenter.sh/docs/concepts/nodeclasses/#specsecuritygroupselectorterms */
export const securityGroupSelectorWide = defineRule({
  id: 'KARP-613',
  name: 'security-group-selector-wide',
  readsTerraform: true,
  severity: 'error',
  summary:
    "A node class selects several security groups with the cluster's tag: load balancer controllers need exactly one and fail.",
  subjects: nodeClasses(),
  judge({ object }, { model: { aws } }) {
    const terms = recordsOf(object.raw.spec?.securityGroupSelectorTerms);
    const byClusterTag = terms.findIndex((term) =>
      Object.keys(asRecord(term.tags) ?? {}).some((key) => key.startsWith(CLUSTER_TAG)),
    );
    if (byClusterTag >= 0) {
      if (!hasOnlyClusterGroup(aws)) return clusterTag(byClusterTag, 'warning');
      // Modules and other files may create more groups.
      return aws.opaque.length === 0 ? undefined : clusterTag(byClusterTag, 'info');
    }
    return aws.securityGroups.length === 0 || terms.length === 0
      ? NOT_APPLICABLE
      : judgeGroups(terms, aws.securityGroups);
  },
});

/** Whether the input creates the cluster, and no security group with its tag: EKS itself creates one such group. */
function hasOnlyClusterGroup({ clusters, securityGroups }: AwsModel): boolean {
  return (
    clusters.length > 0 &&
    securityGroups.every(({ tags }) => tags && !Object.keys(tags).some((key) => key.startsWith(CLUSTER_TAG)))
  );
}

function clusterTag(term: number, severity: 'warning' | 'info'): SubjectFinding {
  return {
    path: ['spec', 'securityGroupSelectorTerms', term, 'tags'],
    message: `selects security groups by the tag ${CLUSTER_TAG}<name>, which EKS also puts on its own groups: if a node gets two of them, load balancers cannot be created`,
    remedy: 'select by a dedicated tag, such as karpenter.sh/discovery, on a single node security group',
    evidence: { term },
    severity,
  };
}

function judgeGroups(terms: readonly PlainRecord[], groups: readonly SecurityGroup[]): Judgement {
  const answers = groups.map((group) => ({
    group,
    answer: anyOf(terms.map((term) => selectsResource(term, group))),
  }));
  const tagged = answers
    .filter(
      ({ group, answer }) =>
        answer === 'yes' && Object.keys(group.tags ?? {}).some((key) => key.startsWith(CLUSTER_TAG)),
    )
    .map(({ group }) => group.resource.object.name);
  if (tagged.length > 1) {
    return {
      path: ['spec', 'securityGroupSelectorTerms'],
      message: `selects security groups ${listText(tagged)}, which all have the tag ${CLUSTER_TAG}<name>: load balancer controllers fail unless a node has exactly one such group`,
      remedy: 'remove the tag from all but one group, or select one group by a dedicated tag',
      evidence: { securityGroups: tagged },
    };
  }
  if (answers.some(({ answer }) => answer === 'unknown'))
    return unknown('which security groups it selects is known only at deployment');
  if (answers.every(({ answer }) => answer === 'no'))
    return unknown('it selects no security group of the templates and may select existing ones');
  return undefined;
}
