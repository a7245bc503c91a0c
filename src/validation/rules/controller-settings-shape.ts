import { unreadSettings } from './private/chart-settings';
import { fail, notEvaluated, pass } from './private/outcome';
import { findUnresolved } from './private/unresolved';
import { Outcome, Rule, RuleContext } from './rule';
import { asRecord } from '../../contract';
import { Controller, valueAt } from '../controller';
import { readable, sameText } from '../template';

/** @see https://karpenter.sh/docs/reference/settings/ */
export class ControllerSettingsShape implements Rule {
  public readonly id = 'KARP-115';
  public readonly name = 'controller-settings-shape';
  public readonly severity = 'error';
  public readonly summary = 'The chart is told of no cluster, of another one than it is installed in, or of a setting that it does not have: Helm refuses it, nodes join that other cluster, or nothing reads the setting.';

  public check({ controllers }: RuleContext): Outcome[] {
    return controllers.filter(({ fromChart }) => fromChart).flatMap((controller) => [this.checkCluster(controller), ...this.checkKeys(controller)]);
  }

  /** Helm says nothing of values that its templates do not read. */
  private checkKeys({ object, values, version, pathOf }: Controller): Outcome[] {
    if (version?.startsWith('0.')) return [];
    return unreadSettings(asRecord(values.settings) ?? {}).map(({ path, meant }) => {
      const [given, read] = [path, meant].map((steps) => ['settings', ...steps].join('.'));
      return fail({
        object,
        path: pathOf('settings', ...path),
        message: `${given} is no value of the chart: nothing reads it, and Karpenter is as if it were not there`,
        remedy: meant.length < path.length ? `write what is below it in ${read} itself, by the names of today` : `write ${read}`,
        evidence: { given, read },
      });
    });
  }

  /** Without a name Helm fails: `required` in templates/deployment.yaml of the chart of Karpenter for AWS 1.15.1, which variables do not help. */
  private checkCluster(controller: Controller): Outcome {
    const { object, release, complete } = controller;
    const name = valueAt(controller.values, 'settings', 'clusterName');
    if (typeof name !== 'string' || name === '') {
      if (!complete) return notEvaluated(object, 'its values are known only at deployment');
      return this.finding(controller, 'settings.clusterName is not set: Helm refuses to install the chart', release && readable(release.cluster));
    }
    if (!release || findUnresolved(readable(name)) !== undefined) return pass(object);
    const same = sameText(name, release.cluster);
    if (same === 'unknown') return notEvaluated(object, `whether ${readable(name)} is the cluster that it is installed in is known only at deployment`);
    if (same === 'yes') return pass(object);
    return this.finding(controller, `settings.clusterName is ${readable(name)}, and the chart is installed in cluster ${readable(release.cluster)}: `
      + 'Karpenter asks EKS for the other one, tags its instances as that one\'s, and has them join it', readable(release.cluster));
  }

  private finding({ object, pathOf }: Controller, message: string, cluster: string | undefined): Outcome {
    const remedy = cluster === undefined ? 'write the name of the cluster: settings.clusterName' : `write settings.clusterName: ${cluster}`;
    return fail({ object, path: pathOf('settings', 'clusterName'), message, remedy, evidence: { cluster: cluster ?? null } });
  }
}
