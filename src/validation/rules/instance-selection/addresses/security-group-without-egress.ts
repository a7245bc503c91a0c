import { asRecord } from '../../../../contract';
import { shortListText } from '../../../../model';
import { NodeClassManifest } from '../../../manifest/model';
import { recordsOf } from '../../../manifest/records';
import { selectsResource } from '../../../template';
import { classesInUse } from '../../common/class-use';
import { defineRule, Judgement, NOT_APPLICABLE } from '../../define-rule';
import { subjectsFrom } from '../../subjects';

/**
 * AWS gives a new security group a rule that allows all outgoing traffic. Terraform removes it.
 *
 * @see https://registry.terraform.io/providers/hashicorp/aws/latest/docs/resources/security_group
 */
export const securityGroupWithoutEgress = defineRule<NodeClassManifest>({
  id: 'KARP-272',
  name: 'security-group-without-egress',
  readsTerraform: true,
  severity: 'error',
  summary: 'Terraform makes the security groups of nodes without a rule for outgoing traffic: nodes do not join.',
  subjects: subjectsFrom<NodeClassManifest>(({ model }) => classesInUse(model), {
    where: (_, { model: { aws, writtenAws } }) => aws === writtenAws && aws.securityGroups.length > 0,
  }),
  judge({ object }, { model: { aws } }): Judgement {
    const terms = recordsOf(asRecord(object.raw.spec)?.securityGroupSelectorTerms);
    const selected = terms.map((term) => aws.securityGroups.filter((group) => selectsResource(term, group) !== 'no'));
    const isCertain = (at: number) => selected[at].some((group) => selectsResource(terms[at], group) === 'yes');
    // Modules and tags of others may be about security groups that the files do not show.
    const hasOthers = [...aws.resources.values()].some(({ type }) => type === 'Terraform::Tags');
    if (terms.length === 0 || hasOthers || !terms.every((_, at) => isCertain(at))) return NOT_APPLICABLE;
    const groups = [...new Set(selected.flat())];
    if (groups.some(({ isClosed }) => isClosed !== true)) return undefined;
    const names = groups.map(({ resource }) => resource.object.name);
    return {
      object: groups[0].resource.object,
      path: [],
      message: `${names.length === 1 ? 'has' : `and ${shortListText(names.slice(1))} have`} no egress rule, and Terraform removes the one that AWS adds: nodes of EC2NodeClass ${object.name}, which have no other security group, reach neither EKS nor ECR, and do not join`,
      remedy:
        'add egress { from_port = 0, to_port = 0, protocol = "-1", cidr_blocks = ["0.0.0.0/0"] }, one argument a line',
      evidence: { securityGroups: names, nodeClasses: [object.name], consequence: 'never-joins' },
      related: { object, path: ['spec', 'securityGroupSelectorTerms'], label: 'selects it' },
    };
  },
});
