/** The pods of the mixes, as manifests. */
import { Dice } from '../test/support/schedule-scenario/dice';

export type Json = Readonly<Record<string, unknown>>;

interface More {
  readonly labels: Json;
  readonly spec?: Json;
}

export const ZONE = 'topology.kubernetes.io/zone';
const HOST = 'kubernetes.io/hostname';
export const ZONES = ['us-east-1a', 'us-east-1b', 'us-east-1c'];
const CPU = [100, 250, 500, 1000, 1500];
const MEMORY = [100, 256, 512, 1024, 2048, 4096];
const LABELS = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
/** Number of workloads of the realistic mix. */
const WORKLOADS = 500;

export function generic(count: number): Json[] {
  return many(count, (dice) => pod(dice, { labels: mine(dice) }));
}

/** A fifth of the pods is of each kind. The rest is generic. */
export function diverse(count: number): Json[] {
  const share = Math.floor(count / 5);
  const dice = new Dice(42);
  const spread = (key: string) => {
    const topologySpreadConstraints = [
      { maxSkew: 1, topologyKey: key, whenUnsatisfiable: 'DoNotSchedule', labelSelector: { matchLabels: mine(dice) } },
    ];
    return pod(dice, { labels: mine(dice), spec: { topologySpreadConstraints } });
  };
  const kinds: ReadonlyArray<() => Json> = [
    () => pod(dice, { labels: mine(dice) }),
    () => spread(ZONE),
    () => spread(HOST),
    () => apart(dice, { 'my-affinity': dice.pick(LABELS) }, 'podAffinity', ZONE),
    () => apart(dice, { app: 'nginx' }, 'podAntiAffinity', HOST),
  ];
  const pods = kinds.flatMap((kind) => Array.from({ length: share }, kind));
  return named([...pods, ...Array.from({ length: count - pods.length }, kinds[0])]);
}

function apart(dice: Dice, labels: Json, kind: string, topologyKey: string): Json {
  const term = { topologyKey, labelSelector: { matchLabels: labels } };
  return pod(dice, {
    labels,
    spec: { affinity: { [kind]: { requiredDuringSchedulingIgnoredDuringExecution: [term] } } },
  });
}

/** Pods of one size that prefer a zone: one preference that cannot be met, and one that can. */
export function preferences(count: number): Json[] {
  const labels = { app: 'nginx' };
  const away = (weight: number, topologyKey: string) => ({
    weight,
    podAffinityTerm: { topologyKey, labelSelector: { matchLabels: labels } },
  });
  const affinity = {
    nodeAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: [
        { weight: 1, preference: { matchExpressions: [{ key: ZONE, operator: 'In', values: [ZONES[0]] }] } },
      ],
    },
    podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [away(10, ZONE), away(1, HOST)] },
  };
  return many(count, () => sized(500, 512 * 1024, { labels, spec: { affinity } }));
}

/** 500 workloads, most small and some large, on NodePools for different purposes. */
export function realistic(count: number): Json[] {
  const dice = new Dice(7);
  const skewed = (median: number) =>
    median * Math.exp(1.1 * (dice.fraction() + dice.fraction() + dice.fraction() - 1.5) * 2);
  const kinds = Array.from({ length: Math.min(WORKLOADS, count) }, (_, at) => {
    const labels = { app: `app-${at}` };
    const selector = { labelSelector: { matchLabels: labels }, maxSkew: 1 };
    const spec = dice.pick<Json>([
      {},
      {},
      {},
      { nodeSelector: { 'kubernetes.io/arch': 'amd64' } },
      { nodeSelector: { 'karpenter.sh/capacity-type': 'on-demand' } },
      { tolerations: [{ key: 'batch', operator: 'Exists' }] },
      { topologySpreadConstraints: [{ ...selector, topologyKey: ZONE, whenUnsatisfiable: 'DoNotSchedule' }] },
      { topologySpreadConstraints: [{ ...selector, topologyKey: HOST, whenUnsatisfiable: 'ScheduleAnyway' }] },
    ]);
    const cpu = Math.min(8000, Math.ceil(skewed(250) / 10) * 10);
    return { cpu, memory: Math.min(2 ** 25, Math.ceil(skewed(512)) * 1024), more: { labels, spec } };
  });
  return named(
    Array.from({ length: count }, (_, at) => {
      const { cpu, memory, more } = kinds[at % kinds.length];
      return sized(cpu, memory, more);
    }),
  );
}

/** All pods have different sizes. */
export function allDistinct(count: number): Json[] {
  return many(count, (_, at) => sized(500 + at, 512 * 1024 + at, { labels: {} }));
}

function many(count: number, make: (dice: Dice, at: number) => Json): Json[] {
  const dice = new Dice(42);
  return named(Array.from({ length: count }, (_, at) => make(dice, at)));
}

function mine(dice: Dice): Json {
  return { 'my-label': dice.pick(LABELS) };
}

function pod(dice: Dice, more: More): Json {
  return sized(dice.pick(CPU), dice.pick(MEMORY) * 1024, more);
}

/** @param cpu millicores
 * @param memory KiB */
function sized(cpu: number, memory: number, { labels, spec = {} }: More): Json {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { labels },
    spec: {
      containers: [{ name: 'app', image: 'app', resources: { requests: { cpu: `${cpu}m`, memory: `${memory}Ki` } } }],
      ...spec,
    },
  };
}

function named(pods: readonly Json[]): Json[] {
  return pods.map((one, at) => ({ ...one, metadata: { ...(one.metadata as Json), name: `pod-${at}` } }));
}
