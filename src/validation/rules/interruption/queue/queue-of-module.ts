import { spotPoolsOf } from './interruption-queue';
import { countText, shortListText } from '../../../../model';
import { SubjectFinding } from '../../define-rule';
import { RuleContext } from '../../rule';
import { drainsSpotNodes } from '../node-termination-handler/handler-reach';

/** A reference of Terraform to the name, URL or ARN of the queue of a Karpenter module. */
const OUTPUT_OF_QUEUE = /^\$\{\s*module\.([\w-]+)(?:\[[^\]]*\])?\.(queue_(?:name|url|arn))\s*\}$/;

/**
 * The argument with which a Karpenter module creates no queue, if Karpenter has to listen to that queue. Without spot,
 * or with another handler, nobody may want one: `yamlencode` makes an empty setting of null.
 *
 * @see https://github.com/terraform-aws-modules/terraform-aws-eks/blob/v21.0.0/modules/karpenter/outputs.tf
 */
export function missingQueueOfModule(context: RuleContext, setting: string): SubjectFinding | undefined {
  const [, name, output] = OUTPUT_OF_QUEUE.exec(setting) ?? [];
  const modules = context.model.aws.karpenterModules.filter((module) => module.name === name);
  if (modules.length === 0 || modules.some(({ hasQueue }) => hasQueue !== false)) return undefined;
  const spotPools = spotPoolsOf(context);
  if (spotPools.length === 0 || drainsSpotNodes(context) !== 'no') return undefined;
  return {
    object: modules[0].resource.object,
    path: ['Properties', 'HasQueue'],
    message:
      `settings.interruptionQueue is \${module.${name}.${output}}, which is null, because enable_spot_termination = false creates no queue, ` +
      `but ${countText(spotPools.length, 'NodePool')} may launch spot (${shortListText(spotPools)}): ` +
      "Terraform refuses null inside a text, and without a queue nothing reads EC2's two-minute notice",
    remedy: `remove enable_spot_termination = false from module.${name}: its default is true`,
    evidence: { queue: setting, nodePools: spotPools },
  };
}
