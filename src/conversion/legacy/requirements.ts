import { isMap, Node, YAMLSeq } from 'yaml';
import { LegacyObject } from './legacy-object';
import { checkNodePoolLabelKey } from '../../contract';
import { Label, normalizeLabelKey, valueText } from '../../model';
import { Fields } from '../yaml/fields';
import { yamlNodeOf, jsonOf } from '../yaml/values';

interface DefaultRequirement {
  readonly requirement: { readonly key: string; readonly operator: string; readonly values: readonly string[] };
  /** The webhook did not add it if one of these keys was required. */
  readonly unless: readonly string[];
}

const INSTANCE_TYPE_KEYS = [
  Label.INSTANCE_TYPE,
  Label.INSTANCE_FAMILY,
  Label.INSTANCE_CATEGORY,
  Label.INSTANCE_GENERATION,
];

/**
 * Requirements that the webhook added to each Provisioner. Nothing adds them to a NodePool.
 *
 * Source: Provisioner.SetDefaults, pkg/apis/v1alpha5/provisioner.go of Karpenter for AWS 0.32.
 */
const DEFAULTS: readonly DefaultRequirement[] = [
  { requirement: { key: Label.OS, operator: 'In', values: ['linux'] }, unless: [Label.OS] },
  { requirement: { key: Label.ARCH, operator: 'In', values: ['amd64'] }, unless: [Label.ARCH] },
  { requirement: { key: Label.CAPACITY_TYPE, operator: 'In', values: ['on-demand'] }, unless: [Label.CAPACITY_TYPE] },
  {
    requirement: { key: Label.INSTANCE_CATEGORY, operator: 'In', values: ['c', 'm', 'r'] },
    unless: INSTANCE_TYPE_KEYS,
  },
  { requirement: { key: Label.INSTANCE_GENERATION, operator: 'Gt', values: ['2'] }, unless: INSTANCE_TYPE_KEYS },
];

/** Moves the requirements of a pool. Those on labels that v1 does not accept there become comments. */
export function moveRequirements(object: LegacyObject, from: Fields, into: Fields): void {
  const field = from.take('requirements');
  if (field) into.add(field);
  else into.set('requirements', []);
  dropForbiddenKeys(object, into);
}

/** Appends the requirements that the webhook added. */
export function addDefaultRequirements(object: LegacyObject, into: Fields): void {
  const list = into.find('requirements')?.value;
  if (!(list instanceof YAMLSeq)) return;
  const keys = into
    .items('requirements')
    .map((item) => normalizeLabelKey(valueText((jsonOf(item) as { key?: unknown } | null)?.key)));
  const missing = DEFAULTS.filter(({ unless }) => !unless.some((key) => keys.includes(key))).map(
    ({ requirement }) => requirement,
  );
  missing.forEach((requirement, i) => {
    const node = yamlNodeOf(requirement);
    if (i === 0) node.commentBefore = ' defaults that the v1alpha5 webhook added';
    list.items.push(node);
  });
  list.flow = false;
  if (missing.length > 0)
    object.note(
      'changed',
      `the defaults that the v1alpha5 webhook added are written explicitly: ${missing.map(describe).join(', ')}`,
    );
}

function dropForbiddenKeys(object: LegacyObject, into: Fields): void {
  const list = into.find('requirements')?.value;
  if (!(list instanceof YAMLSeq)) return;
  for (const item of [...list.items] as Node[]) {
    if (!isMap(item)) continue;
    const key = new Fields(item).text('key');
    const [problem] = key === undefined ? [] : checkNodePoolLabelKey(key);
    if (!problem) continue;
    list.items.splice(list.items.indexOf(item), 1);
    const why = `requirements: ${key} ${problem.problem}`;
    const holder = Fields.empty();
    holder.set('requirements', Object.assign(new YAMLSeq(), { items: [item] }));
    object.note('todo', why, item);
    into.keepAsComment(holder.find('requirements')!, why);
  }
}

function describe({ key, operator, values }: DefaultRequirement['requirement']): string {
  return `${key} ${operator} [${values.join(', ')}]`;
}
