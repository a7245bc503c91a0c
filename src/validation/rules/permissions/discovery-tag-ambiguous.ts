import { asRecord } from '../../../contract';
import { fail, notEvaluated, Outcome, pass, Rule, RuleContext } from '../rule';
import { selectsResource } from './selector-terms';
import { NodeClassManifest } from '../../manifest/model';
import { recordsOf } from '../../manifest/records';
import { anyOf, sameText, Subnet } from '../../template';
import { joinNames } from '../common/wording';

const REMEDY = 'select by a tag that only the private subnets of the cluster have';

/** @see https://karpenter.sh/docs/concepts/nodeclasses/#specsubnetselectorterms */
export const discoveryTagAmbiguous: Rule = {
  id: 'KARP-614',
  name: 'discovery-tag-ambiguous',
  severity: 'error',
  summary: 'A node class selects subnets of several VPCs, which breaks launches, or both public and private subnets.',
  check({ model: { nodeClasses, aws } }: RuleContext): Outcome[] {
    return aws.subnets.length === 0 ? [] : nodeClasses.flatMap((nodeClass) => checkClass(nodeClass, aws.subnets));
  },
};

function checkClass({ object }: NodeClassManifest, subnets: readonly Subnet[]): Outcome[] {
  const spec = asRecord(object.raw.spec);
  const terms = recordsOf(spec?.subnetSelectorTerms);
  if (terms.length === 0) return [];
  const answers = subnets.map((subnet) => ({
    subnet,
    answer: anyOf(terms.map((term) => selectsResource(term, subnet))),
  }));
  const selected = answers.filter(({ answer }) => answer === 'yes').map(({ subnet }) => subnet);
  const finding = severalVpcs(object, selected) ?? publicAndPrivate(object, selected, spec?.associatePublicIPAddress);
  if (finding) return [finding];
  if (answers.some(({ answer }) => answer === 'unknown'))
    return [notEvaluated(object, 'which subnets it selects is known only at deployment')];
  if (selected.length === 0)
    return [notEvaluated(object, 'it selects no subnet of the templates and may select existing ones')];
  return [pass(object)];
}

function severalVpcs(object: NodeClassManifest['object'], selected: readonly Subnet[]): Outcome | undefined {
  const foreign = selected.find(({ vpc }) => sameText(vpc, selected[0].vpc) === 'no');
  if (!foreign) return undefined;
  const names = [selected[0], foreign].map(nameOf);
  return fail({
    object,
    path: ['spec', 'subnetSelectorTerms'],
    message: `selects subnets of several VPCs, such as ${joinNames(names)}: launches in the wrong VPC fail, because the cluster's security groups are not there`,
    remedy: REMEDY,
    evidence: { subnets: names },
  });
}

/** If the class sets associatePublicIPAddress, the subnets do not decide which addresses nodes get. */
function publicAndPrivate(
  object: NodeClassManifest['object'],
  selected: readonly Subnet[],
  associate: unknown,
): Outcome | undefined {
  const publicSubnets = selected.filter(({ mapsPublicIp }) => mapsPublicIp === true).map(nameOf);
  const privateSubnets = selected.filter(({ mapsPublicIp }) => mapsPublicIp === false).map(nameOf);
  if (publicSubnets.length === 0 || privateSubnets.length === 0 || associate !== undefined) return undefined;
  return fail({
    object,
    path: ['spec', 'subnetSelectorTerms'],
    message:
      `selects public ${publicSubnets.length === 1 ? 'subnet' : 'subnets'} ${joinNames(publicSubnets)} as well as private ones: Karpenter uses the subnet with the most free addresses, ` +
      'so some nodes get public IP addresses',
    remedy: `${REMEDY}; or set associatePublicIPAddress`,
    evidence: { public: publicSubnets, private: privateSubnets },
    severity: 'warning',
  });
}

function nameOf({ resource }: Subnet): string {
  return resource.object.name;
}
