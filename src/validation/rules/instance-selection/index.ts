import { AffinityUnsatisfiableByAnyPool } from './affinity-unsatisfiable-by-any-pool';
import { ArchitectureUnconstrained } from './architecture-unconstrained';
import { CapacityTypeUnsetMeansSpot } from './capacity-type-unset-means-spot';
import { ExcludedPartitionLaunched } from './excluded-partition-launched';
import { NodePoolMatchesZeroInstanceTypes } from './nodepool-matches-zero-instance-types';
import { SpecialPoolWithoutTaint } from './special-pool-without-taint';
import { SpreadOverZoneWithoutTypes } from './spread-over-zone-without-types';
import { TaintWithoutToleration } from './taint-without-toleration';
import { ZoneOutsideRegion } from './zone-outside-region';
import { ZoneWithoutTypes } from './zone-without-types';
import { Rule } from '../rule';

/** In the order of their ids. */
export const INSTANCE_SELECTION_RULES: readonly Rule[] = [
  new NodePoolMatchesZeroInstanceTypes(),
  new ArchitectureUnconstrained(),
  new CapacityTypeUnsetMeansSpot(),
  new TaintWithoutToleration(),
  new AffinityUnsatisfiableByAnyPool(),
  new ExcludedPartitionLaunched(),
  new SpecialPoolWithoutTaint(),
  new ZoneOutsideRegion(),
  new ZoneWithoutTypes(),
  new SpreadOverZoneWithoutTypes(),
];
