import { launchesOnlySpot, OnDemandFallbacks } from './on-demand-fallback';
import { removeField, setField, unsafeFix } from '../../../../contract';
import { Label } from '../../../../model';
import { PodShape } from '../../../../scheduling';
import { WorkloadManifest } from '../../../manifest/model';
import { podSpecOf } from '../../common/pod-constraints';
import { Pool, poolsOf } from '../../common/pool';
import { workloadsOnKarpenterNodes } from '../../common/spot-nodes';
import { defineRule } from '../../define-rule';
import { RuleContext } from '../../rule';
import { subjectsFrom } from '../../subjects';

/** @see https://karpenter.sh/docs/concepts/scheduling/#fallback */
export const fallbackDefeatedByPin = defineRule({
  id: 'KARP-518',
  name: 'fallback-defeated-by-pin',
  severity: 'warning',
  summary: 'Pods select a spot NodePool by name, so that they never use the on-demand NodePool of lower weight.',
  subjects: subjectsFrom<WorkloadManifest>(workloadsOnKarpenterNodes, {
    where: (workload) => pinOf(workload) !== undefined,
  }),
  judge(workload, context) {
    const fallback = fallbackBehindPin(workload, context);
    if (fallback === undefined) return undefined;
    const pin = pinOf(workload)!;
    const { podPath } = workload;
    const names = [pin, fallback.name];
    const hasAffinity = podSpecOf(workload)?.affinity?.nodeAffinity !== undefined;
    const term = { matchExpressions: [{ key: Label.NODE_POOL, operator: 'In', values: names }] };
    return {
      path: [...podPath, 'nodeSelector', Label.NODE_POOL],
      message: `selects NodePool ${pin}, which launches only spot: without spot capacity its pods stay Pending, although NodePool ${fallback.name} would run them on demand`,
      remedy: `remove the node selector, and require ${Label.NODE_POOL} In [${names.join(', ')}] in the node affinity`,
      evidence: { nodePool: pin, fallback: fallback.name },
      ...(hasAffinity
        ? {}
        : {
            fix: unsafeFix(
              removeField([...podPath, 'nodeSelector', Label.NODE_POOL]),
              setField([...podPath, 'affinity', 'nodeAffinity', 'requiredDuringSchedulingIgnoredDuringExecution'], {
                nodeSelectorTerms: [term],
              }),
            ),
          }),
    };
  },
});

/** The NodePool of lower weight that would run the pods on demand if they did not select a spot NodePool by name. */
export function fallbackBehindPin(workload: WorkloadManifest, context: RuleContext): Pool | undefined {
  const pin = pinOf(workload);
  const pools = poolsOf(context);
  const pinned = pools.find(({ name }) => name === pin);
  if (pin === undefined || pinned?.spec === undefined || !launchesOnlySpot(pinned)) return undefined;
  const { [Label.NODE_POOL]: _, ...nodeSelector } = workload.shape!.nodeSelector;
  const shape: PodShape = { ...workload.shape!, nodeSelector };
  return pools.find(
    (pool) =>
      pool.spec !== undefined &&
      pool.spec.weight < pinned.spec!.weight &&
      new OnDemandFallbacks([pool]).for(shape).exists === 'yes',
  );
}

function pinOf({ shape }: WorkloadManifest): string | undefined {
  return shape?.nodeSelector[Label.NODE_POOL];
}
