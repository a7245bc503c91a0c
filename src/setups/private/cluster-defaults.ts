/** Objects of a cluster that are not nodes, but that its pods need. */
import { Construct } from 'constructs';
import {
  DaemonSetPriorityClass,
  EfsStorageClass,
  Gp3StorageClass,
  Io2StorageClass,
  StorageClass,
} from '../../workloads';
import { ProductionSetupProps } from '../production-setup-props';

interface ClusterDefaults {
  readonly storageClasses: StorageClass[];
  daemonSetPriorityClass?: DaemonSetPriorityClass;
}

export function addClusterDefaults(
  setup: Construct,
  { cluster, storage, daemonSetPriority }: ProductionSetupProps,
): ClusterDefaults {
  const created: ClusterDefaults = { storageClasses: [] };
  if (storage === undefined && daemonSetPriority === undefined) return created;
  cluster._addObjects(setup, (scope) => {
    const { gp3, io2, efs } = storage ?? {};
    if (gp3) created.storageClasses.push(new Gp3StorageClass(scope, 'gp3', gp3));
    if (io2) created.storageClasses.push(new Io2StorageClass(scope, 'io2', io2));
    if (efs) created.storageClasses.push(new EfsStorageClass(scope, 'efs', efs));
    if (daemonSetPriority)
      created.daemonSetPriorityClass = new DaemonSetPriorityClass(scope, 'daemon-sets', daemonSetPriority);
  });
  return created;
}
