import { asRecord } from '../../../contract';
import { Quantity } from '../../../model';
import { Controller, chartValue } from '../../controller';
import { isToken } from '../../manifest/field-reader';
import { chartValueFix } from '../common/edits/chart-value-fix';
import { defineRule, unknown, SubjectFinding } from '../define-rule';
import { installedKarpenter, whyValuesUnknown } from '../subjects';

const ONE_CPU = Quantity.parse('1');
/** What the types, nodes and pods of a small cluster take. */
const LEAST_MEMORY = Quantity.parse('256Mi');
/** The values of Karpenter's getting started guide. */
const REMEDY =
  'write controller.resources: requests of cpu: 1 and memory: 1Gi, a memory limit of 1Gi, and no cpu limit';

const RESOURCES = { requests: { cpu: 1, memory: '1Gi' }, limits: { memory: '1Gi' } };

/** @see https://karpenter.sh/docs/getting-started/getting-started-with-karpenter/ */
export const controllerResourcesUnsetOrSmall = defineRule({
  id: 'KARP-903',
  name: 'controller-resources-unset-or-small',
  severity: 'warning',
  summary:
    'Karpenter runs without resource requests, or with a limit below 1 CPU or 256Mi of memory: it may be evicted, starved or killed.',
  subjects: installedKarpenter({ unknown: whyValuesUnknown }),
  judge(controller) {
    const resources = asRecord(chartValue(controller.values, 'controller', 'resources')) ?? {};
    const [requests, limits] = ['requests', 'limits'].map((key) => asRecord(resources[key]) ?? {});
    if ([...Object.values(requests), ...Object.values(limits)].some(isToken))
      return unknown('its resources are known only at deployment');
    // Kubernetes uses the limit as the request if there is no request.
    const missing = ['cpu', 'memory'].filter(
      (resource) => requests[resource] === undefined && limits[resource] === undefined,
    );
    if (missing.length > 0) {
      return finding(
        controller,
        `requests no ${missing.join(' or ')}: on a full node it is evicted or starved first, and then no node is launched`,
      );
    }
    const cpuLimit = Quantity.tryParse(limits.cpu);
    if (cpuLimit && cpuLimit.compare(ONE_CPU) < 0)
      return finding(
        controller,
        `has a cpu limit of ${cpuLimit}: below 1 CPU, scheduling many pending pods takes minutes`,
      );
    const memoryLimit = Quantity.tryParse(limits.memory);
    if (memoryLimit && memoryLimit.compare(LEAST_MEMORY) < 0)
      return finding(
        controller,
        `has a memory limit of ${memoryLimit}, and its guide gives it 1Gi: it is killed when the types, nodes and pods that it keeps in memory need more`,
      );
    return undefined;
  },
});

function finding(controller: Controller, message: string): SubjectFinding {
  const { pathOf, values } = controller;
  return {
    path: pathOf('controller', 'resources'),
    message: `Karpenter ${message}`,
    remedy: REMEDY,
    evidence: { resources: chartValue(values, 'controller', 'resources') ?? {} },
    fix: chartValueFix(controller, ['controller', 'resources'], RESOURCES),
  };
}
