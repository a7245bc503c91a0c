import { isInTreeEbs } from './written-claims';
import { setField, unsafeFix } from '../../../contract';
import { ManifestObject } from '../../manifest/model';
import { defineRule } from '../define-rule';
import { subjectsWith } from '../subjects';

const DRIVER = 'ebs.csi.aws.com';

/** @see https://kubernetes.io/docs/concepts/storage/storage-classes/#aws-ebs */
export const inTreeVolumePlugin = defineRule({
  id: 'KARP-822',
  name: 'in-tree-volume-plugin',
  severity: 'info',
  summary: 'A StorageClass names the EBS plugin that Kubernetes 1.27 removed.',
  subjects: subjectsWith<ManifestObject>(
    (object) => object,
    ({ model }) => model.objects.filter(({ kind }) => kind === 'StorageClass'),
    { where: ({ raw }) => typeof raw?.provisioner === 'string' },
  ),
  judge(object) {
    if (!isInTreeEbs(object)) return undefined;
    return {
      path: ['provisioner'],
      message: `provisioner ${object.raw.provisioner} was removed in Kubernetes 1.27: without the EBS CSI driver its volumes are never created, and EKS Auto Mode does not know it`,
      remedy: `write provisioner: ${DRIVER}, then delete the StorageClass and create it again, because the field cannot be changed`,
      evidence: { provisioner: object.raw.provisioner },
      fix: unsafeFix(setField(['provisioner'], DRIVER)),
    };
  },
});
