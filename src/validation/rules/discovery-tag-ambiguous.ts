import { asRecord } from '../../contract';
import { fail, notEvaluated, pass } from './private/outcome';
import { selects } from './private/selector-terms';
import { joinNames } from './private/wording';
import { Outcome, Rule, RuleContext } from './rule';
import { NodeClassManifest } from '../manifest/model';
import { recordsOf } from '../manifest/records';
import { anyOf, sameText, Subnet } from '../template';

const REMEDY = 'select by a tag that the private subnets of the cluster have, and no others';

/** @see https://karpenter.sh/docs/concepts/nodeclasses/#specsubnetselectorterms */
export class DiscoveryTagAmbiguous implements Rule {
  public readonly id = 'KARP-614';
  public readonly name = 'discovery-tag-ambiguous';
  public readonly severity = 'error';
  public readonly summary = 'A node class selects subnets of several VPCs, where nodes cannot join, or public subnets beside private ones.';

  public check({ model: { nodeClasses, aws } }: RuleContext): Outcome[] {
    return aws.subnets.length === 0 ? [] : nodeClasses.flatMap((nodeClass) => this.checkClass(nodeClass, aws.subnets));
  }

  private checkClass({ object }: NodeClassManifest, subnets: readonly Subnet[]): Outcome[] {
    const spec = asRecord(object.raw.spec);
    const terms = recordsOf(spec?.subnetSelectorTerms);
    if (terms.length === 0) return [];
    const answers = subnets.map((subnet) => ({ subnet, answer: anyOf(terms.map((term) => selects(term, subnet))) }));
    const selected = answers.filter(({ answer }) => answer === 'yes').map(({ subnet }) => subnet);
    const finding = this.severalVpcs(object, selected) ?? this.publicAndPrivate(object, selected, spec?.associatePublicIPAddress);
    if (finding) return [finding];
    if (answers.some(({ answer }) => answer === 'unknown')) return [notEvaluated(object, 'which subnets it selects is known only at deployment')];
    if (selected.length === 0) return [notEvaluated(object, 'it selects no subnet of the templates, and may select others')];
    return [pass(object)];
  }

  private severalVpcs(object: NodeClassManifest['object'], selected: readonly Subnet[]): Outcome | undefined {
    const other = selected.find(({ vpc }) => sameText(vpc, selected[0].vpc) === 'no');
    if (!other) return undefined;
    const names = [selected[0], other].map(nameOf);
    return fail({
      object,
      path: ['spec', 'subnetSelectorTerms'],
      message: `selects subnets of several VPCs, such as ${joinNames(names)}: an instance in the wrong one has no security group of the cluster, and is not launched`,
      remedy: REMEDY,
      evidence: { subnets: names },
    });
  }

  /** Where the class itself says which addresses nodes have, subnets decide nothing of it. */
  private publicAndPrivate(object: NodeClassManifest['object'], selected: readonly Subnet[], associate: unknown): Outcome | undefined {
    const open = selected.filter(({ mapsPublicIp }) => mapsPublicIp === true).map(nameOf);
    const closed = selected.filter(({ mapsPublicIp }) => mapsPublicIp === false).map(nameOf);
    if (open.length === 0 || closed.length === 0 || associate !== undefined) return undefined;
    return fail({
      object,
      path: ['spec', 'subnetSelectorTerms'],
      message: `selects the public ${open.length === 1 ? 'subnet' : 'subnets'} ${joinNames(open)} beside private ones: nodes there have public addresses, and Karpenter takes the subnet with the most free ones`,
      remedy: `${REMEDY}; or write associatePublicIPAddress`,
      evidence: { public: open, private: closed },
      severity: 'warning',
    });
  }
}

function nameOf({ resource }: Subnet): string {
  return resource.object.name;
}
