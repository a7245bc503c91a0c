import { suggestLabel } from './label-suggestion';
import { asRecord, FieldPath, safeFix, setField } from '../../../../contract';
import { Label, nearestKey, normalizeLabelKey, suggestTopologyKey, WELL_KNOWN_LABELS } from '../../../../model';
import { WorkloadManifest } from '../../../manifest/model';
import { recordsOf } from '../../../manifest/records';
import { FOREIGN_NODE_LABELS, podSpecOf, targetsNonKarpenterNodes } from '../../common/pod-constraints';
import { Pool } from '../../common/pool';
import { fail, Outcome, RuleContext } from '../../rule';

const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';

/** A label that pods prefer: Karpenter drops the preference if no node can have the label. */
interface PreferredKey {
  readonly key: string;
  readonly path: FieldPath;
  readonly constraint: 'topology spread' | 'pod affinity' | 'pod anti-affinity' | 'node affinity';
}

const EFFECTS: Readonly<Record<PreferredKey['constraint'], string>> = {
  'topology spread': 'Karpenter drops the preferred spread, and launches nodes as if it were not written',
  'pod affinity': 'Karpenter drops the preferred affinity, and launches nodes as if it were not written',
  'pod anti-affinity': 'Karpenter drops the preferred anti-affinity, and launches nodes as if it were not written',
  'node affinity': 'Karpenter drops the preference, and launches any node',
};

/** Misspelt labels in preferences: the pods run, but not as the workload prefers. */
export function preferredKeyFindings(
  { input }: RuleContext,
  workload: WorkloadManifest,
  pools: readonly Pool[],
): Outcome[] {
  if (isOutside(workload) || pools.some(({ spec, autoMode }) => spec === undefined || autoMode)) return [];
  const given = pools.flatMap(({ requirements }) => requirements?.keys() ?? []);
  return preferredKeys(workload).flatMap(({ key, path, constraint }) => {
    const isOfNodes = given.includes(key) || FOREIGN_NODE_LABELS.has(key) || hasNodeWith(input, key);
    const meant = isOfNodes ? undefined : meantKey(key, constraint, given);
    if (meant === undefined) return [];
    return [
      fail({
        object: workload.object,
        path,
        message: `prefers a ${constraint} over ${key}, a label that Karpenter does not know and no NodePool declares: ${EFFECTS[constraint]}; did you mean ${meant}?`,
        remedy: `write ${meant}`,
        evidence: { key, suggestion: meant, constraint },
        fix: safeFix(setField(path, meant)),
        severity: 'warning',
      }),
    ];
  });
}

/** Whether no pod of the workload runs on nodes of Karpenter. */
function isOutside(workload: WorkloadManifest): boolean {
  return workload.kind === 'DaemonSet' || workload.replicas === 0 || targetsNonKarpenterNodes(workload);
}

function meantKey(key: string, constraint: PreferredKey['constraint'], given: readonly string[]): string | undefined {
  if (constraint !== 'node affinity') return suggestTopologyKey(key, given);
  if (normalizeLabelKey(key) !== key || WELL_KNOWN_LABELS.has(key) || key === Label.HOSTNAME) return undefined;
  const near = suggestLabel(key);
  return near?.certain ? near.suggestion : nearestKey(key, given);
}

function hasNodeWith({ nodes = [] }: RuleContext['input'], key: string): boolean {
  return nodes.some(({ labels }) => key in labels);
}

function preferredKeys(workload: WorkloadManifest): PreferredKey[] {
  const { podPath } = workload;
  const spec = asRecord(podSpecOf(workload));
  const affinity = asRecord(spec?.affinity);
  const spreads = recordsOf(spec?.topologySpreadConstraints).flatMap(
    ({ topologyKey, whenUnsatisfiable }, index): PreferredKey[] =>
      typeof topologyKey === 'string' && whenUnsatisfiable === 'ScheduleAnyway'
        ? [
            {
              key: topologyKey,
              path: [...podPath, 'topologySpreadConstraints', index, 'topologyKey'],
              constraint: 'topology spread',
            },
          ]
        : [],
  );
  const ofPods = (['podAffinity', 'podAntiAffinity'] as const).flatMap((kind) =>
    recordsOf(asRecord(affinity?.[kind])?.[PREFERRED]).flatMap(({ podAffinityTerm }, index): PreferredKey[] => {
      const topologyKey = asRecord(podAffinityTerm)?.topologyKey;
      const path = [...podPath, 'affinity', kind, PREFERRED, index, 'podAffinityTerm', 'topologyKey'];
      const constraint = kind === 'podAffinity' ? 'pod affinity' : 'pod anti-affinity';
      return typeof topologyKey === 'string' ? [{ key: topologyKey, path, constraint }] : [];
    }),
  );
  const ofNodes = recordsOf(asRecord(affinity?.nodeAffinity)?.[PREFERRED]).flatMap(({ preference }, index) =>
    recordsOf(asRecord(preference)?.matchExpressions).flatMap(({ key, operator }, position): PreferredKey[] => {
      const place = [...podPath, 'affinity', 'nodeAffinity', PREFERRED, index, 'preference', 'matchExpressions'];
      return typeof key === 'string' && (operator === 'In' || operator === 'Exists')
        ? [{ key, path: [...place, position, 'key'], constraint: 'node affinity' }]
        : [];
    }),
  );
  return [...spreads, ...ofPods, ...ofNodes];
}
