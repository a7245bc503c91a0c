import { classNameOf, makesEbsVolumes, storageClassesOf, WrittenClaim, writtenClaims } from './written-claims';
import { setField, unsafeFix } from '../../../contract';
import { listText } from '../../../model';
import { stringsOf } from '../../manifest/records';
import { EKS_STORAGE_CLASS } from '../../manifest/workload/storage';

import { defineRule, NOT_APPLICABLE, unknown } from '../define-rule';
import { RuleContext } from '../rule';
import { subjectsFrom } from '../subjects';

const SEVERAL_NODES: readonly string[] = ['ReadWriteMany', 'ReadOnlyMany'];

/** @see https://github.com/kubernetes-sigs/aws-ebs-csi-driver/blob/master/docs/multi-attach.md */
export const ebsVolumeForSeveralNodes = defineRule({
  id: 'KARP-823',
  name: 'ebs-volume-for-several-nodes',
  severity: 'error',
  summary: 'A claim wants a shared file system from EBS: no volume is created.',
  subjects: subjectsFrom<WrittenClaim>(({ model }) => writtenClaims(model), {
    where: ({ spec }) =>
      spec.volumeMode !== 'Block' && stringsOf(spec.accessModes).some((mode) => SEVERAL_NODES.includes(mode)),
  }),
  judge(claim, context) {
    const { path, spec } = claim;
    const name = classNameOf(claim, storageClassesOf(context));
    if (name === '') return NOT_APPLICABLE;
    const isEbs = name === undefined ? undefined : isEbsClass(context, name);
    if (isEbs === undefined)
      return unknown(`${name === undefined ? 'its StorageClass' : `StorageClass ${name}`} is not in the input`);
    const modes = stringsOf(spec.accessModes).filter((mode) => SEVERAL_NODES.includes(mode));
    return !isEbs
      ? undefined
      : {
          path: [...path, 'accessModes'],
          message: `asks StorageClass ${name} for a ${listText(modes)} volume, but EBS volumes with a file system are ReadWriteOnce: none is created, and the pods that mount it stay Pending`,
          remedy:
            'write accessModes: [ReadWriteOnce], with a claim for each pod, or use a StorageClass of EFS (efs.csi.aws.com)',
          evidence: { accessModes: modes, storageClass: name },
          // Each pod of a StatefulSet has a claim of its own.
          fix:
            claim.object.kind === 'StatefulSet'
              ? unsafeFix(setField([...path, 'accessModes'], ['ReadWriteOnce']))
              : undefined,
        };
  },
});

/** Undefined if the class is not in the input, even if its name is declared. */
function isEbsClass(context: RuleContext, name: string): boolean | undefined {
  const written = storageClassesOf(context).written.get(name);
  return written === undefined ? (name === EKS_STORAGE_CLASS ? true : undefined) : makesEbsVolumes(written);
}
