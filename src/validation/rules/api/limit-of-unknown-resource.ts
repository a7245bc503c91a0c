import { asRecord, renameField, safeFix } from '../../../contract';
import { nearestName } from '../../../model';
import { defineRule } from '../define-rule';
import { launchingPools } from '../subjects';

/** The key that limits the number of nodes. */
const NODES = 'nodes';
const HUGE_PAGES = /^hugepages-/;
/** Short names that users write, with the resource. */
const SHORT_NAMES: ReadonlyMap<string, string> = new Map([
  ['mem', 'memory'],
  ['gpu', 'nvidia.com/gpu'],
  ['gpus', 'nvidia.com/gpu'],
  ['vcpu', 'cpu'],
  ['storage', 'ephemeral-storage'],
]);

/** @see https://karpenter.sh/docs/concepts/nodepools/#speclimits */
export const limitOfUnknownResource = defineRule({
  id: 'KARP-156',
  name: 'limit-of-unknown-resource',
  severity: 'warning',
  summary: 'A limit of a NodePool names a resource that no node has, so it limits nothing.',
  subjects: launchingPools({ where: ({ spec }) => spec === undefined || spec.limits.size > 0 }),
  judge({ object, launch }, { model }) {
    const ofOverlays = model.nodeOverlays.flatMap(({ object: { raw } }) =>
      Object.keys(asRecord(raw?.spec?.capacity) ?? {}),
    );
    const known = [...launch.table.resources, NODES, ...ofOverlays];
    const written = Object.keys(asRecord(object.raw.spec?.limits) ?? {});
    return written
      .filter((key) => !known.includes(key) && !HUGE_PAGES.test(key))
      .flatMap((key) => {
        const meant = SHORT_NAMES.get(key.toLowerCase()) ?? nearestName(key, known);
        // A device of another domain may be that of a device plugin.
        if (meant === undefined && key.includes('/')) return [];
        const path = ['spec', 'limits', key];
        const isWritten = meant !== undefined && written.includes(meant);
        return [
          {
            path,
            message: `limits ${key}, which no node has: Karpenter never reaches this limit`,
            remedy:
              meant === undefined || isWritten
                ? `remove it${isWritten ? `, because ${meant} is limited already` : ', or limit cpu and memory'}`
                : `write ${meant} instead of ${key}`,
            evidence: { resource: key, meant: meant ?? null },
            ...(meant === undefined || isWritten ? {} : { fix: safeFix(renameField(path, meant)) }),
          },
        ];
      });
  },
});
