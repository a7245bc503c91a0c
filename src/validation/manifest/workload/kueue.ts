import { asRecord } from '../../../contract';
import { ManifestObject, WrittenObject } from '../object';
import { PlainRecord, recordsOf, stringMapOf } from '../records';

const GROUP = 'kueue.x-k8s.io/';
const QUEUE_LABEL = `${GROUP}queue-name`;

/** A nodeSelectorTerm of the nodes of a ResourceFlavor, with the tolerations that Kueue adds for it. */
interface Flavor {
  readonly labels: Readonly<Record<string, string>>;
  readonly tolerations: readonly PlainRecord[];
}

/**
 * What Kueue adds to the pods of workloads when it admits them: the node labels and tolerations of the ResourceFlavor.
 * If there are several, any of them may be used, in their order.
 *
 * @see https://kueue.sigs.k8s.io/docs/concepts/resource_flavor/
 */
export class KueueQueues {
  private readonly objects: readonly ManifestObject[];
  private readonly pools: readonly string[];

  public constructor(objects: readonly ManifestObject[]) {
    this.objects = objects.filter(({ apiVersion }) => apiVersion.startsWith(GROUP));
    this.pools = objects
      .filter(({ kind }) => kind === 'NodePool')
      .map(({ name, raw }) => JSON.stringify([name, raw.spec]));
  }

  /** The spec of the pods of a workload, as Kueue changes it. */
  public admitted({ raw, namespace = 'default' }: ManifestObject, spec: PlainRecord): PlainRecord {
    const queue = queueOf(raw);
    const local = this.objects.find(
      (each) => each.kind === 'LocalQueue' && each.name === queue && (each.namespace ?? 'default') === namespace,
    );
    const flavors =
      queue === undefined || local === undefined ? [] : this.flavorsOf(local.raw.spec?.clusterQueue, spec);
    if (flavors.length === 0) return spec;
    const added = flavors.flatMap(({ tolerations }) => tolerations);
    const tolerations = [...(Array.isArray(spec.tolerations) ? (spec.tolerations as unknown[]) : []), ...added];
    // The labels of one flavor are known; those of several are not, and pods may be on the nodes of any of them.
    const [{ labels }] = flavors;
    const nodeSelector = flavors.length === 1 ? { ...labels, ...asRecord(spec.nodeSelector) } : spec.nodeSelector;
    return { ...spec, tolerations, ...(nodeSelector === undefined ? {} : { nodeSelector }) };
  }

  /** Flavors with labels that the pods do not exclude. KARP-260 reports labels that no NodePool gives its nodes. */
  private flavorsOf(clusterQueue: unknown, { nodeSelector }: PlainRecord): Flavor[] {
    const ofKind = (kind: string, name: unknown) =>
      this.objects.find((each) => each.kind === kind && each.name === name)?.raw.spec;
    const selected = asRecord(nodeSelector) ?? {};
    const groups = recordsOf(ofKind('ClusterQueue', clusterQueue)?.resourceGroups);
    return groups
      .flatMap((group) => recordsOf(group.flavors))
      .flatMap(({ name }): Flavor[] => {
        const flavor = ofKind('ResourceFlavor', name);
        const labels = stringMapOf(flavor?.nodeLabels);
        const entries = Object.entries(labels);
        if (!flavor || entries.some(([key, value]) => (selected[key] ?? value) !== value)) return [];
        const isLaunched = entries.every(([, value]) =>
          this.pools.some((pool) => pool.includes(JSON.stringify(value))),
        );
        return [{ labels: isLaunched ? labels : {}, tolerations: recordsOf(flavor.tolerations) }];
      });
  }
}

/** Kueue suspends the workloads of its queues itself, and resumes them when it admits them. */
export function withQueuedResumed(objects: readonly ManifestObject[]): ManifestObject[] {
  return objects.map((object) => {
    const { raw, apiVersion } = object;
    if (queueOf(raw) === undefined || apiVersion.startsWith(GROUP) || raw.spec === undefined) return object;
    const jobTemplate = raw.spec?.jobTemplate as WrittenObject | undefined;
    const spec = jobTemplate
      ? { ...raw.spec, jobTemplate: { ...jobTemplate, spec: resumed(jobTemplate.spec) } }
      : resumed(raw.spec);
    return { ...object, raw: { ...raw, spec } as WrittenObject };
  });
}

function resumed(spec: unknown): PlainRecord {
  const { suspend: _, ...fields } = asRecord(spec) ?? {};
  const { suspend: __, ...runPolicy } = asRecord(fields.runPolicy) ?? {};
  return fields.runPolicy === undefined ? fields : { ...fields, runPolicy };
}

function queueOf({ metadata, spec }: WrittenObject): string | undefined {
  const jobTemplate = asRecord(spec?.jobTemplate);
  const [queue] = [metadata, jobTemplate?.metadata]
    .map((each) => asRecord(asRecord(each)?.labels)?.[QUEUE_LABEL])
    .filter((name) => typeof name === 'string');
  return queue as string | undefined;
}
