import { ALL_CONTROLLER_FEATURES, ControllerFeature } from '../../contract';
import { EC2NodeClass } from '../../nodes';
import { ControllerPermissions } from '../controller-permissions';

/** What the policies are made for, all of it decided. */
export interface DecidedPermissions {
  readonly features: ReadonlySet<ControllerFeature>;
  readonly imageParameters: readonly string[];
  /** ARNs, ids and aliases. */
  readonly volumeKeys: readonly string[];
}

/** Without a word, everything that upstream allows. */
export function decidePermissions(permissions: ControllerPermissions): DecidedPermissions {
  const dropped = new Set<ControllerFeature>();
  const isSwitched: ReadonlyArray<[ControllerFeature, boolean | undefined]> = [
    ['instanceProfiles', permissions.instanceProfiles], ['capacityReservations', permissions.capacityReservations],
    ['placementGroups', permissions.placementGroups], ['zonalShift', permissions.zonalShift], ['nodeReboot', permissions.nodeReboot],
  ];
  for (const [feature, wanted] of isSwitched) if (wanted === false) dropped.add(feature);
  if (permissions.isolatedVpc) for (const feature of ['instanceProfiles', 'instanceProfileReads', 'priceList'] as const) dropped.add(feature);
  return {
    features: new Set([...ALL_CONTROLLER_FEATURES].filter((feature) => !dropped.has(feature))),
    imageParameters: permissions.imageParameters ?? [],
    volumeKeys: (permissions.volumeKeys ?? []).map(({ keyArn }) => keyArn),
  };
}

/**
 * The same, with what the EC2NodeClasses of the app say; where there are none, somebody else makes them, and nothing is
 * taken away.
 */
export function decideFrom(nodeClasses: readonly EC2NodeClass[], permissions: ControllerPermissions): DecidedPermissions {
  const specs = nodeClasses.map((nodeClass) => nodeClass._toSpec() as NodeClassSpec);
  const isWritten = (field: keyof NodeClassSpec) => specs.length === 0 || specs.some((spec) => spec[field] !== undefined);
  const decided = decidePermissions({
    ...permissions,
    instanceProfiles: permissions.instanceProfiles ?? isWritten('role'),
    capacityReservations: permissions.capacityReservations ?? isWritten('capacityReservationSelectorTerms'),
    placementGroups: permissions.placementGroups ?? isWritten('placementGroupSelector'),
  });
  return {
    features: decided.features,
    imageParameters: [...new Set([...decided.imageParameters, ...specs.flatMap(parametersOf)])],
    volumeKeys: [...new Set([...decided.volumeKeys, ...specs.flatMap(keysOf)])],
  };
}

interface NodeClassSpec {
  readonly role?: unknown;
  readonly capacityReservationSelectorTerms?: unknown;
  readonly placementGroupSelector?: unknown;
  readonly amiSelectorTerms?: ReadonlyArray<{ readonly ssmParameter?: string }>;
  readonly blockDeviceMappings?: ReadonlyArray<{ readonly ebs?: { readonly kmsKeyID?: string } }>;
}

function parametersOf({ amiSelectorTerms = [] }: NodeClassSpec): string[] {
  return amiSelectorTerms.flatMap(({ ssmParameter }) => ssmParameter === undefined || isOfAws(ssmParameter) ? [] : [ssmParameter]);
}

/** Those are allowed anyway. */
function isOfAws(parameter: string): boolean {
  return parameter.startsWith('/aws/service/') || parameter.includes('::parameter/aws/service/');
}

function keysOf({ blockDeviceMappings = [] }: NodeClassSpec): string[] {
  return blockDeviceMappings.flatMap(({ ebs }) => ebs?.kmsKeyID === undefined ? [] : [ebs.kmsKeyID]);
}
