import { Duration } from 'cdk8s';
import { Construct } from 'constructs';
import { MaintenanceWindow } from './maintenance-window';
import { PoolOptions, PurchaseOption } from './pool-options';
import { requireProps } from '../model';
import {
  CapacityType,
  Consolidation,
  ConsolidationPolicy,
  DisruptionBudget,
  EC2NodeClass,
  Expiration,
  NodePool,
  NodePoolLimits,
  Requirement,
  Taint,
  TaintEffect,
} from '../nodes';
import { addClusterDefaults } from './private/cluster-defaults';
import { cpuLimits, gpuLimits, nodeLimits } from './private/limits';
import { withDisk } from './private/node-class';
import { amd64Instances, gpuInstances, gravitonInstances } from './private/requirements';
import { ProductionSetupProps } from './production-setup-props';
import { DaemonSetPriorityClass, StorageClass } from '../workloads';

/** The spot pool is tried first. */
const SPOT_WEIGHT = 20;
const FALLBACK_WEIGHT = 10;

/** What the options of a pool do not override. */
interface PoolDefaults {
  readonly instances: Requirement[];
  readonly limits: NodePoolLimits;
  readonly taint?: Taint;
  readonly labels?: { [key: string]: string };
  /** The nodes get a larger disk, because images for GPUs are large. */
  readonly hasGpus?: boolean;
  readonly weight?: number;
  readonly replicas?: number;
  readonly terminationGracePeriod?: Duration;
  readonly consolidationPolicy?: ConsolidationPolicy;
}

interface DynamicPoolOptions extends PoolOptions {
  readonly purchaseOption?: PurchaseOption;
  readonly instanceRequirements?: Requirement[];
}

/**
 * NodePools for production: a general pool, and on request pools for Graviton, GPUs, batch jobs and static capacity.
 *
 * All pools have limits with headroom for the replacement of drifted nodes, and disruption budgets with a maintenance
 * window. Nodes do not expire, because budgets do not delay expiry: raise the version of the AMI instead.
 *
 * The controller itself needs nodes that Karpenter does not launch, such as an `infra.SystemNodeGroup`.
 */
export class ProductionSetup extends Construct {
  /**
   * The general pool.
   */
  public readonly general: NodePool;

  /**
   * The pool of Graviton instances, if requested.
   */
  public readonly graviton?: NodePool;

  /**
   * The pool of GPU instances, if requested.
   */
  public readonly gpu?: NodePool;

  /**
   * The pool for jobs, if requested.
   */
  public readonly batch?: NodePool;

  /**
   * The static pool, if requested.
   */
  public readonly staticCapacity?: NodePool;

  /**
   * The PriorityClass of DaemonSets, if requested.
   */
  public readonly daemonSetPriorityClass?: DaemonSetPriorityClass;

  private readonly _fallbacks: NodePool[] = [];
  private readonly _storageClasses: StorageClass[];
  private readonly window: MaintenanceWindow;
  private readonly nodeClasses = new Map<string, EC2NodeClass>();

  /**
   * @throws Error if a value is invalid, or Karpenter or the API server would reject an object
   */
  constructor(
    scope: Construct,
    id: string,
    private readonly props: ProductionSetupProps,
  ) {
    super(scope, id);
    requireProps(this, props, {
      cluster: "SetupCluster.byDiscoveryTag('shop', NodeIdentity.role('KarpenterNodeRole-shop'))",
      nodeClassOptions: "{ amiSelectorTerms: [AmiSelectorTerm.al2023('v20250915')] }",
    });
    const { general = {}, graviton, gpu, batch, staticCapacity } = props;
    const pathOf = (pool: keyof ProductionSetupProps) => `${this.node.path}/${pool}`;
    this.window = props.maintenanceWindow ?? MaintenanceWindow.weekly({ startHour: 2, duration: Duration.hours(4) });
    this.general = this.newDynamicPool('general', general, {
      instances: amd64Instances(),
      limits: cpuLimits(pathOf('general'), general.cpu),
    });
    this.graviton =
      graviton &&
      this.newDynamicPool('graviton', graviton, {
        instances: gravitonInstances(),
        limits: cpuLimits(pathOf('graviton'), graviton.cpu),
        taint: { key: 'kubernetes.io/arch', value: 'arm64', effect: TaintEffect.NO_SCHEDULE },
      });
    this.gpu =
      gpu &&
      this.newDynamicPool(
        'gpu',
        { purchaseOption: PurchaseOption.ON_DEMAND_ONLY, ...gpu },
        {
          instances: gpuInstances(),
          limits: gpuLimits(pathOf('gpu'), gpu.gpus),
          hasGpus: true,
          labels: { 'nvidia.com/gpu.present': 'true' },
          taint: { key: 'nvidia.com/gpu', effect: TaintEffect.NO_SCHEDULE },
          consolidationPolicy: ConsolidationPolicy.WHEN_EMPTY,
        },
      );
    this.batch =
      batch &&
      this.newDynamicPool('batch', batch, {
        instances: amd64Instances(),
        limits: cpuLimits(pathOf('batch'), batch.cpu),
        taint: { key: 'karpenter-constructs.dev/batch', effect: TaintEffect.NO_SCHEDULE },
        terminationGracePeriod: batch.maxJobDuration ?? Duration.hours(24),
        consolidationPolicy: ConsolidationPolicy.WHEN_EMPTY,
      });
    this.staticCapacity =
      staticCapacity &&
      this.newPool(
        'static',
        staticCapacity,
        {
          instances: [Requirement.instanceType().in(...staticCapacity.instanceTypes)],
          limits: nodeLimits(pathOf('staticCapacity'), staticCapacity.replicas),
          replicas: staticCapacity.replicas,
        },
        [CapacityType.ON_DEMAND],
      );
    const created = addClusterDefaults(this, props);
    this._storageClasses = created.storageClasses;
    this.daemonSetPriorityClass = created.daemonSetPriorityClass;
  }

  /**
   * The StorageClasses, in the order gp3, io2, EFS. The list is a copy.
   */
  public get storageClasses(): StorageClass[] {
    return [...this._storageClasses];
  }

  /**
   * The on-demand pools of lower weight, for each pool that has PurchaseOption.SPOT_WITH_WEIGHTED_FALLBACK. The list is
   * a copy.
   */
  public get fallbacks(): NodePool[] {
    return [...this._fallbacks];
  }

  /**
   * The general pool with its fallback, if it has one, for `nodePools` of a workload. The list is a copy.
   */
  public get generalPools(): NodePool[] {
    return withFallback(this.general);
  }

  /**
   * The pool of Graviton instances with its fallback. Empty if it is not requested. The list is a copy.
   */
  public get gravitonPools(): NodePool[] {
    return withFallback(this.graviton);
  }

  /**
   * The pool of GPU instances with its fallback. Empty if it is not requested. The list is a copy.
   */
  public get gpuPools(): NodePool[] {
    return withFallback(this.gpu);
  }

  /**
   * The pool for jobs with its fallback. Empty if it is not requested. The list is a copy.
   */
  public get batchPools(): NodePool[] {
    return withFallback(this.batch);
  }

  /** Creates one NodePool, or two with different weights. */
  private newDynamicPool(name: string, options: DynamicPoolOptions, defaults: PoolDefaults): NodePool {
    const pool = { ...defaults, instances: options.instanceRequirements ?? defaults.instances };
    switch (options.purchaseOption) {
      case PurchaseOption.ON_DEMAND_ONLY:
        return this.newPool(name, options, pool, [CapacityType.ON_DEMAND]);
      case PurchaseOption.SPOT_WITH_WEIGHTED_FALLBACK: {
        const weighted = { ...pool, weight: FALLBACK_WEIGHT };
        const fallback = this.newPool(`${name}-on-demand`, options, weighted, [CapacityType.ON_DEMAND]);
        this._fallbacks.push(fallback);
        const spot = this.newPool(name, options, { ...pool, weight: SPOT_WEIGHT }, [CapacityType.SPOT]);
        spot._fallback = fallback;
        fallback._fallbackOf = spot;
        return spot;
      }
      default:
        return this.newPool(name, options, pool, [CapacityType.SPOT, CapacityType.ON_DEMAND]);
    }
  }

  private newPool(name: string, options: PoolOptions, defaults: PoolDefaults, capacityTypes: CapacityType[]): NodePool {
    const {
      instances,
      taint,
      consolidationPolicy = ConsolidationPolicy.WHEN_EMPTY_OR_UNDERUTILIZED,
      labels,
      hasGpus = false,
      ...props
    } = defaults;
    const { zones, cluster } = this.props;
    return cluster._addNodePool(this, name, {
      ...props,
      nodeClass: options.nodeClass ?? this.nodeClass(hasGpus),
      requirements: [
        ...instances,
        Requirement.capacityType().in(...capacityTypes),
        ...(zones ? [Requirement.zone().in(...zones)] : []),
      ],
      labels: { ...labels, ...options.labels },
      taints: options.taints ?? (taint ? [taint] : []),
      expireAfter: Expiration.never(),
      disruption: {
        consolidationPolicy,
        consolidateAfter: Consolidation.after(Duration.minutes(5)),
        budgets: [DisruptionBudget.percent(10), ...this.window.budgets],
        ...options.disruption,
      },
    });
  }

  /** Created on first use, because pools may all have classes of their own. */
  private nodeClass(hasGpus: boolean): EC2NodeClass {
    const name = hasGpus ? 'gpu' : 'default';
    const nodeClass =
      this.nodeClasses.get(name) ??
      this.props.cluster._addNodeClass(this, name, withDisk(this.props.nodeClassOptions, hasGpus));
    this.nodeClasses.set(name, nodeClass);
    return nodeClass;
  }
}

function withFallback(pool: NodePool | undefined): NodePool[] {
  return [pool, pool?._fallback].filter((candidate) => candidate !== undefined);
}
