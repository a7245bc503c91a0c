import { classNameOf, provisionerOf, storageClassesOf, WrittenClaim, writtenClaims } from './written-claims';
import { setField, unsafeFix } from '../../../contract';
import { eksctlClusters } from '../../cluster/node-groups';
import { isAutoMode } from '../../eks-auto-mode';
import { ManifestObject } from '../../manifest/model';
import { poolNamesOf } from '../common/placements';
import { podSpecOf } from '../common/pod-constraints';
import { defineRule, NOT_APPLICABLE } from '../define-rule';
import { RuleContext } from '../rule';
import { subjectsWith } from '../subjects';

const AUTO_MODE_DRIVER = 'ebs.csi.eks.amazonaws.com';
const DRIVER = 'ebs.csi.aws.com';

/** @see https://docs.aws.amazon.com/eks/latest/userguide/create-storage-class.html */
export const autoModeVolumes = defineRule({
  id: 'KARP-824',
  name: 'auto-mode-volumes',
  severity: 'error',
  summary: 'Pods on nodes of Karpenter mount volumes of the driver that only nodes of EKS Auto Mode have.',
  subjects: subjectsWith<ManifestObject>(
    (object) => object,
    ({ model }) => model.objects.filter(({ kind }) => kind === 'StorageClass'),
    { where: (object) => provisionerOf(object) === AUTO_MODE_DRIVER },
  ),
  judge(object, context) {
    const users = usersOf(object, context);
    if (users.length === 0) return NOT_APPLICABLE;
    const [{ kind, namespace, name, pool }] = users;
    return {
      path: ['provisioner'],
      message: `${AUTO_MODE_DRIVER} runs only on nodes of EKS Auto Mode, but ${kind} ${namespace}/${name} mounts its volumes on nodes of NodePool ${pool}, which has an EC2NodeClass: the pods never start there`,
      remedy: `write provisioner: ${DRIVER}, delete the StorageClass and create it again, because the field cannot be changed${hasDriver(context) ? '' : ', and install the EBS CSI driver'}`,
      evidence: { provisioner: AUTO_MODE_DRIVER, workloads: users.map((user) => `${user.namespace}/${user.name}`) },
      fix: unsafeFix(setField(['provisioner'], DRIVER)),
    };
  },
});

/** Whether a file of the input installs the EBS CSI driver, as an add-on or otherwise. */
function hasDriver({ model }: RuleContext): boolean {
  const addons = [
    ...eksctlClusters(model.objects).flatMap((cluster) => cluster.addons),
    ...model.aws.addons.map(({ name }) => name),
  ];
  return addons.includes('aws-ebs-csi-driver') || model.installedPrograms?.includes(DRIVER) === true;
}

/** Workloads that mount claims of the class, and are planned on nodes of a self-managed Karpenter. */
function usersOf(storageClass: ManifestObject, context: RuleContext) {
  const { model } = context;
  const classes = storageClassesOf(context);
  const isOfClass = (claim: WrittenClaim) => classNameOf(claim, classes) === storageClass.name;
  const claims = writtenClaims(model).filter(isOfClass);
  const ownPools = new Set(model.nodePools.filter((pool) => !isAutoMode(pool)).map(({ object }) => object.name));
  return model.workloads.flatMap((workload) => {
    const { object, kind, namespace, name } = workload;
    const names = (Array.isArray(podSpecOf(workload)?.volumes) ? podSpecOf(workload).volumes : []).map(
      (volume: any) => volume?.persistentVolumeClaim?.claimName,
    );
    const mounts = claims.some(
      (claim) =>
        claim.object === object ||
        ((claim.object.namespace ?? 'default') === namespace && names.includes(claim.object.name)),
    );
    const pool = mounts ? poolNamesOf(context, workload).find((candidate) => ownPools.has(candidate)) : undefined;
    return pool === undefined ? [] : [{ kind, namespace, name, pool }];
  });
}
