import { ApiObject } from 'cdk8s';
import { IConstruct, IMixin } from 'constructs';
import { keepDisruptionBudget } from './private/disruption-budget';
import { isList, refuseListed } from './private/listed-workloads';
import { protect } from './private/protected-object';
import { Settings, settingsOf } from './private/settings';
import { isProtectable } from './private/subject';
import { ResilienceProps } from './resilience-props';

/**
 * Keeps workloads running while Karpenter replaces the nodes under them: `chart.with(new Resilience())` does so for
 * every Deployment, StatefulSet, ReplicaSet, DaemonSet, Job and CronJob in the chart, whatever made it: cdk8s-plus, an
 * `ApiObject`, included YAML, a Helm chart.
 *
 * Values that a manifest sets are kept. Safeguards are added when the manifest is written, so the order in which a
 * workload is created, changed and protected does not matter; constructs added to the scope afterwards are not covered.
 * Applying the mixin twice has the same effect as once: if properties differ, the later ones win, and waivers add up.
 *
 * Workloads in a `List` cannot be protected: the synth fails and names them.
 */
export class Resilience implements IMixin {
  private readonly settings: Settings;

  /**
   * @throws Error if a property has a value that cannot be, or a waiver has no reason
   */
  constructor(props: ResilienceProps = {}) {
    this.settings = settingsOf(props);
  }

  public supports(construct: IConstruct): boolean {
    return ApiObject.isApiObject(construct) && (isProtectable(construct as ApiObject) || isList(construct as ApiObject));
  }

  public applyTo(construct: IConstruct): void {
    const object = construct as ApiObject;
    if (isList(object)) {
      refuseListed(object);
      return;
    }
    protect(object, this.settings);
    keepDisruptionBudget(object);
  }
}
