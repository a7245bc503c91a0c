import { comesAfter, inOneTemplate } from './private/dependency';
import { fail, notEvaluated, pass } from './private/outcome';
import { identityOf } from './private/service-account';
import { someNames } from './private/wording';
import { Outcome, Rule, RuleContext } from './rule';
import { isKarpenterKind } from '../../contract';
import { Controller } from '../controller';
import { AwsModel, HelmRelease, TemplateResource } from '../template';

/** @see https://github.com/aws/karpenter-provider-aws/issues/1134 */
export class TeardownOrder implements Rule {
  public readonly id = 'KARP-911';
  public readonly name = 'teardown-order';
  public readonly severity = 'error';
  public readonly summary = 'When the stack is deleted, Karpenter or what it needs goes before its NodePools: finalizers never clear, and instances are left behind.';

  public check(context: RuleContext): Outcome[] {
    const { aws } = context.model;
    return context.controllers.flatMap((controller) =>
      controller.release ? [...this.checkPools(aws, controller.release), ...this.checkNeeds(context, controller, controller.release)] : []);
  }

  private checkPools(aws: AwsModel, chart: HelmRelease): Outcome[] {
    const manifests = aws.manifests.filter(({ objects }) => objects.some(({ apiVersion, kind }) => isKarpenterKind(apiVersion, kind)));
    return manifests.map(({ resource, objects }) => {
      if (!inOneTemplate(resource, chart.resource)) return notEvaluated(resource.object, 'the chart of Karpenter is in another template');
      if (comesAfter(aws, resource, chart.resource)) return pass(resource.object);
      return fail({
        object: resource.object,
        path: ['DependsOn'],
        message: `is deleted at the same time as chart ${chart.resource.object.name}, or after it: without Karpenter the finalizers of `
          + `${someNames(objects.map(({ kind, name }) => `${kind} ${name}`), 3)} and of their nodes never clear, and instances are left behind`,
        remedy: `make it depend on ${chart.resource.object.name}, so that it is deleted first: manifest.node.addDependency(chart)`,
        evidence: { chart: chart.resource.object.name },
      });
    });
  }

  /** What the chart does not depend on may be deleted while Karpenter still drains. */
  private checkNeeds(context: RuleContext, controller: Controller, chart: HelmRelease): Outcome[] {
    const { aws } = context.model;
    const identity = identityOf(context, controller);
    const needs = [identity?.association?.resource, ...identity?.role?.policies.map(({ resource }) => resource) ?? [], identity?.role?.resource]
      .filter((resource): resource is TemplateResource => resource !== undefined && inOneTemplate(resource, chart.resource));
    const unordered = [...new Set(needs)].filter((resource) => !comesAfter(aws, chart.resource, resource)).map(({ object }) => object.name);
    if (needs.length === 0) return [];
    if (unordered.length === 0) return [pass(chart.resource.object)];
    return [fail({
      object: chart.resource.object,
      path: ['DependsOn'],
      message: `does not depend on ${someNames(unordered, 4)}: Karpenter loses its permissions before it has drained its nodes, and instances are left behind`,
      remedy: 'make the chart depend on its role, with the policies, and on its pod identity association',
      evidence: { resources: unordered },
    })];
  }
}
