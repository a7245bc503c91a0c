import { isBatch, podAnnotations, podAnnotationsPath } from './pod-protection';
import {
  asRecord,
  compareKarpenterVersions,
  DO_NOT_DISRUPT,
  DO_NOT_DISRUPT_DURATIONS_SINCE,
  renameField,
  setField,
  unsafeFix,
} from '../../../../contract';
import { listText } from '../../../../model';
import { ManifestObject, WorkloadManifest } from '../../../manifest/model';
import { placementsOf, poolNamesOf } from '../../common/placements';
import { fail, Outcome, RuleContext } from '../../rule';

/** Annotations that protect pods from another program if they are "false", with what reads them. */
const PROTECTING: ReadonlyMap<string, string> = new Map([
  ['cluster-autoscaler.kubernetes.io/safe-to-evict', 'is read by Cluster Autoscaler only'],
  [
    'descheduler.alpha.kubernetes.io/evict',
    'is read by the descheduler only, which takes any value as a permission to evict',
  ],
]);
/** The descheduler reads only whether it is there. */
const PREFERS_NO_EVICTION = 'descheduler.alpha.kubernetes.io/prefer-no-eviction';
const SCALE_DOWN_DISABLED = 'cluster-autoscaler.kubernetes.io/scale-down-disabled';

/** Karpenter launches nodes for the pods, and the other programs do not decide what it evicts. */
export function protectionFromOthers(context: RuleContext, workload: WorkloadManifest): Outcome[] {
  const annotations = podAnnotations(workload);
  const key =
    [...PROTECTING.keys()].find((name) => annotations[name] === 'false') ??
    (annotations[PREFERS_NO_EVICTION] === undefined ? undefined : PREFERS_NO_EVICTION);
  if (key === undefined) return [];
  const pools = poolNamesOf(context, workload);
  if (pools.length === 0) return [];
  const place = podAnnotationsPath(workload);
  // A Job ends by itself. Other pods would keep their node forever.
  const value = isBatch(workload) || !hasDurations(context) ? 'true' : '12h';
  return [
    fail({
      object: workload.object,
      path: [...place, key],
      message: `${key}${key === PREFERS_NO_EVICTION ? '' : ': "false"'} ${PROTECTING.get(key) ?? 'is read by the descheduler only'}: Karpenter evicts its pods from the nodes of NodePool ${listText(pools)}`,
      remedy: `write ${DO_NOT_DISRUPT}: "${value}" instead`,
      evidence: { value: annotations[key], nodes: placementsOf(context, workload).length },
      // Nodes with protected pods are disrupted less than today.
      fix: unsafeFix(setField([...place, key], value), renameField([...place, key], DO_NOT_DISRUPT)),
    }),
  ];
}

function hasDurations({ options }: RuleContext): boolean {
  const version = options.karpenterVersion ?? options.servingVersion;
  return version === undefined || compareKarpenterVersions(version, DO_NOT_DISRUPT_DURATIONS_SINCE) >= 0;
}

/** Karpenter copies the annotation of the template to its nodes, which Cluster Autoscaler does not manage. */
export function nodesProtectedFromOthers(object: ManifestObject): Outcome[] {
  const template = asRecord(object.raw.spec?.template);
  if (asRecord(asRecord(template?.metadata)?.annotations)?.[SCALE_DOWN_DISABLED] !== 'true') return [];
  return [
    fail({
      object,
      path: ['spec', 'template', 'metadata', 'annotations', SCALE_DOWN_DISABLED],
      message: `${SCALE_DOWN_DISABLED}: "true" is read by Cluster Autoscaler only: Karpenter disrupts the nodes as without it`,
      remedy: 'remove it; to limit disruption, write disruption budgets, or annotate the pods that must stay',
      evidence: { value: 'true' },
    }),
  ];
}
