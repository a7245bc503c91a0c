import { delivers } from './event-match';
import { InterruptionEvent } from '../../../../contract';
import { valueText } from '../../../../model';
import { FieldPath, ManifestObject } from '../../../manifest/model';
import { AwsModel, EventRule, Queue, sameText, TemplateResource } from '../../../template';

/** A second target of one rule, which is meant for another rule without a target. */
export interface MisplacedTarget {
  readonly object: ManifestObject;
  readonly path: FieldPath;
  readonly flaw: string;
  readonly remedy: string;
}

/**
 * The second target of a rule for the queue, if the rule of the event has no target at all: a copy that still names the
 * rule of the original. No rule needs one queue twice, so the missing target is not declared elsewhere.
 */
export function misplacedTarget(
  { eventRules, resources }: AwsModel,
  queue: Queue,
  event: InterruptionEvent,
): MisplacedTarget | undefined {
  const forEvent = eventRules.filter((rule) => delivers(rule, event) !== 'no');
  if (forEvent.some(({ targets }) => targets.some((target) => sameText(target, queue.arn) === 'unknown'))) return;
  const [lacking, ...more] = forEvent.filter((rule) => rule.targets.length === 0 && delivers(rule, event) === 'yes');
  const [crowded, ...others] = eventRules.filter(
    ({ targets }) => targets.filter((target) => target === queue.arn).length === 2,
  );
  if (!lacking || !crowded || more.length > 0 || others.length > 0) return undefined;
  if (lacking.resource.tool !== crowded.resource.tool) return undefined;
  const flaw = `rule ${lacking.resource.object.name} has no target, and rule ${crowded.resource.object.name} has this queue twice`;
  if (crowded.resource.tool !== 'Terraform')
    return {
      object: crowded.resource.object,
      path: ['Properties', 'Targets', crowded.targets.lastIndexOf(queue.arn)],
      flaw,
      remedy: `move this target to rule ${lacking.resource.object.name}`,
    };
  const target = copyOf([...resources.values()], queue, lacking, crowded);
  const remedy = `write rule = ${lacking.resource.object.name.replace(/^(module\.[^.]+\.)+/, '')}.name`;
  return target && { object: target.object, path: ['Properties', 'Rule'], flaw, remedy };
}

/** The target that is called like the rule without one; otherwise the one that is not called like its own rule. */
function copyOf(
  resources: readonly TemplateResource[],
  queue: Queue,
  lacking: EventRule,
  crowded: EventRule,
): TemplateResource | undefined {
  const targets = resources.filter(
    ({ type, properties: { Rule, Arn } }) =>
      type === 'AWS::Events::Target' &&
      Arn === queue.arn &&
      (Rule === crowded.resource.properties.Name || crowded.arn.endsWith(`:rule/${valueText(Rule)}`)),
  );
  if (targets.length !== 2) return undefined;
  const isNamedLike = (rule: EventRule) => (target: TemplateResource) => lastStep(target) === lastStep(rule.resource);
  return targets.find(isNamedLike(lacking)) ?? targets.filter((target) => !isNamedLike(crowded)(target)).pop();
}

function lastStep({ object: { name } }: TemplateResource): string {
  return name.replace(/^.*?aws_cloudwatch_event_(?:rule|target)\./, '');
}
