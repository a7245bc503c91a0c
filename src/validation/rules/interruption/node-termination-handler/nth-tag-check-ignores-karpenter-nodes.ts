import { isClusterTag, tagsOf } from './handler-reach';
import { setField, unsafeFix } from '../../../../contract';
import { countText, shortListText } from '../../../../model';
import { NodeClassManifest } from '../../../manifest/model';
import { HandlerSettings } from '../../../termination-handler';
import { defineRule, NOT_APPLICABLE, unknown, SubjectFinding } from '../../define-rule';
import { queueHandlers } from '../../subjects';
import { queueSetting } from '../queue/interruption-queue';

/** @see https://github.com/aws/aws-node-termination-handler/blob/v1.25.1/README.md */
export const nthTagCheckIgnoresKarpenterNodes = defineRule({
  id: 'KARP-510',
  name: 'nth-tag-check-ignores-karpenter-nodes',
  severity: 'error',
  summary:
    "AWS Node Termination Handler skips Karpenter's instances because they lack its tag, and Karpenter has no interruption queue itself.",
  subjects: queueHandlers(),
  judge({ settings }, { model, controllers }) {
    if (model.nodeClasses.length === 0) return NOT_APPLICABLE;
    const skippedClasses = untaggedClasses(model.nodeClasses, settings);
    if (skippedClasses.length === 0) return undefined;
    if (settings.tagCheck.scope === 'unknown')
      return unknown('whether it checks for a tag is known only at deployment');
    // If Karpenter handles interruptions itself, the handler is right to skip Karpenter's instances.
    if (controllers.some((controller) => queueSetting(controller) !== undefined)) return undefined;
    if (controllers.length === 0) return unknown('the input does not say whether Karpenter has an interruption queue');
    if (controllers.some(({ helmRelease, complete }) => helmRelease !== undefined && !complete))
      return unknown('whether Karpenter has an interruption queue is known only at deployment');
    return finding(settings, skippedClasses);
  },
});

function finding({ tagCheck, pathOf }: HandlerSettings, skippedClasses: readonly NodeClassManifest[]): SubjectFinding {
  const { scope, tag, ignoredKey } = tagCheck;
  const classes = skippedClasses.map(({ object: { name } }) => name).sort();
  const problem =
    scope === 'group'
      ? `acts only on instances of Auto Scaling groups with the tag ${tag}, but Karpenter's instances belong to no group`
      : `acts only on instances with the tag ${tag}, which ${countText(classes.length, 'EC2NodeClass', 'EC2NodeClasses')} (${shortListText(classes)}) ${classes.length === 1 ? 'does' : 'do'} not set`;
  const hint =
    ignoredKey === undefined ? '' : `; this chart ignores ${ignoredKey} and reads checkTagBeforeDraining instead`;
  return {
    path: pathOf(tagCheck.key),
    message: `${problem}: interrupted Karpenter nodes are not drained${hint}`,
    remedy:
      scope === 'group'
        ? 'upgrade to chart 0.19.0 or newer, which checks tags of instances; or write checkASGTagBeforeDraining: false'
        : `write spec.tags: { ${tag}: "true" } in the EC2NodeClass, or managedTag: kubernetes.io/cluster/<name of the cluster>, or checkTagBeforeDraining: false`,
    evidence: { tag, nodeClasses: classes, unread: ignoredKey ?? null },
    ...(scope === 'group'
      ? {}
      : {
          also: skippedClasses.map(({ object }) => ({
            object,
            fix: unsafeFix(setField(['spec', 'tags', tag], 'true')),
          })),
        }),
  };
}

/** The node classes whose instances the handler skips, or may skip. */
function untaggedClasses(
  nodeClasses: readonly NodeClassManifest[],
  { tagCheck: { scope, tag } }: HandlerSettings,
): NodeClassManifest[] {
  if (scope === 'none' || (scope !== 'group' && isClusterTag(tag))) return [];
  return nodeClasses.filter(({ object }) => scope === 'group' || !(tag in tagsOf(object.raw)));
}
