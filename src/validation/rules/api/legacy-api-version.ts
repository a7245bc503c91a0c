import { ApiStatus, findApiStatus, NEWEST_KARPENTER_VERSION } from '../../../contract';
import { ManifestObject } from '../../manifest/model';
import { defineRule, NOT_APPLICABLE, SubjectFinding, unknown } from '../define-rule';
import { subjectsWith } from '../subjects';

/** @see https://karpenter.sh/docs/upgrading/upgrade-guide/ */
export const legacyApiVersion = defineRule({
  id: 'KARP-101',
  name: 'legacy-api-version',
  severity: 'error',
  summary: 'An object of Karpenter has an API version or kind that the Karpenter release does not serve.',
  subjects: subjectsWith<ManifestObject>(
    (object) => object,
    ({ model }) => model.objects,
  ),
  judge(object, { model, options }) {
    const version = options.karpenterVersion ?? options.servingVersion ?? NEWEST_KARPENTER_VERSION;
    const isAssumed = options.karpenterVersion === undefined && options.servingVersion === undefined;
    const release = isAssumed ? `${version} is assumed` : `this is ${version}`;
    const status = findApiStatus(object.apiVersion, object.kind, version);
    const isServedBy = (other: string) => findApiStatus(object.apiVersion, object.kind, other).state === 'served';
    if (model.otherReleases?.some(isServedBy)) return NOT_APPLICABLE;
    switch (status.state) {
      case 'foreign':
        return NOT_APPLICABLE;
      case 'served':
        return undefined;
      case 'unknown':
        return isWrongCase(object, status) ? NOT_APPLICABLE : finding(object, status, version, release);
      default:
        if (isAssumed && model.isReleaseUnknown === true) return unknown(UNKNOWN_RELEASE);
        return isReplaced(object, model.objects)
          ? { ...finding(object, status, version, release), ...REPLACED }
          : finding(object, status, version, release);
    }
  },
});

const UNKNOWN_RELEASE =
  'the version of the helm_release of Karpenter is known only to Terraform; pass it with --karpenter-version';
/** The kinds of earlier releases, with their successors. */
const SUCCESSORS: Readonly<Record<string, string>> = { Provisioner: 'NodePool', AWSNodeTemplate: 'EC2NodeClass' };
const REPLACED = {
  severity: 'info',
  remedy:
    'delete it if the NodePools and EC2NodeClasses of the input replace it; `karpenter-constructs convert` rewrites it otherwise',
} as const;

/** Whether the input has the successor of the kind as well, so that the object is most likely left over. */
function isReplaced({ kind, apiVersion }: ManifestObject, objects: readonly ManifestObject[]): boolean {
  const [group] = apiVersion.split('/');
  return objects.some((other) => other.kind === SUCCESSORS[kind] && other.apiVersion.split('/')[0] === group);
}

/** @param release a clause that says which release it is, and whether that is assumed */
function finding(object: ManifestObject, status: ApiStatus, version: string, release: string): SubjectFinding {
  return {
    path: ['apiVersion'],
    message: messageOf(object, status, release),
    remedy: remedyOf(status),
    evidence: {
      consequence: 'rejected',
      apiVersion: object.apiVersion,
      kind: object.kind,
      karpenterVersion: version,
      removedIn: status.api?.removedIn ?? null,
      servedSince: status.api?.since ?? null,
      successor: status.successor ?? null,
    },
  };
}

/** A kind in the wrong case, such as `Nodepool`, is already reported by the manifest reader. */
function isWrongCase({ apiVersion, kind }: ManifestObject, { successor }: ApiStatus): boolean {
  return successor?.toLowerCase() === `${apiVersion} ${kind}`.toLowerCase();
}

function messageOf(object: ManifestObject, status: ApiStatus, release: string): string {
  const written = `${object.apiVersion} ${object.kind}`;
  const rejected = 'the API server rejects the object, and nothing that depends on it launches';
  switch (status.state) {
    case 'removed':
      return `${written} was removed in Karpenter ${status.api?.removedIn}, and ${release}: ${rejected}`;
    case 'future':
      return `${written} needs Karpenter ${status.api?.since}, and ${release}: ${rejected}`;
    default:
      return `${written} exists in no Karpenter release: ${rejected}`;
  }
}

function remedyOf(status: ApiStatus): string {
  if (status.state === 'future') {
    return `run Karpenter ${status.api?.since} or later`;
  }
  if (status.successor === undefined) {
    return 'write karpenter.sh/v1 NodePool or NodeClaim, or karpenter.k8s.aws/v1 EC2NodeClass';
  }
  const [apiVersion, kind] = status.successor.split(' ');
  const convert = status.state === 'removed' ? '; `karpenter-constructs convert` rewrites it' : '';
  return `write apiVersion: ${apiVersion} and kind: ${kind}, which has different fields${convert}`;
}
