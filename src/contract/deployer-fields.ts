/**
 * The fields of the objects that install charts and clusters, by the path of their mapping. Paths that are not listed
 * take any key. Newer releases may have further fields, so an unknown key alone is no mistake.
 */
export type FieldsByPath = Readonly<Record<string, readonly string[]>>;

const words = (text: string) => text.split(' ');

const FLUX_ACTION =
  'timeout remediation disableWait disableWaitForJobs disableHooks disableOpenAPIValidation disableSchemaValidation ' +
  'disableTakeOwnership crds strategy serverSideApply';

/** @see https://fluxcd.io/flux/components/helm/api/v2/ */
export const HELM_RELEASE_FIELDS: FieldsByPath = {
  '': words('apiVersion kind metadata spec status'),
  spec: words(
    'chart chartRef interval kubeConfig suspend releaseName targetNamespace storageNamespace dependsOn timeout ' +
      'maxHistory serviceAccountName persistentClient driftDetection install test rollback upgrade uninstall ' +
      'valuesFrom values postRenderers commonMetadata waitStrategy healthCheckExprs',
  ),
  'spec.chart': words('spec metadata'),
  'spec.chart.spec': words(
    'chart version sourceRef interval reconcileStrategy valuesFiles valuesFile ignoreMissingValuesFiles verify',
  ),
  'spec.install': words(`${FLUX_ACTION} replace skipCRDs createNamespace`),
  'spec.upgrade': words(`${FLUX_ACTION} force preserveValues cleanupOnFail`),
};

const ARGO_SOURCE = words('repoURL path targetRevision helm kustomize directory plugin chart ref name');
const ARGO_HELM = words(
  'valueFiles parameters releaseName values fileParameters version passCredentials ignoreMissingValueFiles skipCrds ' +
    'valuesObject namespace kubeVersion apiVersions skipTests skipSchemaValidation',
);

/** @see https://argo-cd.readthedocs.io/en/stable/user-guide/application-specification/ */
export const APPLICATION_FIELDS: FieldsByPath = {
  '': words('apiVersion kind metadata spec status operation'),
  spec: words(
    'source sources destination project syncPolicy ignoreDifferences info revisionHistoryLimit sourceHydrator',
  ),
  'spec.destination': words('server name namespace'),
  'spec.source': ARGO_SOURCE,
  'spec.source.helm': ARGO_HELM,
};

/** @see https://schema.eksctl.io/ */
export const CLUSTER_CONFIG_FIELDS: FieldsByPath = {
  '': words(
    'apiVersion kind metadata kubernetesNetworkConfig autoModeConfig remoteNetworkConfig iam iamIdentityMappings ' +
      'identityProviders accessConfig vpc addons addonsConfig privateCluster nodeGroups managedNodeGroups ' +
      'fargateProfiles availabilityZones localZones cloudWatch secretsEncryption karpenter gitops git status outpost ' +
      'zonalShiftConfig',
  ),
  metadata: words('name region version tags annotations accountID'),
  karpenter: words('version createServiceAccount defaultInstanceProfile withSpotInterruptionQueue'),
  iam: words(
    'serviceRoleARN serviceRolePermissionsBoundary fargatePodExecutionRoleARN ' +
      'fargatePodExecutionRolePermissionsBoundary withOIDC serviceAccounts autoCreatePodIdentityAssociations ' +
      'podIdentityAssociations vpcResourceControllerPolicy',
  ),
  accessConfig: words('authenticationMode bootstrapClusterCreatorAdminPermissions accessEntries'),
};
