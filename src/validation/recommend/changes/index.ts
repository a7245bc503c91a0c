import { familyChanges } from './families';
import { marketChanges } from './market';
import { mergingChanges } from './merging';
import { PoolChange } from './pool-change';
import { PoolDraft } from './pool-draft';
import { sizeChanges } from './sizes';
import { isStatic, poolTables } from '../../../scheduling';
import { CheckSession } from '../../context/check-session';
import { NodePoolManifest } from '../../manifest';

/** Changes of the NodePools that are worth a try, in the order in which they are tried. */
export function poolChanges(session: CheckSession, pools: readonly NodePoolManifest[]): PoolChange[] {
  const { model, input, catalog } = session;
  const { tables } = poolTables(input, catalog);
  const drafts = pools.flatMap((manifest) => {
    const { spec } = manifest;
    const table = spec && tables.get(spec.name);
    return spec === undefined || table === undefined || isStatic(spec) ? [] : [new PoolDraft(manifest, spec, table)];
  });
  return [
    ...drafts.flatMap((draft) => [
      ...sizeChanges(draft),
      ...familyChanges(draft),
      ...marketChanges(draft, catalog.zones, model),
    ]),
    ...mergingChanges(drafts),
  ];
}
