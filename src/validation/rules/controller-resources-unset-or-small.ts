import { asRecord } from '../../contract';
import { Quantity } from '../../model';
import { fail, notEvaluated, pass } from './private/outcome';
import { Outcome, Rule, RuleContext } from './rule';
import { Controller, installed, valueAt } from '../controller';
import { isToken } from '../manifest/field-reader';

const ONE_CPU = Quantity.parse('1');
/** What upstream's getting started guide gives it. */
const REMEDY = 'write controller.resources with requests of cpu: 1 and memory: 1Gi, a memory limit of the same, and no cpu limit';

/** @see https://karpenter.sh/docs/getting-started/getting-started-with-karpenter/ */
export class ControllerResourcesUnsetOrSmall implements Rule {
  public readonly id = 'KARP-903';
  public readonly name = 'controller-resources-unset-or-small';
  public readonly severity = 'warning';
  public readonly summary = 'Karpenter runs without requests, or with a limit that slows it down: it is the first to be evicted, or the last to launch a node.';

  public check({ controllers }: RuleContext): Outcome[] {
    return installed(controllers).map((controller) => this.checkController(controller));
  }

  private checkController(controller: Controller): Outcome {
    if (controller.fromChart && !controller.complete) return notEvaluated(controller.object, 'its values are known only at deployment');
    const resources = asRecord(valueAt(controller.values, 'controller', 'resources')) ?? {};
    const [requests, limits] = ['requests', 'limits'].map((key) => asRecord(resources[key]) ?? {});
    if ([...Object.values(requests), ...Object.values(limits)].some(isToken)) return notEvaluated(controller.object, 'its resources are known only at deployment');
    // Where there is a limit and no request, the limit is the request.
    const missing = ['cpu', 'memory'].filter((resource) => requests[resource] === undefined && limits[resource] === undefined);
    if (missing.length > 0) {
      return this.finding(controller, `requests no ${missing.join(' nor ')}: on a full node it is the first to be evicted or starved, and then nothing scales`);
    }
    const cpuLimit = Quantity.tryParse(limits.cpu);
    if (cpuLimit && cpuLimit.compare(ONE_CPU) < 0) return this.finding(controller, `has a cpu limit of ${cpuLimit}: below one CPU its decisions take minutes where many pods wait`);
    return pass(controller.object);
  }

  private finding({ object, pathOf, values }: Controller, message: string): Outcome {
    return fail({ object, path: pathOf('controller', 'resources'), message: `Karpenter ${message}`, remedy: REMEDY, evidence: { resources: valueAt(values, 'controller', 'resources') ?? {} } });
  }
}
