/** Resolves what the controller's policies allow, from ControllerPermissions and the app's EC2NodeClasses. */
import { Chart } from 'cdk8s';
import { ALL_CONTROLLER_FEATURES, ControllerFeature, helmValue } from '../../contract';
import { parseGoBool } from '../../model';
import { EC2NodeClass } from '../../nodes';
import { ControllerPermissions } from '../controller-permissions';

/** The permissions with all defaults applied. */
export interface ResolvedPermissions {
  readonly features: ReadonlySet<ControllerFeature>;
  readonly imageParameters: readonly string[];
  /** ARNs, ids and aliases of KMS keys. */
  readonly volumeKeys: readonly string[];
}

/** Everything that upstream's policies allow, except for features that are switched off. */
export function resolvePermissions(permissions: ControllerPermissions): ResolvedPermissions {
  const disabled = new Set<ControllerFeature>();
  const switches: ReadonlyArray<[ControllerFeature, boolean | undefined]> = [
    ['instanceProfiles', permissions.instanceProfiles],
    ['capacityReservations', permissions.capacityReservations],
    ['placementGroups', permissions.placementGroups],
    ['zonalShift', permissions.zonalShift],
    ['nodeReboot', permissions.nodeReboot],
  ];
  for (const [feature, enabled] of switches) if (enabled === false) disabled.add(feature);
  if (permissions.isolatedVpc)
    for (const feature of ['instanceProfiles', 'instanceProfileReads', 'priceList'] as const) disabled.add(feature);
  return {
    features: new Set([...ALL_CONTROLLER_FEATURES].filter((feature) => !disabled.has(feature))),
    imageParameters: permissions.imageParameters ?? [],
    volumeKeys: (permissions.volumeKeys ?? []).map(({ keyArn }) => keyArn),
  };
}

/**
 * If something else installs the chart, it may enable features that the values do not have. An isolated VPC is a fact
 * about the cluster.
 */
export function permissionsFromHelmValues(
  helmValues: { readonly [key: string]: unknown },
  installsChart: boolean,
): { zonalShift?: boolean; nodeReboot?: boolean; isolatedVpc: boolean } {
  const isOn = (...keys: string[]) => parseGoBool(helmValue(helmValues, 'settings', ...keys)) === true;
  const isolatedVpc = isOn('isolatedVPC');
  if (!installsChart) return { isolatedVpc };
  return {
    zonalShift: isOn('enableZonalShift'),
    nodeReboot: isOn('awsFeatureGates', 'rebootForRepair'),
    isolatedVpc,
  };
}

/**
 * The EC2NodeClasses whose features decide the permissions. Without any from `addNodeClass`, those of charts are
 * ignored and upstream's permissions stay, because other EC2NodeClasses may be created outside the app.
 */
export function decisiveNodeClasses(added: readonly EC2NodeClass[], charts: readonly Chart[]): EC2NodeClass[] {
  const charted = charts
    .flatMap((chart) => chart.node.findAll())
    .filter((construct) => construct instanceof EC2NodeClass);
  return added.length === 0 ? [] : [...added, ...charted];
}

/**
 * Disables features that no EC2NodeClass of the app uses, and adds the images and keys that they name. Without an
 * EC2NodeClass in the app nothing is disabled, because they are then created outside the app.
 */
export function resolveFromNodeClasses(
  nodeClasses: readonly EC2NodeClass[],
  permissions: ControllerPermissions,
): ResolvedPermissions {
  const specs = nodeClasses.map((nodeClass) => nodeClass._toSpec() as NodeClassSpec);
  const isUsed = (field: keyof NodeClassSpec) => specs.length === 0 || specs.some((spec) => spec[field] !== undefined);
  const permitted = resolvePermissions({
    ...permissions,
    instanceProfiles: permissions.instanceProfiles ?? isUsed('role'),
    capacityReservations: permissions.capacityReservations ?? isUsed('capacityReservationSelectorTerms'),
    placementGroups: permissions.placementGroups ?? isUsed('placementGroupSelector'),
  });
  return {
    features: permitted.features,
    imageParameters: [...new Set([...permitted.imageParameters, ...specs.flatMap(imageParametersOf)])],
    volumeKeys: [...new Set([...permitted.volumeKeys, ...specs.flatMap(kmsKeysOf)])],
  };
}

interface NodeClassSpec {
  readonly role?: unknown;
  readonly capacityReservationSelectorTerms?: unknown;
  readonly placementGroupSelector?: unknown;
  readonly amiSelectorTerms?: ReadonlyArray<{ readonly ssmParameter?: string }>;
  readonly blockDeviceMappings?: ReadonlyArray<{ readonly ebs?: { readonly kmsKeyID?: string } }>;
}

function imageParametersOf({ amiSelectorTerms = [] }: NodeClassSpec): string[] {
  return amiSelectorTerms.flatMap(({ ssmParameter }) =>
    ssmParameter === undefined || isAwsParameter(ssmParameter) ? [] : [ssmParameter],
  );
}

/** Public parameters of AWS, which the controller may always read. */
function isAwsParameter(parameter: string): boolean {
  return parameter.startsWith('/aws/service/') || parameter.includes('::parameter/aws/service/');
}

function kmsKeysOf({ blockDeviceMappings = [] }: NodeClassSpec): string[] {
  return blockDeviceMappings.flatMap(({ ebs }) => (ebs?.kmsKeyID === undefined ? [] : [ebs.kmsKeyID]));
}
