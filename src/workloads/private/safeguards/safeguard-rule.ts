import { Safeguard } from '../../safeguard';
import { Autoscaler } from '../cluster-objects';
import { WorkloadRole, EditableWorkload } from '../editable-workload';
import { Settings } from '../settings';

/** Facts about a workload from related objects of the cluster. */
export interface WorkloadFacts {
  readonly autoscaler?: Autoscaler;
  /**
   * Name of the claim that all pods of the workload (or of the scaled workload) share, if it can be mounted on one node
   * only.
   */
  readonly sharedClaim?: string;
  /** Reason why the scaled workload waives `Safeguard.REPLICAS`. */
  readonly targetWaiver?: string;
}

export interface SafeguardRule {
  readonly safeguard: Safeguard;
  readonly roles: readonly WorkloadRole[];
  /** Sets values that the manifest leaves out. Returns a value of the manifest that is weaker than the safeguard. */
  apply(subject: EditableWorkload, settings: Settings, surroundings: WorkloadFacts): string | undefined;
}
