import { appendItem, asRecord, setField, unsafeFix } from '../../../contract';
import { countText, listText, valueText } from '../../../model';
import { eksctlClusters } from '../../cluster/node-groups';
import { findUnresolved } from '../../manifest/find-unresolved';
import { ManifestObject } from '../../manifest/model';
import { PlainRecord, recordsOf } from '../../manifest/records';
import { AwsModel, EksCluster, readable, sameText } from '../../template';
import { defineRule, NOT_APPLICABLE, SubjectFinding } from '../define-rule';
import { RuleContext } from '../rule';
import { subjectsFrom } from '../subjects';
import { servicesOfEksctl, servicesOfTemplates } from './service-range';

const POD_IDENTITY_AGENT = 'eks-pod-identity-agent';

/**
 * The checks of eksctl that have to do with the permissions and the installation of Karpenter.
 *
 * @see https://github.com/eksctl-io/eksctl/blob/main/pkg/apis/eksctl.io/v1alpha5/validation.go
 */
export const clusterConfigRefused = defineRule({
  id: 'KARP-921',
  name: 'cluster-config-refused',
  severity: 'error',
  readsTerraform: true,
  summary: 'Two parts of the definition of a cluster contradict each other: eksctl or EKS refuses it.',
  subjects: subjectsFrom<Definition>(definitions),
  judge({ object, cluster }, context) {
    if (cluster) {
      const found = [entriesOfTemplates(cluster, context.model.aws), servicesOfTemplates(cluster, context)].flatMap(
        (finding) => finding ?? [],
      );
      return found.length === 0 ? NOT_APPLICABLE : found;
    }
    const raw = object.raw as PlainRecord;
    const checks = [withoutOidc, entriesWithConfigMap, withoutPodIdentityAgent, withoutVersion, servicesOfEksctl];
    const isJudged = [raw.iam, raw.karpenter, raw.accessConfig, raw.kubernetesNetworkConfig].some((field) =>
      asRecord(field),
    );
    return isJudged ? checks.flatMap((check) => check(object, raw) ?? []) : NOT_APPLICABLE;
  },
});

/** A ClusterConfig of eksctl, or the cluster of templates. */
interface Definition {
  readonly object: ManifestObject;
  readonly cluster?: EksCluster;
}

function definitions({ model: { objects, aws } }: RuleContext): Definition[] {
  const ofTemplates = aws.clusters.map((cluster) => ({ object: cluster.resource.object, cluster }));
  return [...eksctlClusters(objects), ...ofTemplates];
}

/** EKS refuses access entries of a cluster in the mode CONFIG_MAP, which is the default of its API. */
function entriesOfTemplates(cluster: EksCluster, { accessEntries, clusters }: AwsModel): SubjectFinding | undefined {
  const { resource, authenticationMode, name } = cluster;
  const [entry] = accessEntries.filter(
    (one) => sameText(one.cluster, name) === 'yes' || (clusters.length === 1 && sameText(one.cluster, name) !== 'no'),
  );
  if (authenticationMode !== 'CONFIG_MAP' || entry === undefined) return undefined;
  const isWritten = resource.properties.AccessConfig !== undefined || resource.type !== 'AWS::EKS::Cluster';
  const isTerraform = resource.tool === 'Terraform';
  const field = isTerraform ? 'authentication_mode' : 'AuthenticationMode';
  const path = ['Properties', 'AccessConfig', 'AuthenticationMode'];
  const isEdited = !isTerraform && resource.type === 'AWS::EKS::Cluster';
  return {
    path: isWritten ? path : [],
    message:
      `${isWritten ? `${field} is CONFIG_MAP` : `there is no ${field}, so it is CONFIG_MAP`}, which has no access entries: ` +
      `EKS refuses ${readable(entry.resource.object.name)}, the deployment fails, and nodes that only this entry admits do not join`,
    remedy: isTerraform
      ? 'write authentication_mode = "API_AND_CONFIG_MAP" in access_config, or "API"'
      : 'write AuthenticationMode: API_AND_CONFIG_MAP, or API',
    evidence: { authenticationMode, accessEntry: entry.resource.object.name },
    severity: isWritten ? undefined : 'warning',
    related: { object: entry.resource.object, path: ['Properties'], label: 'needs the mode API or API_AND_CONFIG_MAP' },
    ...(isEdited ? { fix: unsafeFix(setField(path, 'API_AND_CONFIG_MAP')) } : {}),
  };
}

type Check = (object: ManifestObject, raw: PlainRecord) => SubjectFinding | undefined;

/** By default there is no OIDC provider. */
const withoutOidc: Check = (object, raw) => {
  const iam = asRecord(raw.iam) ?? {};
  const { withOIDC } = iam;
  const accounts = recordsOf(iam.serviceAccounts);
  const users = [
    ...(asRecord(raw.karpenter) === undefined ? [] : [{ path: ['karpenter'], text: 'the section karpenter' }]),
    ...(accounts.length === 0
      ? []
      : [{ path: ['iam', 'serviceAccounts'], text: countText(accounts.length, 'service account with a role') }]),
  ];
  const isOff = withOIDC === undefined || withOIDC === false;
  if (!isOff || users.length === 0) return undefined;
  const path = ['iam', 'withOIDC'];
  return {
    path,
    message:
      `iam.withOIDC is ${withOIDC === undefined ? 'not set, so it is false' : 'false'}, but ${listText(users.map(({ text }) => text))} ` +
      `${users.length === 1 && accounts.length < 2 ? 'needs' : 'need'} the OIDC provider: eksctl refuses the file, and neither the cluster nor Karpenter is created`,
    remedy: 'write iam.withOIDC: true',
    evidence: { withOIDC: withOIDC ?? null, needsOIDC: users.map((user) => user.path.join('.')) },
    fix: unsafeFix(setField(path, true)),
    related: { object, path: users[0].path, label: 'needs the OIDC provider' },
  };
};

const entriesWithConfigMap: Check = (object, raw) => {
  const { authenticationMode, accessEntries } = asRecord(raw.accessConfig) ?? {};
  const count = recordsOf(accessEntries).length;
  if (authenticationMode !== 'CONFIG_MAP' || count === 0) return undefined;
  const path = ['accessConfig', 'authenticationMode'];
  return {
    path,
    message: `authenticationMode is CONFIG_MAP, which has no access entries, but the file has ${count}: eksctl refuses it, and creates nothing`,
    remedy: 'write authenticationMode: API_AND_CONFIG_MAP, or API',
    evidence: { authenticationMode, accessEntries: count },
    fix: unsafeFix(setField(path, 'API_AND_CONFIG_MAP')),
    related: { object, path: ['accessConfig', 'accessEntries'], label: 'needs the mode API or API_AND_CONFIG_MAP' },
  };
};

/** Nodes of EKS Auto Mode have the agent. */
const withoutPodIdentityAgent: Check = (object, raw) => {
  const addons = recordsOf(raw.addons);
  const associations = recordsOf(asRecord(raw.iam)?.podIdentityAssociations);
  const index = addons.findIndex(
    ({ podIdentityAssociations, useDefaultPodIdentityAssociations }) =>
      recordsOf(podIdentityAssociations).length > 0 || useDefaultPodIdentityAssociations === true,
  );
  const isAutoMode = asRecord(raw.autoModeConfig)?.enabled !== undefined;
  const isInstalled = addons.some(({ name }) => name === POD_IDENTITY_AGENT || findUnresolved(name) !== undefined);
  if (isAutoMode || isInstalled || (associations.length === 0 && index < 0)) return undefined;
  const user = associations.length > 0 ? ['iam', 'podIdentityAssociations'] : ['addons', index];
  return {
    path: user,
    message:
      `the file has pod identity associations, but the add-on ${POD_IDENTITY_AGENT}, which gives pods their role, is not among its addons: ` +
      'eksctl refuses the file, and creates nothing',
    remedy: `add - name: ${POD_IDENTITY_AGENT} to addons`,
    evidence: { addons: addons.map(({ name }) => valueText(name)), missing: POD_IDENTITY_AGENT },
    fix:
      addons.length > 0
        ? unsafeFix(appendItem(['addons'], { name: POD_IDENTITY_AGENT }))
        : unsafeFix(setField(['addons'], [{ name: POD_IDENTITY_AGENT }])),
    related: { object, path: ['addons'], label: `has no ${POD_IDENTITY_AGENT}` },
  };
};

const withoutVersion: Check = (_, raw) => {
  const karpenter = asRecord(raw.karpenter);
  if (karpenter === undefined || (karpenter.version !== undefined && karpenter.version !== '')) return undefined;
  return {
    path: ['karpenter'],
    message: 'the section karpenter has no version: eksctl refuses the file, and creates nothing',
    remedy: 'write karpenter.version, such as "1.8.1"',
    evidence: { version: null },
  };
};
