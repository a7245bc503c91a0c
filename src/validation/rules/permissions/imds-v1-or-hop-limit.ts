import { amiFamilyOfClass, asRecord, FieldFix, FieldPath, setField, unsafeFix } from '../../../contract';
import { listText, valueText } from '../../../model';
import { gitOpsReleases, isChart } from '../../controller';
import { isToken } from '../../manifest/field-reader';
import { ManifestObject, NodeClassManifest } from '../../manifest/model';
import { PlainRecord, recordsOf } from '../../manifest/records';
import { classesInUse } from '../common/class-use';
import { fail, notEvaluated, Outcome, pass, Rule, RuleContext, Severity } from '../rule';

const LOAD_BALANCER_CONTROLLER = 'aws-load-balancer-controller';
const CONTROLLER_IMAGE = /(?:^|\/)aws-load-balancer-controller(?:[:@]|$)/;
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
function checkAddOns(context: RuleContext): Outcome[] {
  const { model } = context;
  const limitedClasses = classesInUse(model).filter(({ object }) => {
    const hops = optionsOf(object.raw).httpPutResponseHopLimit ?? DEFAULT_HOP_LIMIT;
    return typeof hops === 'number' && hops <= DEFAULT_HOP_LIMIT;
  });
  if (limitedClasses.length === 0) return [];
  const [{ object: nodeClass }] = limitedClasses;
  const releases = model.aws.helmReleases.filter((release) => isChart(release, LOAD_BALANCER_CONTROLLER));
  return [
    ...releases.map(({ resource: { object }, values }) =>
      checkRelease({ object, path: ['Properties', 'Values'], values }, nodeClass.name),
    ),
    ...gitOpsReleases(model.objects, LOAD_BALANCER_CONTROLLER).map(({ object, valuesPath, values, complete }) =>
      // Its pods may run on nodes of a node group, and the region may come from the service account.
      complete && !values.vpcId
        ? checkRelease({ object, path: valuesPath, values, severity: 'info' }, nodeClass.name)
        : pass(object),
    ),
    ...checkDeployments(context, limitedClasses),
  ];
}

interface Release {
  readonly object: ManifestObject;
  readonly path: FieldPath;
  /** @default - known only at deployment */
  readonly values?: PlainRecord;
  readonly severity?: Severity;
}

function checkRelease({ object, path, values, severity }: Release, nodeClass: string): Outcome {
  if (!values) return notEvaluated(object, 'its values are known only at deployment');
  const isElsewhere = Object.keys(asRecord(values.nodeSelector) ?? {}).length > 0 || values.affinity !== undefined;
  const missing = ['region', 'vpcId'].filter((key) => !values[key] && values.hostNetwork !== true);
  if (missing.length === 0 || isElsewhere) return pass(object);
  return fail({
    object,
    path,
    message: `does not set ${listText(missing)}, so it queries the metadata service: nodes of EC2NodeClass ${nodeClass} allow pods no access, and the controller crashes${severity === undefined ? '' : ' there'}`,
    remedy: `set ${listText(missing)} in its values`,
    evidence: { missing },
    severity,
  });
}

/** Its Deployments that are planned on nodes of these classes. The region may come from the service account. */
function checkDeployments({ model, plan }: RuleContext, limited: readonly NodeClassManifest[]): Outcome[] {
  const pools = new Map(model.nodePools.map(({ object, spec }) => [object.name, spec?.nodeClass]));
  return model.workloads.flatMap(({ object, group, podPath }): Outcome[] => {
    const pod = asRecord(object.raw.spec?.template?.spec);
    const containers = recordsOf(pod?.containers);
    const index = containers.findIndex(({ image }) => CONTROLLER_IMAGE.test(valueText(image ?? '')));
    const args = JSON.stringify([containers[index]?.args, containers[index]?.command]);
    const claim = plan.nodeClaims.find(({ groups }) => group !== undefined && (groups.get(group) ?? 0) > 0);
    const nodeClass = limited.find((one) => one.object.name === pools.get(claim?.nodePool ?? ''))?.object.name;
    if (index < 0 || pod?.hostNetwork === true || nodeClass === undefined || /--aws-vpc-(?:id|tags)/.test(args))
      return [];
    return [
      fail({
        object,
        path: [...podPath, 'containers', index, 'args'],
        message: `has no --aws-vpc-id, so it queries the metadata service: nodes of EC2NodeClass ${nodeClass} allow pods no access, and the controller crashes`,
        remedy: 'add --aws-vpc-id and --aws-region to its args',
        evidence: { missing: ['--aws-vpc-id'] },
      }),
    ];
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
