import { UsageNote, UsageResource } from './figures';
import { SizedRequest } from './sized-requests';
import { Finding } from '../../vocabulary/verdict';

/** The new nodes of a plan. */
export interface UsageFleet {
  readonly nodes: number;
  /** `null` if a price is unknown, or no node is launched. */
  readonly usdPerHour: number | null;
  readonly scheduledPods: number;
  /** The parts of the nodes' allocatable CPU and memory that are requested, from 0 to 1. */
  readonly requested: Readonly<Record<UsageResource, number>>;
}

/** A request now and with usage. CPU is in millicores, memory in bytes. */
export interface UsageRequest
  extends Pick<SizedRequest, 'container' | 'resource' | 'after' | 'source' | 'limit' | 'peak' | 'p99'> {
  /** `null` if the manifest sets neither a request nor a limit. */
  readonly before: number | null;
  /** Whether the plan raises the limit to the request, because the API rejects a lower one. */
  readonly raisesLimit: boolean;
}

/** What usage changes for a workload. */
export interface UsageWorkload {
  /** `Deployment shop/web`. */
  readonly workload: string;
  /** Pods that run at a time; 0 for a DaemonSet. */
  readonly replicas: number;
  readonly requests: readonly UsageRequest[];
  /** The share of the nodes' price, as --cost-by workload divides it. `null` if it is unknown. */
  readonly usdPerMonth: { readonly before: number | null; readonly after: number | null };
}

/** A container whose measured memory is above its limit. */
export interface OomKill {
  readonly workload: string;
  readonly container: string;
  readonly limit: number;
  readonly peak: number;
  /** @default - the measured usage is one value */
  readonly p99?: number;
}

/** The plan when only the requests of one resource follow usage. */
export interface SingleResource extends UsageFleet {
  /** Whether smaller requests of this resource save nothing by themselves. */
  readonly savesNothing: boolean;
  /**
   * The resources whose halved requests would make this plan cheaper: the other one, or only the same one, or only both
   * together. Empty if none of these is cheaper. Absent if smaller requests save something.
   */
  readonly binding?: readonly UsageResource[];
}

/** The result of `recommend --usage`, JSON schema version 1. */
export interface UsagePlan {
  readonly schemaVersion: '1';
  readonly currency: string;
  /** Dates of the prices of both fleets, `YYYY-MM-DD`, oldest first. */
  readonly pricesOf: readonly string[];
  /** The part of a measured usage that is added to it. */
  readonly headroom: number;
  readonly before: UsageFleet;
  readonly after: UsageFleet;
  /** Only resources whose requests shrink in sum. */
  readonly shrunk: Readonly<Partial<Record<UsageResource, SingleResource>>>;
  /** Workloads with usage, in the order of the manifests. */
  readonly workloads: readonly UsageWorkload[];
  readonly oomKills: readonly OomKill[];
  /** Workloads without usage, whose requests stay. */
  readonly withoutUsage: readonly string[];
  /** Parts of the usage files that are not used, and what the plan leaves out. */
  readonly notes: readonly UsageNote[];
  /** Input that cannot be read. Pods and NodePools in it are missing from the price. */
  readonly problems: readonly Finding[];
}
