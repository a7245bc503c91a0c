import { ApiStatus, findApiStatus, NEWEST_KARPENTER_VERSION } from '../../contract';
import { ManifestObject } from '../manifest/model';
import { fail, pass } from './private/outcome';
import { Outcome, Rule, RuleContext } from './rule';

/** @see https://karpenter.sh/docs/upgrading/upgrade-guide/ */
export class LegacyApiVersion implements Rule {
  public readonly id = 'KARP-101';
  public readonly name = 'legacy-api-version';
  public readonly severity = 'error';
  public readonly summary = 'An object of Karpenter is written in an API version or kind that the Karpenter release does not serve.';

  public check({ model, options }: RuleContext): Outcome[] {
    const version = options.karpenterVersion ?? NEWEST_KARPENTER_VERSION;
    return model.objects.flatMap((object) => {
      const status = findApiStatus(object.apiVersion, object.kind, version);
      switch (status.state) {
        case 'foreign': return [];
        case 'served': return [pass(object)];
        case 'unknown': return isOnlyMisspelt(object, status) ? [] : [this.finding(object, status, version)];
        default: return [this.finding(object, status, version)];
      }
    });
  }

  private finding(object: ManifestObject, status: ApiStatus, version: string): Outcome {
    return fail({
      object,
      path: ['apiVersion'],
      message: messageOf(object, status, version),
      remedy: remedyOf(status),
      evidence: {
        apiVersion: object.apiVersion,
        kind: object.kind,
        karpenterVersion: version,
        removedIn: status.api?.removedIn ?? null,
        servedSince: status.api?.since ?? null,
        successor: status.successor ?? null,
      },
    });
  }
}

/** A kind in other letters, as `Nodepool`, is told as soon as it is read. */
function isOnlyMisspelt({ apiVersion, kind }: ManifestObject, { successor }: ApiStatus): boolean {
  return successor?.toLowerCase() === `${apiVersion} ${kind}`.toLowerCase();
}

function messageOf(object: ManifestObject, status: ApiStatus, version: string): string {
  const written = `${object.kind} of ${object.apiVersion}`;
  const refused = 'the API server rejects the object, and nothing that depends on it launches';
  switch (status.state) {
    case 'removed': return `${written} is not served since Karpenter ${status.api?.removedIn}, and the release here is ${version}: ${refused}`;
    case 'future': return `${written} is served from Karpenter ${status.api?.since} on, and the release here is ${version}: ${refused}`;
    default: return `no release of Karpenter ever served ${written}: ${refused}`;
  }
}

function remedyOf(status: ApiStatus): string {
  if (status.state === 'future') {
    return `run Karpenter ${status.api?.since} or later`;
  }
  if (status.successor === undefined) {
    return 'write one of the kinds that Karpenter serves: NodePool and NodeClaim of karpenter.sh/v1, EC2NodeClass of karpenter.k8s.aws/v1';
  }
  const [apiVersion, kind] = status.successor.split(' ');
  const convert = status.state === 'removed' ? '; `karpenter-constructs convert` writes it so' : '';
  return `write it as kind ${kind} of apiVersion ${apiVersion}, whose fields differ from this one's${convert}`;
}
