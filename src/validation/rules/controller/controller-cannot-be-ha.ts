import { countText } from '../../../model';
import { defineRule, unknown, SubjectFinding } from '../define-rule';
import { eksctlControllers, groupsOf, isBeside, placeOfGroup, podsInNodeGroups } from './groups-for-controller';
import { whyNot } from './pods-of-controller';
import { RuleContext } from '../rule';
import { needsSeparateNodes } from './controller-nodes';
import { Controller } from '../../controller';
import { chartValueFix } from '../common/edits/chart-value-fix';
import { FARGATE_UNKNOWN, isOnFargate } from '../common/fargate';
import { installedKarpenter, subjectsFrom } from '../subjects';

const TWO_REPLICAS = 'write replicas: 2';

const eksctlSubjects = subjectsFrom<Controller>(eksctlControllers);

/** @see https://karpenter.sh/docs/troubleshooting/#installation */
export const controllerCannotBeHa = defineRule({
  id: 'KARP-902',
  name: 'controller-cannot-be-ha',
  severity: 'error',
  summary:
    'Karpenter has a single replica, or more replicas than nodes to run on, because each replica needs a separate node.',
  subjects: (context) => [...installedKarpenter()(context), ...eksctlSubjects(context)],
  judge(controller, context) {
    const { aws } = context.model;
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
    const written = aws.hasTemplates ? undefined : tooFewWritten(controller, replicas, context);
    if (written) return written;
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

/** Too few nodes in the node groups that eksctl or Terraform files create, if the size of each is known. */
function tooFewWritten(controller: Controller, replicas: number, context: RuleContext): SubjectFinding | undefined {
  const groups = groupsOf(context) ?? [];
  const [pods] = podsInNodeGroups(context).filter(({ object }) => object === controller.object);
  if (!needsSeparateNodes(controller) || groups.length === 0 || pods === undefined) return undefined;
  if (!groups.every((group) => isBeside(controller.object, group) && group.nodes !== undefined)) return undefined;
  const taking = groups.filter((group) => whyNot(pods, group) === undefined);
  const nodes = taking.reduce((sum, group) => sum + (group.nodes ?? 0), 0);
  // Without any group, KARP-920 says why.
  if (taking.length === 0 || nodes >= replicas) return undefined;
  const text = taking.length === 1 ? `node group ${taking[0].name} starts with` : 'the node groups start with';
  return {
    ...finding(
      controller,
      `has ${replicas} replicas that need separate nodes, but ${text} ${countText(nodes, 'node')}: ${countText(replicas - nodes, 'replica')} ${replicas - nodes === 1 ? 'stays' : 'stay'} Pending, and while the node is replaced, nothing launches nodes`,
      `start the node group with ${replicas} nodes, in two zones`,
      { replicas, nodes },
      'warning',
    ),
    related: placeOfGroup(taking[0], `starts with ${countText(nodes, 'node')}`),
  };
}

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
