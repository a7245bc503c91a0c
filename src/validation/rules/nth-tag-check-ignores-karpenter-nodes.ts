import { NodeClassManifest } from '../manifest/model';
import { HandlerSettings, TerminationHandler, terminationHandlers } from '../termination-handler';
import { queueSetting } from './private/interruption-queue';
import { isOfCluster, tagsOf } from './private/node-termination-handler';
import { fail, notEvaluated, pass } from './private/outcome';
import { count, someNames } from './private/wording';
import { Outcome, Rule, RuleContext } from './rule';

/** @see https://github.com/aws/aws-node-termination-handler/blob/v1.25.1/README.md */
export class NthTagCheckIgnoresKarpenterNodes implements Rule {
  public readonly id = 'KARP-510';
  public readonly name = 'nth-tag-check-ignores-karpenter-nodes';
  public readonly severity = 'error';
  public readonly summary = 'AWS Node Termination Handler passes over the instances of Karpenter, which do not have its tag, and Karpenter listens to no queue itself.';

  public check(context: RuleContext): Outcome[] {
    return terminationHandlers(context.model).flatMap((handler) => {
      const { settings } = handler;
      if (!settings) return [notEvaluated(handler.object, 'its settings are known only at deployment')];
      return settings.mode === 'queue' && context.model.nodeClasses.length > 0 ? [this.checkHandler(context, handler, settings)] : [];
    });
  }

  private checkHandler({ model, controllers }: RuleContext, handler: TerminationHandler, settings: HandlerSettings): Outcome {
    const { object } = handler;
    const passedOver = untagged(model.nodeClasses, settings);
    if (passedOver.length === 0) return pass(object);
    if (settings.tagCheck.of === 'unknown') return notEvaluated(object, 'whether it looks for a tag is known only at deployment');
    // To leave the instances to Karpenter is as it should be.
    if (controllers.some((controller) => queueSetting(controller) !== undefined)) return pass(object);
    if (controllers.length === 0) return notEvaluated(object, 'whether Karpenter listens to a queue itself is not in the input');
    if (controllers.some(({ release, complete }) => release !== undefined && !complete)) return notEvaluated(object, 'whether Karpenter listens to a queue itself is known only at deployment');
    return this.finding(handler, settings, passedOver);
  }

  private finding({ object }: TerminationHandler, { tagCheck, pathOf }: HandlerSettings, passedOver: readonly NodeClassManifest[]): Outcome {
    const { of, tag, unread } = tagCheck;
    const classes = passedOver.map(({ object: { name } }) => name).sort();
    const what = of === 'group'
      ? `acts only on instances of Auto Scaling groups with the tag ${tag}, and those of Karpenter are in none`
      : `acts only on instances with the tag ${tag}, which those of ${count(classes.length, 'EC2NodeClass', 'EC2NodeClasses')} (${someNames(classes)}) do not have`;
    const hint = unread === undefined ? '' : `; ${unread} is not read by this chart, which has checkTagBeforeDraining for it`;
    return fail({
      object,
      path: pathOf(tagCheck.key),
      message: `${what}: nobody drains the nodes of Karpenter that EC2 interrupts${hint}`,
      remedy: of === 'group'
        ? 'move to chart 0.19.0 or newer, which looks for its tag on instances; or write checkASGTagBeforeDraining: false'
        : `write spec.tags: { ${tag}: "true" } in the EC2NodeClass, or managedTag: kubernetes.io/cluster/<name of the cluster>, or checkTagBeforeDraining: false`,
      evidence: { tag, nodeClasses: classes, unread: unread ?? null },
    });
  }
}

/** The node classes whose instances it passes over, or may. */
function untagged(nodeClasses: readonly NodeClassManifest[], { tagCheck: { of, tag } }: HandlerSettings): NodeClassManifest[] {
  if (of === 'none' || (of !== 'group' && isOfCluster(tag))) return [];
  return nodeClasses.filter(({ object }) => of === 'group' || !(tag in tagsOf(object.raw)));
}
