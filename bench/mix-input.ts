import { Json } from './mix-pods';
import { documents, Mix } from './mixes';
import { LabelSelector, parseResourceList, Toleration } from '../src/model';
import {
  PodAffinity,
  PodAffinityTerm,
  PodGroup,
  PreferredTerm,
  ScheduleInput,
  TopologySpread,
} from '../src/scheduling';
import { readSession } from '../src/validation';

/** The parts of a Pod manifest that the mixes use. */
interface WrittenPod {
  readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>> };
  readonly spec: {
    readonly containers: ReadonlyArray<{ readonly resources: { readonly requests: Readonly<Record<string, string>> } }>;
    readonly nodeSelector?: Readonly<Record<string, string>>;
    readonly tolerations?: readonly Toleration[];
    readonly topologySpreadConstraints?: readonly TopologySpread[];
    readonly affinity?: WrittenAffinity;
  };
}

interface WrittenAffinity {
  readonly nodeAffinity?: Terms<WrittenPreference>;
  readonly podAffinity?: Terms<WrittenWeighted>;
  readonly podAntiAffinity?: Terms<WrittenWeighted>;
}

interface Terms<Preferred> {
  readonly requiredDuringSchedulingIgnoredDuringExecution?: ReadonlyArray<{
    readonly topologyKey: string;
    readonly labelSelector?: LabelSelector;
  }>;
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly Preferred[];
}

interface WrittenPreference {
  readonly weight: number;
  readonly preference: PreferredTerm['term'];
}
interface WrittenWeighted {
  readonly weight: number;
  readonly podAffinityTerm: PodAffinityTerm;
}

/**
 * The mix as input of the scheduler. NodePools are read as manifests. Pods are converted directly, since 100,000 of
 * them would take minutes to read as YAML. A test compares both ways.
 */
export function inputOf(mix: Mix, pods: number): ScheduleInput {
  const { pods: none, ...input } = readSession([{ path: 'pools.yaml', text: documents(mix.pools) }]).input;
  return { ...input, pods: [...none, ...mix.pods(pods).map(groupOf)] };
}

function groupOf(json: Json): PodGroup {
  const { metadata, spec } = json as unknown as WrittenPod;
  const { nodeAffinity, podAffinity, podAntiAffinity } = spec.affinity ?? {};
  return {
    namespace: 'default',
    name: metadata.name,
    count: 1,
    bare: true,
    shape: {
      requests: parseResourceList(spec.containers[0].resources.requests),
      nodeSelector: spec.nodeSelector ?? {},
      requiredNodeAffinity: [],
      preferredNodeAffinity: preferredOf(nodeAffinity).map(({ weight, preference }) => ({ weight, term: preference })),
      tolerations: spec.tolerations ?? [],
      labels: metadata.labels,
      topologySpread: spec.topologySpreadConstraints ?? [],
      podAffinity: podAffinity && affinityOf(podAffinity),
      podAntiAffinity: podAntiAffinity && affinityOf(podAntiAffinity),
      notEvaluated: [],
    },
  };
}

function preferredOf<Preferred>(terms: Terms<Preferred> | undefined): readonly Preferred[] {
  return terms?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
}

function affinityOf(terms: Terms<WrittenWeighted>): PodAffinity {
  return {
    required: terms.requiredDuringSchedulingIgnoredDuringExecution ?? [],
    preferred: preferredOf(terms).map(({ weight, podAffinityTerm }) => ({ weight, term: podAffinityTerm })),
  };
}
