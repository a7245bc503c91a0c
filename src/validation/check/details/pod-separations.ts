import { Label, selects } from '../../../model';
import { PodAffinityTerm, PodShape } from '../../../scheduling';
import { WorkloadManifest } from '../../manifest/model';
import { PodSeparation } from '../../vocabulary/node-verdict';

const DOMAINS: Readonly<Record<string, PodSeparation['over']>> = { [Label.HOSTNAME]: 'nodes', [Label.ZONE]: 'zones' };

/**
 * What keeps pods of the workload from sharing a node or a zone: only constraints that select the pods themselves.
 *
 * @param respectsPreferences whether Karpenter treats preferences as requirements as long as it can
 */
export function podSeparations(
  { shape, namespace }: Pick<WorkloadManifest, 'shape' | 'namespace'>,
  respectsPreferences: boolean,
): PodSeparation[] {
  if (shape === undefined) return [];
  return [
    ...antiAffinities(shape, namespace),
    ...topologySpreads(shape),
    ...((shape.hostPorts ?? []).length > 0
      ? [{ by: 'host-port', over: 'nodes', pods: 1, preferred: false } as const]
      : []),
  ].filter(({ preferred }) => respectsPreferences || !preferred);
}

function antiAffinities({ podAntiAffinity, labels }: PodShape, namespace: string): PodSeparation[] {
  const { required = [], preferred = [] } = podAntiAffinity ?? {};
  const selectsItself = ({ labelSelector, namespaces = [], namespaceSelector }: PodAffinityTerm) =>
    labelSelector !== undefined &&
    selects(labelSelector, labels ?? {}) &&
    (namespaces.includes(namespace) || (namespaces.length === 0 && namespaceSelector === undefined));
  const separation = (term: PodAffinityTerm, isPreferred: boolean): PodSeparation[] => {
    const over = DOMAINS[term.topologyKey];
    return over !== undefined && selectsItself(term)
      ? [{ by: 'anti-affinity', over, pods: 1, preferred: isPreferred }]
      : [];
  };
  return [
    ...required.flatMap((term) => separation(term, false)),
    ...preferred.flatMap(({ term }) => separation(term, true)),
  ];
}

function topologySpreads({ topologySpread = [], labels }: PodShape): PodSeparation[] {
  return topologySpread.flatMap(({ topologyKey, maxSkew, whenUnsatisfiable, labelSelector }): PodSeparation[] => {
    const over = DOMAINS[topologyKey];
    return over !== undefined && labelSelector !== undefined && selects(labelSelector, labels ?? {})
      ? [{ by: 'topology-spread', over, pods: maxSkew, preferred: whenUnsatisfiable === 'ScheduleAnyway' }]
      : [];
  });
}
