import { asRecord } from '../../../../contract';
import { AddedObject } from '../../../manifest/edit/fix-of';
import { findUnresolved } from '../../../manifest/find-unresolved';
import { ManifestModel, WorkloadManifest } from '../../../manifest/model';
import { hasPlaceholder } from '../../../manifest/placeholders/placeholder';

/** Kinds whose selector is that of their pods. */
const SELECTING: readonly string[] = ['Deployment', 'StatefulSet', 'ReplicaSet'];

/**
 * A PodDisruptionBudget for a workload without one, as the remedies of rules describe it. Undefined if the file does
 * not have the selector, or if other objects make the workload.
 */
export function budgetFor(
  { object, podLabels, namespace: own }: WorkloadManifest,
  model: ManifestModel,
): AddedObject | undefined {
  const { kind, namespace, name, raw, madeBy } = object;
  const matchLabels = asRecord(asRecord(raw.spec?.selector)?.matchLabels);
  const isPlain = matchLabels !== undefined && Object.keys(matchLabels).length > 0;
  if (!SELECTING.includes(kind) || madeBy !== undefined || !isPlain) return undefined;
  if (Object.entries(matchLabels).some(([key, value]) => podLabels[key] !== value)) return undefined;
  const texts = [name, namespace ?? '', ...Object.entries(matchLabels).flat()];
  if (texts.some(hasPlaceholder) || findUnresolved(texts) !== undefined) return undefined;
  if (model.pdbs.some((pdb) => pdb.object.name === name && pdb.namespace === own)) return undefined;
  return {
    after: object,
    object: {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
      spec: { maxUnavailable: 1, unhealthyPodEvictionPolicy: 'AlwaysAllow', selector: { matchLabels } },
    },
  };
}
