import { removeField, unsafeFix } from '../../../contract';
import { countText, Label, listText } from '../../../model';
import { whyUnresolved } from '../../manifest/find-unresolved';
import { poolsOf } from '../common/pool';
import { defineRule, NOT_APPLICABLE } from '../define-rule';
import { LaunchingPool, nodeClasses } from '../subjects';

/** @see https://karpenter.sh/docs/concepts/nodeclasses/#specinstancestorepolicy */
export const raidWithoutDisks = defineRule({
  id: 'KARP-830',
  name: 'raid-without-disks',
  severity: 'info',
  summary:
    'A node class makes a RAID of instance store disks, and no instance type of its NodePools has any: pods use the root volume.',
  subjects: nodeClasses({
    where: ({ object }) => object.raw?.spec?.instanceStorePolicy === 'RAID0',
    unknown: ({ object }) => whyUnresolved(object.raw?.spec?.instanceStorePolicy),
  }),
  judge({ object }, context) {
    const pools = poolsOf(context).filter(({ spec }) => spec?.nodeClass === object.name);
    const launching = pools.filter((pool): pool is LaunchingPool => pool.launch !== undefined);
    const types = launching.reduce((sum, { launch }) => sum + launch.indices.length, 0);
    if (launching.length < pools.length || types === 0) return NOT_APPLICABLE;
    if (launching.some(hasDisks)) return undefined;
    const path = ['spec', 'instanceStorePolicy'];
    const names = listText(launching.map(({ name }) => name));
    return {
      path,
      message: `is RAID0, and none of the ${countText(types, 'instance type')} of NodePool ${names} has an instance store: the policy has no effect, and pods use the root volume`,
      remedy:
        'allow instance types with disks in the NodePool, such as those of m6id or c6id, or remove instanceStorePolicy',
      evidence: { nodePools: launching.map(({ name }) => name), instanceTypes: types },
      fix: unsafeFix(removeField(path)),
    };
  },
});

function hasDisks({ launch: { table, indices } }: LaunchingPool): boolean {
  const column = table.labels.find(({ key }) => key === Label.INSTANCE_LOCAL_NVME);
  return column === undefined || indices.some((index) => Number(column.values[column.codes[index]] ?? 0) > 0);
}
