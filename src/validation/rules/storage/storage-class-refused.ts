import { provisionerOf } from './written-claims';
import { asRecord, checkStorageClassParameters, formatFieldPath, formatValue } from '../../../contract';
import { findUnresolved, whyUnresolved } from '../../manifest/find-unresolved';
import { ManifestObject } from '../../manifest/model';
import { defineRule } from '../define-rule';
import { subjectsWith } from '../subjects';
import { isEbsDriver } from './attach-limit';

/** @see https://github.com/kubernetes-sigs/aws-ebs-csi-driver/blob/master/docs/parameters.md */
export const storageClassRefused = defineRule({
  id: 'KARP-826',
  name: 'storage-class-refused',
  severity: 'error',
  summary: 'EC2 or the EBS CSI driver refuses the volumes of a StorageClass, so the pods that claim one stay Pending.',
  subjects: subjectsWith<ManifestObject>(
    (object) => object,
    ({ model }) => model.objects.filter(({ kind }) => kind === 'StorageClass'),
    {
      where: (object) => isEbsDriver(provisionerOf(object)) && asRecord(object.raw?.parameters) !== undefined,
      unknown: ({ raw }) =>
        findUnresolved(raw?.parameters) === undefined ? undefined : whyUnresolved(raw?.parameters),
    },
  ),
  judge({ raw }) {
    return checkStorageClassParameters(asRecord(raw?.parameters) ?? {}).map(({ path, problem, got, remedy, fix }) => ({
      path,
      message: `${formatFieldPath(path)}: ${problem}${got === undefined ? '' : `, got ${formatValue(got)}`}; no volume is created, and pods that claim one stay Pending`,
      remedy,
      evidence: { field: formatFieldPath(path), value: got ?? null },
      fix,
    }));
  },
});
