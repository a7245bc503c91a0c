import { ApiObject } from 'cdk8s';
import { IConstruct, IMixin } from 'constructs';
import { ensureDisruptionBudget } from './private/disruption-budget';
import { isProtectable } from './private/editable-workload';
import { isList, rejectListedWorkloads } from './private/listed-workloads';
import { protect } from './private/protected-object';
import { Settings, settingsOf } from './private/settings';
import { ResilienceProps } from './resilience-props';

/**
 * Keeps workloads running while Karpenter replaces the nodes under them: `chart.with(new Resilience())` does so for
 * every Deployment, StatefulSet, ReplicaSet, DaemonSet, Job and CronJob in the chart, no matter how it was created:
 * with cdk8s-plus, as an `ApiObject`, from included YAML or from a Helm chart.
 *
 * Values that a manifest sets are kept. Safeguards are added when the manifest is written, so the order in which a
 * workload is created, changed and protected does not matter; constructs added to the scope afterwards are not covered.
 * Applying the mixin twice has the same effect as once: later properties override earlier ones, and waivers add up.
 *
 * Workloads in a `List` cannot be protected: the synth fails and names them.
 */
export class Resilience implements IMixin {
  private readonly settings: Settings;

  /**
   * @throws Error if a property has an invalid value, or a waiver has no reason
   */
  constructor(props: ResilienceProps = {}) {
    this.settings = settingsOf(props);
  }

  public supports(construct: IConstruct): boolean {
    return (
      ApiObject.isApiObject(construct) && (isProtectable(construct as ApiObject) || isList(construct as ApiObject))
    );
  }

  public applyTo(construct: IConstruct): void {
    const object = construct as ApiObject;
    if (isList(object)) {
      rejectListedWorkloads(object);
      return;
    }
    protect(object, this.settings);
    ensureDisruptionBudget(object);
  }
}
