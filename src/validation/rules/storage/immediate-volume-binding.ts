import { makesEbsVolumes } from './written-claims';
import { setField, unsafeFix } from '../../../contract';
import { whyUnresolved } from '../../manifest/find-unresolved';
import { ManifestObject } from '../../manifest/model';
import { recordsOf, stringsOf } from '../../manifest/records';
import { defineRule } from '../define-rule';
import { subjectsWith } from '../subjects';

/** @see https://kubernetes.io/docs/concepts/storage/storage-classes/#volume-binding-mode */
export const immediateVolumeBinding = defineRule({
  id: 'KARP-820',
  name: 'immediate-volume-binding',
  severity: 'warning',
  summary: 'A StorageClass creates EBS volumes before nodes are chosen, in zones where their pods may not run.',
  subjects: subjectsWith<ManifestObject>(
    (object) => object,
    ({ model }) => model.objects.filter(({ kind }) => kind === 'StorageClass'),
    { where: makesEbsVolumes, unknown: ({ raw }) => whyUnresolved(raw?.volumeBindingMode) },
  ),
  judge({ raw }) {
    const isWritten = raw?.volumeBindingMode !== undefined;
    // KARP-100 reports other values, which the API server refuses.
    if ((isWritten && raw.volumeBindingMode !== 'Immediate') || hasOneZone(raw)) return undefined;
    return {
      path: ['volumeBindingMode'],
      message:
        `${isWritten ? 'volumeBindingMode is Immediate' : 'volumeBindingMode is not set, which means Immediate'}: each volume is created in a zone ` +
        'that ignores where its pod can run, and a pod that must run in another zone stays Pending',
      remedy:
        'write volumeBindingMode: WaitForFirstConsumer, then delete the StorageClass and create it again, because the field cannot be changed; existing volumes stay',
      evidence: { volumeBindingMode: raw?.volumeBindingMode ?? null },
      fix: unsafeFix(setField(['volumeBindingMode'], 'WaitForFirstConsumer')),
    };
  },
});

/** If volumes can be in one zone only, pods and volumes agree about it. */
function hasOneZone(raw: any): boolean {
  const values = recordsOf(raw?.allowedTopologies).flatMap(({ matchLabelExpressions }) =>
    recordsOf(matchLabelExpressions).flatMap((expression) => stringsOf(expression.values)),
  );
  return values.length === 1;
}
