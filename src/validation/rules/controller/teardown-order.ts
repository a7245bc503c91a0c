import { dependOn, dependsOnResource, hasUnknownOrder, isInSameTemplate, ORDER_UNKNOWN } from './resource-dependencies';
import { isValidatedKind } from '../../../contract';
import { shortListText } from '../../../model';
import { Controller } from '../../controller';
import { AwsModel, HelmRelease, TemplateResource } from '../../template';
import { identityOfController } from '../common/controller-identity';
import { fail, notEvaluated, Outcome, pass, Rule, RuleContext } from '../rule';

/** @see https://github.com/aws/karpenter-provider-aws/issues/1134 */
export const teardownOrder: Rule = {
  id: 'KARP-911',
  name: 'teardown-order',
  severity: 'error',
  summary:
    'Deleting the stack removes Karpenter, or what it needs, before its NodePools: finalizers remain, and instances keep running.',
  check(context: RuleContext): Outcome[] {
    const { aws } = context.model;
    return context.controllers.flatMap((controller) => {
      const { helmRelease: chart } = controller;
      return chart ? [...checkPools(aws, chart), ...checkNeeds(context, controller, chart)] : [];
    });
  },
};

function checkPools(aws: AwsModel, chart: HelmRelease): Outcome[] {
  const manifests = aws.manifests.filter(({ objects }) =>
    objects.some(({ apiVersion, kind }) => isValidatedKind(apiVersion, kind)),
  );
  return manifests.map(({ resource, objects }) => {
    if (!isInSameTemplate(resource, chart.resource))
      return notEvaluated(resource.object, 'the chart of Karpenter is in another template');
    if (dependsOnResource(aws, resource, chart.resource)) return pass(resource.object);
    if (hasUnknownOrder(aws, resource)) return notEvaluated(resource.object, ORDER_UNKNOWN);
    return fail({
      object: resource.object,
      path: ['DependsOn'],
      message:
        `is not deleted before chart ${chart.resource.object.name}: without Karpenter the finalizers of ` +
        `${shortListText(
          objects.map(({ kind, name }) => `${kind} ${name}`),
          3,
        )} and their nodes remain, and instances keep running`,
      remedy: dependOn(
        resource,
        [chart.resource.object.name],
        `add a dependency on ${chart.resource.object.name}, so that it is deleted first: manifest.node.addDependency(chart)`,
      ),
      evidence: { chart: chart.resource.object.name },
    });
  });
}

/**
 * Checks that the chart depends on Karpenter's permissions: others may be deleted while Karpenter still drains nodes.
 */
function checkNeeds(context: RuleContext, controller: Controller, chart: HelmRelease): Outcome[] {
  const { aws } = context.model;
  const identity = identityOfController(context, controller);
  const needs = [
    identity?.association?.resource,
    ...(identity?.role?.policies.map(({ resource }) => resource) ?? []),
    identity?.role?.resource,
  ].filter(
    (resource): resource is TemplateResource => resource !== undefined && isInSameTemplate(resource, chart.resource),
  );
  const unordered = [...new Set(needs)]
    .filter((resource) => !dependsOnResource(aws, chart.resource, resource))
    .map(({ object }) => object.name);
  if (needs.length === 0) return [];
  if (unordered.length === 0) return [pass(chart.resource.object)];
  if (hasUnknownOrder(aws, chart.resource)) return [notEvaluated(chart.resource.object, ORDER_UNKNOWN)];
  return [
    fail({
      object: chart.resource.object,
      path: ['DependsOn'],
      message: `does not depend on ${shortListText(unordered, 4)}: Karpenter may lose its permissions before its nodes are drained, and instances keep running`,
      remedy: dependOn(
        chart.resource,
        unordered,
        "let the chart depend on its role, the role's policies and its pod identity association",
      ),
      evidence: { resources: unordered },
    }),
  ];
}
