/** What a setup uses of Karpenter, where permissions depend on it. */
export type ControllerFeature = 'instanceProfiles' | 'instanceProfileReads' | 'capacityReservations' | 'placementGroups' |
  'interruptionQueue' | 'zonalShift' | 'instanceStatus' | 'priceList' | 'nodeReboot';

/** A feature, and the first release of Karpenter that has it. */
export interface ControllerFeatureFacts {
  readonly since: string;
  /** What switches it on, in a few words. */
  readonly use: string;
}

/** In the order of the policies. */
export const CONTROLLER_FEATURES: Readonly<Record<ControllerFeature, ControllerFeatureFacts>> = {
  instanceProfiles: { since: '1.0.0', use: 'an EC2NodeClass with `role`' },
  instanceProfileReads: { since: '1.0.0', use: 'anything but `isolatedVPC`' },
  capacityReservations: { since: '1.3.0', use: 'an EC2NodeClass with `capacityReservationSelectorTerms`' },
  placementGroups: { since: '1.11.0', use: 'an EC2NodeClass with `placementGroupSelector`' },
  interruptionQueue: { since: '1.0.0', use: 'the setting `interruptionQueue`' },
  zonalShift: { since: '1.12.0', use: 'the setting `enableZonalShift`' },
  instanceStatus: { since: '1.12.0', use: 'always: Karpenter polls the status checks of instances' },
  priceList: { since: '1.0.0', use: 'anything but `isolatedVPC`' },
  nodeReboot: { since: '1.15.0', use: 'the feature gates `nodeRepair` and `rebootForRepair`' },
};

/** Upstream's published policies allow all of them. */
export const ALL_CONTROLLER_FEATURES: ReadonlySet<ControllerFeature> = new Set(Object.keys(CONTROLLER_FEATURES) as ControllerFeature[]);
