import { MaintenanceWindow } from './maintenance-window';
import { BatchPoolOptions, CpuPoolOptions, GpuPoolOptions, StaticPoolOptions } from './pool-options';
import { EC2NodeClassOptions, Zone } from '../nodes';
import { SetupCluster } from './setup-cluster';
import { StorageOptions } from './storage-options';
import { DaemonSetPriorityClassProps } from '../workloads';

/**
 * Properties of a ProductionSetup.
 */
export interface ProductionSetupProps {
  /**
   * The cluster of the nodes.
   */
  readonly cluster: SetupCluster;

  /**
   * AMI and other EC2 settings of all nodes. Use a pinned AMI, and raise its version regularly: nodes are then replaced
   * within the maintenance window. The name in `metadata` is not used. Without `blockDeviceMappings`, nodes of AL2,
   * AL2023 and Bottlerocket have an encrypted disk of 50 GiB for images, or of 200 GiB if they have GPUs.
   */
  readonly nodeClassOptions: EC2NodeClassOptions;

  /**
   * Zones of the nodes.
   *
   * @default - the zones of the subnets
   */
  readonly zones?: Zone[];

  /**
   * When drifted nodes are replaced.
   *
   * @default - every day from 02:00 to 06:00 UTC
   */
  readonly maintenanceWindow?: MaintenanceWindow;

  /**
   * Settings of the general pool, for all pods that need no special node: amd64 instances of the categories c, m and r
   * from generation 5 on, with 2 to 32 vCPUs. It has no taint.
   *
   * @default - spot with on-demand fallback, for 200 vCPUs
   */
  readonly general?: CpuPoolOptions;

  /**
   * A pool of Graviton instances, for pods whose images support arm64: the same categories, generations and sizes as in
   * the general pool. Its nodes have the taint `kubernetes.io/arch=arm64:NoSchedule`.
   *
   * @default - no such pool
   */
  readonly graviton?: CpuPoolOptions;

  /**
   * A pool of instances with NVIDIA GPUs. Its nodes have the taint `nvidia.com/gpu:NoSchedule`, and the label
   * `nvidia.com/gpu.present=true`, by which the Helm chart of the NVIDIA device plugin finds them. Install this chart,
   * or use Bottlerocket, which contains the plugin: without it, nodes offer no GPUs. Nodes are only removed when they
   * are empty.
   *
   * @default - no such pool
   */
  readonly gpu?: GpuPoolOptions;

  /**
   * A pool for jobs, with the instance types of the general pool. Its nodes have the taint
   * `karpenter-constructs.dev/batch:NoSchedule`, and are only removed when they are empty.
   *
   * @default - no such pool
   */
  readonly batch?: BatchPoolOptions;

  /**
   * A pool with a fixed number of on-demand nodes, for a load that is always there. It has no taint. It requires the
   * feature gate `StaticCapacity`.
   *
   * @default - no such pool
   */
  readonly staticCapacity?: StaticPoolOptions;

  /**
   * StorageClasses to create, for EBS and EFS. Their CSI drivers must be installed. A verdict of the app evaluates pods
   * with volumes of these classes.
   *
   * @default - none
   */
  readonly storage?: StorageOptions;

  /**
   * A PriorityClass to create for DaemonSets, so that each node gets their pods: `{}` for the defaults. Give the `name`
   * of `daemonSetPriorityClass` to `workloads.Resilience`.
   *
   * @default - none
   */
  readonly daemonSetPriority?: DaemonSetPriorityClassProps;
}
