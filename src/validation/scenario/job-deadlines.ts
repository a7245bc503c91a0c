import { asRecord } from '../../contract';
import { Instant } from '../../disruption';
import { ManifestObject } from '../manifest/model';
import { PlainRecord, scalarText } from '../manifest/records';

const SECOND = 1_000;
/** The value of `managedBy` for Jobs that Kubernetes itself manages, which is the default. */
const JOB_CONTROLLER = 'kubernetes.io/job-controller';

/**
 * When the Jobs of the input end by their `activeDeadlineSeconds` at the latest.
 *
 * @see https://kubernetes.io/docs/concepts/workloads/controllers/job/#job-termination-and-cleanup
 */
export class JobDeadlines {
  private readonly jobs: ReadonlyMap<string, Instant>;

  /**
   * @param objects of the cluster and of the manifests, in this order
   * @param start of the scenario. A Job without a start time has started by then.
   */
  public constructor(objects: readonly ManifestObject[], start: Instant) {
    const jobs = new Map<string, Instant>();
    const startTimes = new Map<string, Instant>();
    for (const { kind, apiVersion, namespace = 'default', name, raw } of objects) {
      if (!apiVersion.startsWith('batch/')) continue;
      const key = `${namespace}/${name}`;
      const startTime = Date.parse(scalarText(raw.status?.startTime));
      if (kind === 'Job' && !Number.isNaN(startTime)) startTimes.set(key, startTime);
      const spec =
        kind === 'Job' ? asRecord(raw.spec) : kind === 'CronJob' ? asRecord(raw.spec?.jobTemplate?.spec) : undefined;
      const limit = spec && milliseconds(spec);
      if (limit !== undefined) jobs.set(key, (startTimes.get(key) ?? start) + limit);
      else if (kind === 'Job') jobs.delete(key);
    }
    this.jobs = jobs;
  }

  /** The deadline of the pods of a workload: a Job, or a CronJob by its own name. */
  public of(namespace = 'default', owner?: { readonly kind: string; readonly name: string }): Instant | undefined {
    return owner?.kind === 'Job' ? this.jobs.get(`${namespace}/${owner.name}`) : undefined;
  }
}

function milliseconds({
  activeDeadlineSeconds: seconds,
  suspend,
  managedBy = JOB_CONTROLLER,
}: PlainRecord): number | undefined {
  const isKnown =
    Number.isSafeInteger(seconds) && (seconds as number) > 0 && suspend !== true && managedBy === JOB_CONTROLLER;
  return isKnown ? (seconds as number) * SECOND : undefined;
}
