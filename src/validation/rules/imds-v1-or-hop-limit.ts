import { asRecord } from '../../contract';
import { isChart } from '../controller';
import { fail, notEvaluated, pass } from './private/outcome';
import { joinNames } from './private/wording';
import { Outcome, Rule, RuleContext } from './rule';
import { isToken } from '../manifest/field-reader';
import { NodeClassManifest } from '../manifest/model';

const LOAD_BALANCER_CONTROLLER = 'aws-load-balancer-controller';
/** What Karpenter sets where a class says nothing. */
const DEFAULT_HOP_LIMIT = 1;

/** @see https://karpenter.sh/docs/concepts/nodeclasses/#specmetadataoptions */
export class ImdsV1OrHopLimit implements Rule {
  public readonly id = 'KARP-611';
  public readonly name = 'imds-v1-or-hop-limit';
  public readonly severity = 'warning';
  public readonly summary = 'Pods can read the credentials of their node from its metadata service, or an add-on that needs the service does not reach it.';

  public check(context: RuleContext): Outcome[] {
    return [...context.model.nodeClasses.map((nodeClass) => this.checkClass(nodeClass)), ...this.checkAddOns(context)];
  }

  private checkClass({ object }: NodeClassManifest): Outcome {
    const { httpEndpoint, httpTokens, httpPutResponseHopLimit: hops } = optionsOf(object.raw);
    if ([httpEndpoint, httpTokens, hops].some(isToken)) return notEvaluated(object, 'its metadata options are known only at deployment');
    // Without the service nobody reads anything of it.
    if (httpEndpoint === 'disabled') return pass(object);
    if (httpTokens === 'optional') {
      return this.finding({ object }, 'httpTokens', 'is optional: any pod that can be made to fetch a URL hands out the credentials of its node', 'write httpTokens: required', {});
    }
    if (typeof hops === 'number' && hops > DEFAULT_HOP_LIMIT) {
      return this.finding({ object }, 'httpPutResponseHopLimit', `is ${hops}: every pod reaches the metadata service, and so the credentials of its node`,
        'leave it out, and give pods that need AWS a role by EKS Pod Identity; with a need for it, keep it to one NodePool', { hops });
    }
    return pass(object);
  }

  /** It asks the metadata service for what its values do not say, and is one hop too far away. */
  private checkAddOns({ model: { aws, nodeClasses } }: RuleContext): Outcome[] {
    const near = nodeClasses.filter(({ object }) => {
      const hops = optionsOf(object.raw).httpPutResponseHopLimit ?? DEFAULT_HOP_LIMIT;
      return typeof hops === 'number' && hops <= DEFAULT_HOP_LIMIT;
    });
    const releases = near.length === 0 ? [] : aws.helmReleases.filter((release) => isChart(release, LOAD_BALANCER_CONTROLLER));
    return releases.map(({ resource: { object }, values }) => {
      if (!values) return notEvaluated(object, 'its values are known only at deployment');
      const missing = ['region', 'vpcId'].filter((key) => !values[key] && values.hostNetwork !== true);
      if (missing.length === 0) return pass(object);
      return fail({
        object,
        path: ['Properties', 'Values'],
        message: `has no ${missing.join(' nor ')}, which it then asks the metadata service for: on nodes of EC2NodeClass ${near[0].object.name} that is one hop too far, and the controller crashes`,
        remedy: `set ${joinNames(missing)} in its values`,
        evidence: { missing },
      });
    });
  }

  private finding({ object }: Pick<NodeClassManifest, 'object'>, field: string, message: string, remedy: string, evidence: Readonly<Record<string, unknown>>): Outcome {
    return fail({ object, path: ['spec', 'metadataOptions', field], message: `spec.metadataOptions.${field} ${message}`, remedy, evidence });
  }
}

function optionsOf(raw: any): Readonly<Record<string, unknown>> {
  return asRecord(raw?.spec?.metadataOptions) ?? {};
}
