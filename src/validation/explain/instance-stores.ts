import { describeInstanceType, NodeClassFacts } from '../../catalog';
import { setField, unsafeFix } from '../../contract';
import { Label } from '../../model';
import { leftBehind, passesWithoutReasons, poolTables } from '../../scheduling';
import { RuleContext } from '../context/check-session';
import { ObjectFix } from '../manifest/edit/fix-of';

type LastPass = Pick<RuleContext, 'model' | 'plan' | 'lastInput' | 'catalog' | 'objectionTo'>;

interface StoreChange {
  readonly description: string;
  readonly tried: number;
  readonly edits: readonly ObjectFix[];
}

const STORAGE = 'ephemeral-storage';
/** The families for which each supported Karpenter sets up a RAID of the instance store. */
const RAID0_FAMILIES: readonly string[] = ['AL2', 'AL2023'];

/**
 * The pods that fit if the instance store of their nodes is the storage of pods. Only where all instance types that a
 * NodePool allows have one: then it is there and paid for.
 */
export function instanceStoreChanges(context: LastPass, pending: ReadonlySet<number>): Map<number, StoreChange> {
  const { lastInput, catalog, model } = context;
  const asking = [...pending].filter((group) => (lastInput.pods[group].shape.requests.get(STORAGE) ?? 0n) > 0n);
  const changes = new Map<number, StoreChange>();
  if (asking.length === 0) return changes;
  for (const [name, facts] of lastInput.nodeClasses) {
    const manifest = model.nodeClasses.find(({ object }) => object.name === name);
    if (manifest === undefined || !hasUnusedStores(context, facts)) continue;
    const nodeClasses = new Map(lastInput.nodeClasses).set(name, { ...facts, instanceStoreRaid0: true });
    const passes = passesWithoutReasons({ ...lastInput, nodeClasses }, catalog);
    const { solved } = passes[passes.length - 1];
    if (solved.isBeyondBounds) continue;
    const left = leftBehind(solved);
    const fix = unsafeFix(setField(['spec', 'instanceStorePolicy'], 'RAID0'));
    const edits = [{ object: manifest.object, fix }];
    if ([...left.keys()].some((group) => !pending.has(group)) || context.objectionTo?.(edits) !== undefined) continue;
    const description = `write instanceStorePolicy: RAID0 in EC2NodeClass ${name}`;
    for (const group of asking)
      if (!left.has(group) && !changes.has(group)) changes.set(group, { description, tried: 1, edits });
  }
  return changes;
}

/** Whether all instance types of the NodePools of the class have an instance store that pods cannot use. */
function hasUnusedStores(
  { lastInput, plan, catalog }: LastPass,
  { name, amiFamily, instanceStoreRaid0 }: NodeClassFacts,
): boolean {
  if (instanceStoreRaid0 === true || !RAID0_FAMILIES.includes(amiFamily)) return false;
  const { tables } = poolTables(lastInput, catalog);
  const pools = lastInput.nodePools.filter(({ nodeClass }) => nodeClass === name);
  return pools.some((pool) => {
    const table = tables.get(pool.name);
    const types = plan.pools.find((view) => view.name === pool.name)?.instanceTypes ?? [];
    if (table === undefined || types.length === 0) return false;
    const indices = new Map(table.names.map((type, index) => [type, index]));
    return types.every(
      (type) => describeInstanceType(table, indices.get(type)!).labels[Label.INSTANCE_LOCAL_NVME] !== undefined,
    );
  });
}
