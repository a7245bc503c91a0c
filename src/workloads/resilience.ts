import { ApiObject } from 'cdk8s';
import { IConstruct, IMixin } from 'constructs';
import { keepDisruptionBudget } from './private/disruption-budget';
import { isList, refuseListed } from './private/listed-workloads';
import { protect } from './private/protected-object';
import { Settings, settingsOf } from './private/settings';
import { isProtectable } from './private/subject';
import { ResilienceProps } from './resilience-props';

/**
 * Keeps workloads running while Karpenter replaces the nodes under them: `chart.with(new Resilience())` does so for every Deployment,
 * StatefulSet, ReplicaSet, DaemonSet, Job and CronJob in the chart, whatever made it: cdk8s-plus, an `ApiObject`, included YAML, a Helm chart.
 *
 * What a manifest says itself is left as it is. It is looked at when the manifest is written, so that it does not matter in which order a
 * workload is made, changed and protected; only what is added to the scope afterwards is not covered. To apply it twice is to apply it
 * once; where the properties differ, the later ones count, and waivers add up.
 *
 * Workloads in a `List` are not protected: the synth fails, and names them.
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
