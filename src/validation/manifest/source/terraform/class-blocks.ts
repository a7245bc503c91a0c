import { Evaluator } from './hcl/evaluate';
import { bodyAttribute, Block, Body } from './hcl/syntax';
import { PlainRecord } from '../../records';

/** Attributes of a StorageClass whose names in Terraform differ from those of the API. */
const STORAGE_FIELDS: Readonly<Record<string, string>> = {
  storage_provisioner: 'provisioner',
  reclaim_policy: 'reclaimPolicy',
  volume_binding_mode: 'volumeBindingMode',
  allow_volume_expansion: 'allowVolumeExpansion',
  mount_options: 'mountOptions',
  parameters: 'parameters',
};
const PRIORITY_FIELDS: Readonly<Record<string, string>> = {
  value: 'value',
  global_default: 'globalDefault',
  preemption_policy: 'preemptionPolicy',
  description: 'description',
};

/** Whether a text may have such a block. */
export const CLASS_BLOCK = /^resource[ \t]+"kubernetes_(?:storage|priority)_class(?:_v1)?"/m;

/**
 * The StorageClass or PriorityClass that a block of the provider `kubernetes` makes; undefined for any other block, and
 * for a class of unknown name.
 *
 * @see https://registry.terraform.io/providers/hashicorp/kubernetes/latest/docs/resources/storage_class_v1
 */
export function classOf({ type, labels: [resource = ''], body }: Block, text: string, evaluator: Evaluator) {
  const match = type === 'resource' ? /^kubernetes_(storage|priority)_class(?:_v1)?$/.exec(resource) : null;
  const metadata = body.blocks.find((block) => block.type === 'metadata');
  const name = metadata && fieldsOf(metadata.body, { name: 'name', annotations: 'annotations' });
  if (!match || typeof name?.name !== 'string' || name.name.includes('${')) return undefined;
  return match[1] === 'storage'
    ? { apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: name, ...storageFields(body) }
    : {
        apiVersion: 'scheduling.k8s.io/v1',
        kind: 'PriorityClass',
        metadata: name,
        ...fieldsOf(body, PRIORITY_FIELDS),
      };

  function storageFields(own: Body): PlainRecord {
    const topologies = own.blocks
      .filter((block) => block.type === 'allowed_topologies')
      .map((topology) => ({
        matchLabelExpressions: topology.body.blocks.map((expression) =>
          fieldsOf(expression.body, { key: 'key', values: 'values' }),
        ),
      }));
    return { ...fieldsOf(own, STORAGE_FIELDS), ...(topologies.length > 0 ? { allowedTopologies: topologies } : {}) };
  }

  function fieldsOf(own: Body, names: Readonly<Record<string, string>>): PlainRecord {
    return Object.fromEntries(
      Object.entries(names).flatMap(([attribute, field]) => {
        const expression = bodyAttribute(own, attribute);
        return expression ? [[field, evaluator.valueOf({ expression, text })]] : [];
      }),
    );
  }
}
