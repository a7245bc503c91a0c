/** The part that the Resilient… classes of all kinds and of all releases of cdk8s-plus have in common. */
import { ApiObject } from 'cdk8s';
import type { AbstractPodProps } from 'cdk8s-plus-28';
import { PodResourcesProps } from '../pod-resources-props';
import { ResilienceProps } from '../resilience-props';
import { defaultedProps } from './cdk8s-plus-defaults';
import { ensureDisruptionBudget } from './disruption-budget';
import { protect } from './protected-object';
import { settingsOf } from './settings';
import { ExtendedResources } from '../extended-resources';
import { VolumeClaims } from '../volume-claims';

type WorkloadProps = AbstractPodProps & { readonly replicas?: number } & ResilienceProps & PodResourcesProps;

/**
 * Adds devices, volumes, safeguards and a PodDisruptionBudget.
 *
 * @param replicas the default replica count of cdk8s-plus for this kind
 */
export function makeResilient(workload: ApiObject, props: WorkloadProps, replicas?: number): void {
  addPodResources(workload, props);
  protect(workload, settingsOf(props, defaultedProps(props, replicas)));
  ensureDisruptionBudget(workload);
}

/** Applies the mixins for devices and volumes that the props have. */
function addPodResources(workload: ApiObject, { extendedResources = [], volumeClaims = [] }: PodResourcesProps): void {
  if (extendedResources.length > 0) new ExtendedResources(...extendedResources).applyTo(workload);
  if (volumeClaims.length > 0) new VolumeClaims(...volumeClaims).applyTo(workload);
}
