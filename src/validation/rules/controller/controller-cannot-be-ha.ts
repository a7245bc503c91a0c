import { countText } from '../../../model';
import { defineRule, unknown, SubjectFinding } from '../define-rule';
import { needsSeparateNodes } from './controller-nodes';
import { Controller } from '../../controller';
import { chartValueFix } from '../common/edits/chart-value-fix';
import { FARGATE_UNKNOWN, isOnFargate } from '../common/fargate';
import { installedKarpenter } from '../subjects';

const TWO_REPLICAS = 'write replicas: 2';

/** @see https://karpenter.sh/docs/troubleshooting/#installation */
export const controllerCannotBeHa = defineRule({
  id: 'KARP-902',
  name: 'controller-cannot-be-ha',
  severity: 'error',
  summary:
    'Karpenter has a single replica, or more replicas than nodes to run on, because each replica needs a separate node.',
  subjects: installedKarpenter(),
  judge(controller, { model: { aws } }) {
    const { replicas } = controller.values;
    if ((controller.fromChart && !controller.complete) || typeof replicas !== 'number')
      return unknown('its replica count is known only at deployment');
    if (replicas < 2) {
      return finding(
        controller,
        `has ${countText(replicas, 'replica')}: no node is launched while it moves to another node`,
        TWO_REPLICAS,
        { replicas },
        'warning',
      );
    }
    const isCounted = aws.nodeGroups.length > 0 && aws.autoScalingGroups.length === 0 && aws.clusters.length > 0;
    if (!needsSeparateNodes(controller) || !isCounted) return undefined;
    const fargate = isOnFargate(aws, controller);
    if (fargate !== 'no') return fargate === 'yes' ? undefined : unknown(FARGATE_UNKNOWN);
    const sizes = aws.nodeGroups.map(({ minSize }) => minSize);
    if (sizes.some((size) => size === undefined))
      return unknown('the size of a node group is known only at deployment');
    const nodes = sizes.reduce<number>((sum, size) => sum + size!, 0);
    if (nodes >= replicas) return undefined;
    return finding(
      controller,
      `has ${replicas} replicas that need separate nodes, but the node groups guarantee only ${countText(nodes, 'node')}: ` +
        `${countText(replicas - nodes, 'replica')} may stay Pending`,
      `set the minimum size of the node groups to at least ${replicas}, in two zones`,
      { replicas, nodes },
    );
  },
});

function finding(
  controller: Controller,
  message: string,
  remedy: string,
  evidence: Readonly<Record<string, unknown>>,
  severity?: 'warning',
): SubjectFinding {
  const path = controller.pathOf('replicas');
  const fix = remedy === TWO_REPLICAS ? chartValueFix(controller, ['replicas'], 2) : undefined;
  return { path, message: `Karpenter ${message}`, remedy, evidence, severity, fix };
}
