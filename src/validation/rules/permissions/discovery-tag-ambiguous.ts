import { asRecord } from '../../../contract';
import { listText } from '../../../model';

import { recordsOf } from '../../manifest/records';
import { anyOf, sameText, Subnet, selectsResource } from '../../template';
import { defineRule, NOT_APPLICABLE, SubjectFinding, unknown } from '../define-rule';
import { nodeClasses } from '../subjects';

const REMEDY = 'select by a tag that only the private subnets of the cluster have';

/** @see https://karpenter.sh/docs/concepts/nodeclasses/#specsubnetselectorterms */
export const discoveryTagAmbiguous = defineRule({
  id: 'KARP-614',
  name: 'discovery-tag-ambiguous',
  readsTerraform: true,
  severity: 'error',
  summary: 'A node class selects subnets of several VPCs, which breaks launches, or both public and private subnets.',
  subjects: nodeClasses({ where: (_, { model }) => model.aws.subnets.length > 0 }),
  judge({ object }, { model }) {
    const spec = asRecord(object.raw.spec);
    const terms = recordsOf(spec?.subnetSelectorTerms);
    if (terms.length === 0) return NOT_APPLICABLE;
    const answers = model.aws.subnets.map((subnet) => ({
      subnet,
      answer: anyOf(terms.map((term) => selectsResource(term, subnet))),
    }));
    const selected = answers.filter(({ answer }) => answer === 'yes').map(({ subnet }) => subnet);
    const finding = severalVpcs(selected) ?? publicAndPrivate(selected, spec?.associatePublicIPAddress);
    if (finding) return finding;
    if (answers.some(({ answer }) => answer === 'unknown'))
      return unknown('which subnets it selects is known only at deployment');
    if (selected.length === 0) return unknown('it selects no subnet of the templates and may select existing ones');
    return undefined;
  },
});

function severalVpcs(selected: readonly Subnet[]): SubjectFinding | undefined {
  const foreign = selected.find(({ vpc }) => sameText(vpc, selected[0].vpc) === 'no');
  if (!foreign) return undefined;
  const names = [selected[0], foreign].map(nameOf);
  return {
    path: ['spec', 'subnetSelectorTerms'],
    message: `selects subnets of several VPCs, such as ${listText(names)}: launches in the wrong VPC fail, because the cluster's security groups are not there`,
    remedy: REMEDY,
    evidence: { subnets: names },
  };
}

/** If the class sets associatePublicIPAddress, the subnets do not decide which addresses nodes get. */
function publicAndPrivate(selected: readonly Subnet[], associate: unknown): SubjectFinding | undefined {
  const publicSubnets = selected.filter(({ mapsPublicIp }) => mapsPublicIp === true).map(nameOf);
  const privateSubnets = selected.filter(({ mapsPublicIp }) => mapsPublicIp === false).map(nameOf);
  if (publicSubnets.length === 0 || privateSubnets.length === 0 || associate !== undefined) return undefined;
  return {
    path: ['spec', 'subnetSelectorTerms'],
    message:
      `selects public ${publicSubnets.length === 1 ? 'subnet' : 'subnets'} ${listText(publicSubnets)} as well as private ones: Karpenter uses the subnet with the most free addresses, ` +
      'so some nodes get public IP addresses',
    remedy: `${REMEDY}; or set associatePublicIPAddress`,
    evidence: { public: publicSubnets, private: privateSubnets },
    severity: 'warning',
  };
}

function nameOf({ resource }: Subnet): string {
  return resource.object.name;
}
