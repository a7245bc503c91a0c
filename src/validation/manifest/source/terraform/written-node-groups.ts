import { Evaluator, isPlaceholder, Scope } from './hcl/evaluate';
import { bodyAttribute, Block, HclExpression } from './hcl/syntax';
import { parsedTerraform } from './terraform-folder';
import { asRecord } from '../../../../contract';
import { Taint, valueText } from '../../../../model';
import { WrittenNodeGroup } from '../../../vocabulary/source-file';
import { SourceFile } from '../../model';
import { recordsOf } from '../../records';
import { SourceText } from '../source-text';

const RESOURCE = 'aws_eks_node_group';
/** Arguments of modules that create an EKS cluster. */
const ARGUMENT = /^(?:eks_|self_)?(?:managed_)?node_groups$/;
const MENTIONED = /aws_eks_node_group|node[_-]group/;
/** Modules that create one group, such as `terraform-aws-modules/eks/aws//modules/eks-managed-node-group`. */
const GROUP_MODULE = /(?:^|[/_-])node[_-]?groups?(?:\.git)?(?:\/?\?.*)?$/;

/** EKS spells effects differently. */
const EFFECTS: Readonly<Record<string, Taint['effect']>> = {
  NO_SCHEDULE: 'NoSchedule',
  NO_EXECUTE: 'NoExecute',
  PREFER_NO_SCHEDULE: 'PreferNoSchedule',
  NoSchedule: 'NoSchedule',
  NoExecute: 'NoExecute',
  PreferNoSchedule: 'PreferNoSchedule',
};

/**
 * The node groups that a Terraform file creates, by resources or by arguments of modules.
 *
 * @see https://registry.terraform.io/providers/hashicorp/aws/latest/docs/resources/eks_node_group
 */
export function writtenNodeGroups({ path, text }: SourceFile, scope: Scope): WrittenNodeGroup[] {
  const parsed = MENTIONED.test(text) ? parsedTerraform(path, text) : undefined;
  const evaluator = new Evaluator(scope);
  const valueOf = (expression: HclExpression | undefined) => expression && evaluator.valueOf({ expression, text });
  const source = new SourceText({ path, text });
  return (parsed?.body.blocks ?? []).flatMap((block): WrittenNodeGroup[] => {
    const at = (offset: number) => ({ path, ...source.position(offset) });
    const placed = (group: WrittenNodeGroup, offset = block.start) => ({ ...group, place: at(offset) });
    if (block.type === 'resource' && block.labels[0] === RESOURCE) return [placed(groupOfResource(block, valueOf))];
    if (block.type !== 'module') return [];
    const module = valueOf(bodyAttribute(block.body, 'source'));
    if (typeof module === 'string' && GROUP_MODULE.test(module)) return [placed(groupOfModule(block, valueOf))];
    return block.body.attributes
      .filter(({ name }) => ARGUMENT.test(name))
      .flatMap(({ name, value }) => {
        const defaults = valueOf(bodyAttribute(block.body, name.replace(/s$/, '_defaults')));
        return groupsOfArgument(name, valueOf(value), defaults).map((group) => placed(group, value.start));
      });
  });
}

function groupOfResource(
  { labels: [, name = ''], body }: Block,
  valueOf: (expression: HclExpression | undefined) => unknown,
): WrittenNodeGroup {
  const isDynamic = body.blocks.some(({ type, labels }) => type === 'dynamic' && labels[0] === 'taint');
  const taints = body.blocks
    .filter(({ type }) => type === 'taint')
    .map((taint) =>
      Object.fromEntries(taint.body.attributes.map(({ name: key, value }) => [key, valueOf(value)] as const)),
    );
  const scaling = body.blocks.find(({ type }) => type === 'scaling_config');
  const sizes = SIZES.map((size) => scaling && valueOf(bodyAttribute(scaling.body, size)));
  return {
    ...groupOf(name, valueOf(bodyAttribute(body, 'labels')) ?? {}, isDynamic ? undefined : taints),
    ...nodesOf(sizes),
  };
}

function groupOfModule(
  { labels: [name = ''], body }: Block,
  valueOf: (expression: HclExpression | undefined) => unknown,
): WrittenNodeGroup {
  return groupOf(name, valueOf(bodyAttribute(body, 'labels')), valueOf(bodyAttribute(body, 'taints')));
}

/** A mapping from names to groups, or a list of them. Otherwise only Terraform knows them. */
function groupsOfArgument(argument: string, value: unknown, given: unknown): WrittenNodeGroup[] {
  const defaults = given === undefined ? {} : asRecord(given);
  const groups = Array.isArray(value) ? recordsOf(value).map((group) => ['', group] as const) : undefined;
  const named =
    groups ?? Object.entries(asRecord(value) ?? {}).map(([name, group]) => [name, asRecord(group)] as const);
  if (!groups && asRecord(value) === undefined) return [{ name: argument }];
  return named.map(([name, group]) =>
    group
      ? {
          ...groupOf(
            name || valueText(group.name ?? argument),
            group.labels ?? (defaults ? (defaults.labels ?? {}) : undefined),
            group.taints ?? (defaults ? (defaults.taints ?? []) : undefined),
          ),
          ...nodesOf(SIZES.map((size) => group[size] ?? (defaults ? defaults[size] : '${defaults}'))),
        }
      : { name },
  );
}

/** The arguments that decide how many nodes a group starts with, the first one first. */
const SIZES = ['desired_size', 'desired_capacity', 'min_size'];

function nodesOf(sizes: readonly unknown[]): Pick<WrittenNodeGroup, 'nodes'> {
  const size = sizes.find((one) => one !== undefined && one !== null);
  return typeof size === 'number' ? { nodes: size } : {};
}

function groupOf(name: string, labels: unknown, taints: unknown): WrittenNodeGroup {
  return { name, labels: knownLabels(labels), taints: knownTaints(taints) };
}

function knownLabels(value: unknown): WrittenNodeGroup['labels'] {
  const labels = Object.entries(asRecord(value) ?? {});
  if (!asRecord(value) || labels.some(([key, label]) => hasReference(key) || hasReference(label))) return undefined;
  return Object.fromEntries(labels.map(([key, label]) => [key, valueText(label)]));
}

function knownTaints(value: unknown): WrittenNodeGroup['taints'] {
  if (typeof value !== 'object' || value === null) return undefined;
  const taints = recordsOf(Object.values(value));
  if (taints.length < Object.values(value).length) return undefined;
  if (taints.some((taint) => [taint.key, taint.value, taint.effect].some(hasReference))) return undefined;
  return taints.map(({ key, value: text, effect }) => ({
    key: valueText(key),
    ...(text === undefined || text === null ? {} : { value: valueText(text) }),
    effect: EFFECTS[valueText(effect)] ?? 'NoSchedule',
  }));
}

function hasReference(value: unknown): boolean {
  return isPlaceholder(value) || (typeof value === 'string' && value.includes('${'));
}
