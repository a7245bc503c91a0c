import { amiFamilyOfClass, asRecord, FieldFix, setField, unsafeFix } from '../../../contract';
import { listText } from '../../../model';
import { isChart } from '../../controller';
import { isToken } from '../../manifest/field-reader';
import { ManifestObject, NodeClassManifest } from '../../manifest/model';
import { classesInUse } from '../common/class-use';
import { fail, notEvaluated, Outcome, pass, Rule, RuleContext, Severity } from '../rule';

const LOAD_BALANCER_CONTROLLER = 'aws-load-balancer-controller';
/** Karpenter's default for httpPutResponseHopLimit. */
const DEFAULT_HOP_LIMIT = 1;
/** Karpenter's default before v1. `convert` writes it out, so that pods keep their access. */
const EARLIER_HOP_LIMIT = 2;

/** @see https://karpenter.sh/docs/concepts/nodeclasses/#specmetadataoptions */
export const imdsV1OrHopLimit: Rule = {
  id: 'KARP-611',
  name: 'imds-v1-or-hop-limit',
  severity: 'warning',
  summary:
    "Pods can read their node's credentials from the metadata service (IMDS), or what needs the service cannot reach it.",
  check(context: RuleContext): Outcome[] {
    return [...classesInUse(context.model).map((nodeClass) => checkClass(nodeClass)), ...checkAddOns(context)];
  },
};

function checkClass({ object }: NodeClassManifest): Outcome {
  const { httpEndpoint, httpTokens, httpPutResponseHopLimit: hops } = optionsOf(object.raw);
  if ([httpEndpoint, httpTokens, hops].some(isToken))
    return notEvaluated(object, 'its metadata options are known only at deployment');
  if (httpEndpoint === 'disabled') return disabledService(object);
  if (httpTokens === 'optional') {
    return finding(
      { object },
      'httpTokens',
      "is optional, which allows IMDSv1: a pod that can be tricked into fetching a URL leaks its node's credentials",
      'write httpTokens: required',
      {},
      undefined,
      unsafeFix(setField(['spec', 'metadataOptions', 'httpTokens'], 'required')),
    );
  }
  if (typeof hops === 'number' && hops > DEFAULT_HOP_LIMIT) {
    return finding(
      { object },
      'httpPutResponseHopLimit',
      `is ${hops}: every pod can reach the metadata service and read its node's credentials`,
      'remove it and use EKS Pod Identity for pods that need AWS; if some pods need IMDS, use a separate NodePool for them',
      { hops },
      hops === EARLIER_HOP_LIMIT ? 'info' : undefined,
    );
  }
  return pass(object);
}

/** A disabled metadata service exposes no credentials. An AMI of one's own may join without the service. */
function disabledService(object: ManifestObject): Outcome {
  const family = amiFamilyOfClass(asRecord(object.raw.spec) ?? {});
  if (family === undefined) return notEvaluated(object, 'its AMI family is not known');
  if (family === 'Custom') return pass(object);
  return finding(
    { object },
    'httpEndpoint',
    `is disabled: nodes of AMI family ${family} read their user data from the metadata service, so they never join the cluster`,
    'write httpEndpoint: enabled with httpTokens: required; httpPutResponseHopLimit: 1 keeps pods away from it',
    { family, consequence: 'never-joins' },
    'error',
    unsafeFix(setField(['spec', 'metadataOptions', 'httpEndpoint'], 'enabled')),
  );
}

/**
 * The AWS Load Balancer Controller reads missing values from the metadata service, which is two hops away from a pod.
 */
function checkAddOns({ model }: RuleContext): Outcome[] {
  const limitedClasses = classesInUse(model).filter(({ object }) => {
    const hops = optionsOf(object.raw).httpPutResponseHopLimit ?? DEFAULT_HOP_LIMIT;
    return typeof hops === 'number' && hops <= DEFAULT_HOP_LIMIT;
  });
  const releases =
    limitedClasses.length === 0
      ? []
      : model.aws.helmReleases.filter((release) => isChart(release, LOAD_BALANCER_CONTROLLER));
  return releases.map(({ resource: { object }, values }) => {
    if (!values) return notEvaluated(object, 'its values are known only at deployment');
    const missing = ['region', 'vpcId'].filter((key) => !values[key] && values.hostNetwork !== true);
    if (missing.length === 0) return pass(object);
    return fail({
      object,
      path: ['Properties', 'Values'],
      message: `does not set ${listText(missing)}, so it queries the metadata service: nodes of EC2NodeClass ${limitedClasses[0].object.name} allow pods no access, and the controller crashes`,
      remedy: `set ${listText(missing)} in its values`,
      evidence: { missing },
    });
  });
}

function finding(
  { object }: Pick<NodeClassManifest, 'object'>,
  field: string,
  message: string,
  remedy: string,
  evidence: Readonly<Record<string, unknown>>,
  severity?: Severity,
  fix?: FieldFix,
): Outcome {
  return fail({
    object,
    path: ['spec', 'metadataOptions', field],
    message: `spec.metadataOptions.${field} ${message}`,
    remedy,
    evidence,
    severity,
    fix,
  });
}

function optionsOf(raw: any): Readonly<Record<string, unknown>> {
  return asRecord(raw?.spec?.metadataOptions) ?? {};
}
