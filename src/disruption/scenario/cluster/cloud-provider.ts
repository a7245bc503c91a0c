import { ClusterParts } from './cluster-parts';
import { OfferingKey } from '../../../catalog';
import { Label } from '../../../model';
import { ExistingNode, Offer, withReservationChange } from '../../../scheduling';
import { cloneClaim, cloneNode } from '../../clone';
import { Cluster, ClusterNode, Instant } from '../../cluster';

/**
 * EC2 and Karpenter's view of it: launches instances, ends them, and keeps track of offerings and capacity
 * reservations.
 *
 * @see https://github.com/aws/karpenter-provider-aws/blob/v1.15.1/pkg/cache/unavailableofferings.go
 */
export class CloudProvider {
  private unavailable: ReadonlyArray<{ readonly offering: OfferingKey; readonly until: Instant }> = [];
  private launchedCount = 0;
  /** The on-demand vCPUs that can still be launched. @default - no limit */
  private freeVcpus = Infinity;
  private onVcpuLimit?: (free: number) => void;

  public constructor(private readonly cluster: ClusterParts) {}

  /** The ordinal of the node that is launched next. */
  public get nextOrdinal(): number {
    return this.cluster.baseline.nodes.length + this.launchedCount;
  }

  /** Launches an instance, and returns the name of its node. */
  public launch(pool: string, node: Omit<ExistingNode, 'name'>, offer: Offer | undefined): string {
    const { cluster } = this;
    // A simulation may begin with nodes that another simulation has launched.
    while (cluster.nodes.has(`${pool}-new-${this.launchedCount}`)) this.launchedCount++;
    const name = `${pool}-new-${this.launchedCount}`;
    const labels: Readonly<Record<string, string>> = { ...node.labels, [Label.HOSTNAME]: name };
    const { taints, allocatable, capacity, volumeLimits } = node;
    // Existing nodes of the pool may have other values, from an earlier version of the NodePool.
    const { annotations, expireAfter, terminationGracePeriod } = cluster.config.pools.get(pool) ?? {};
    const claim = cloneClaim({ createdAt: cluster.now, expireAfter, terminationGracePeriod });
    const facts = { name, labels, taints, allocatable, capacity, volumeLimits, annotations, claim };
    const launched = cloneNode({ ...facts, initialized: false, claimOnly: true, pods: [] });
    cluster.addNode(this.nextOrdinal, launched, cluster.after(cluster.times.nodeStart));
    this.launchedCount++;
    this.adjustReservation(launched, -1);
    this.useVcpus(launched, offer);
    const type = offer ? `${offer.instanceType}, ${offer.capacityType}, ${offer.zone}` : labels[Label.INSTANCE_TYPE];
    cluster.recordEvent(`${name} is launched (${type})`);
    return name;
  }

  /** EC2 terminates the instance of the node at this time, whether it is drained or not. */
  public terminateInstance(name: string, at: Instant): void {
    const node = this.cluster.nodes.get(name)!;
    node.instanceEndsAt = at;
    this.cluster.nodesInTransition.update(node);
  }

  /** Launches nothing of an offering for some time. */
  public markUnavailable(offering: OfferingKey, seconds: number): void {
    this.markAllUnavailable([offering], seconds);
  }

  public markAllUnavailable(offerings: readonly OfferingKey[], seconds: number): void {
    if (offerings.length === 0) return;
    const until = this.cluster.after(seconds);
    this.unavailable = [...this.unavailable, ...offerings.map((offering) => ({ offering, until }))];
    this.refreshOfferings();
  }

  /**
   * Launches only so many more on-demand vCPUs.
   *
   * @param onLimit called with what is left, at once and after each launch
   */
  public limitOnDemand(vcpus: number, onLimit: (free: number) => void): void {
    this.freeVcpus = vcpus;
    this.onVcpuLimit = onLimit;
    onLimit(vcpus);
  }

  /** Whether a quota allows to launch the node. Capacity reservations do not count for it. */
  public mayLaunch(
    node: Pick<ExistingNode, 'labels' | 'capacity'>,
    { capacityType }: Pick<Offer, 'capacityType'>,
  ): boolean {
    return capacityType !== 'on-demand' || vcpusOf(node) <= this.freeVcpus;
  }

  private useVcpus(node: Pick<ExistingNode, 'labels' | 'capacity'>, offer: Offer | undefined): void {
    if (this.onVcpuLimit === undefined || offer?.capacityType !== 'on-demand') return;
    this.freeVcpus -= vcpusOf(node);
    this.onVcpuLimit(this.freeVcpus);
  }

  /** Makes offerings available whose time is over. */
  public retryUnavailable(): void {
    const { now } = this.cluster;
    const before = this.unavailable.length;
    this.unavailable = this.unavailable.filter(({ until }) => until > now);
    if (this.unavailable.length < before) this.refreshOfferings();
  }

  /** Whether EC2 refuses to launch some offerings now. */
  public get hasUnavailable(): boolean {
    return this.unavailable.length > 0;
  }

  /** When the next offering becomes available again. */
  public get nextRetry(): Instant {
    return Math.min(Infinity, ...this.unavailable.map(({ until }) => until));
  }

  /** Counts a node that comes to a capacity reservation (-1) or leaves it (1). */
  public adjustReservation(node: ClusterNode | undefined, change: 1 | -1): void {
    const id = node?.labels[Label.CAPACITY_RESERVATION_ID];
    if (id === undefined) return;
    const all = this.allOfferings();
    const adjusted = withReservationChange(all, id, change);
    if (adjusted !== all) this.offer(adjusted);
  }

  private refreshOfferings(): void {
    this.offer(this.allOfferings());
    this.cluster.needsProvisioning = true;
  }

  private allOfferings(): Cluster['scheduling']['nodeClasses'] {
    const {
      baseline: { variants },
      config,
    } = this.cluster;
    return variants.withAllOfferings(config.scheduling.nodeClasses);
  }

  /** Offers these classes, without the offerings that are unavailable now. */
  private offer(classes: Cluster['scheduling']['nodeClasses']): void {
    const {
      baseline: { variants },
      config,
    } = this.cluster;
    const nodeClasses = variants.withoutOfferings(
      this.unavailable.map(({ offering }) => offering),
      classes,
    );
    this.cluster.config = { ...config, scheduling: { ...config.scheduling, nodeClasses } };
  }
}

/** The label of Karpenter's nodes, or else the capacity, which is in millicores. */
export function vcpusOf({ labels, capacity }: Pick<ExistingNode, 'labels' | 'capacity'>): number {
  return Number(labels[Label.INSTANCE_CPU] ?? Number(capacity.get('cpu') ?? 0n) / 1_000);
}
