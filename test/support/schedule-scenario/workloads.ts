import { Dice } from './dice';
import { Json } from './draft';

/** Realistic requests: small services, memory-bound services, batch jobs, and a few pods that fill a machine. */
const SIZES: ReadonlyArray<readonly [cpu: string, memory: string]> = [
  ['50m', '64Mi'],
  ['100m', '128Mi'],
  ['100m', '256Mi'],
  ['250m', '256Mi'],
  ['250m', '512Mi'],
  ['500m', '512Mi'],
  ['500m', '1Gi'],
  ['750m', '1536Mi'],
  ['1', '1Gi'],
  ['1', '2Gi'],
  ['1', '4Gi'],
  ['1500m', '3Gi'],
  ['2', '4Gi'],
  ['2', '8Gi'],
  ['3500m', '6Gi'],
  ['4', '16Gi'],
  ['7', '12Gi'],
  ['8', '32Gi'],
  ['15', '30Gi'],
  ['30', '100Gi'],
];

const APPS = ['web', 'api', 'worker', 'cache', 'search', 'queue', 'auth', 'cron', 'proxy', 'jobs', 'ingest', 'reports'];
const KINDS = ['Deployment', 'Deployment', 'Deployment', 'StatefulSet', 'Job', 'ReplicaSet', 'Pod'] as const;

export function requests(dice: Dice): Json {
  const [cpu, memory] = dice.pick(dice.chance(0.85) ? SIZES.slice(0, 15) : SIZES);
  const both = { cpu, memory };
  return dice.chance(0.08) ? dice.pick([{ cpu }, { memory }, {}]) : both;
}

/** Workloads with this total number of pods. */
export function workloads(dice: Dice, pods: number): Json[] {
  const result: Json[] = [];
  const count = Math.min(pods, dice.between(1, Math.max(1, Math.min(12, Math.ceil(pods / 3)))));
  let left = pods;
  for (let index = 0; index < count; index += 1) {
    const replicas =
      index === count - 1 ? left : dice.between(1, Math.max(1, Math.floor((left - (count - index - 1)) / 2)));
    left -= replicas;
    result.push(workload(dice, index, replicas));
    if (left <= 0) break;
  }
  return result;
}

function workload(dice: Dice, index: number, replicas: number): Json {
  const app = APPS[index % APPS.length];
  const kind = replicas === 1 ? dice.pick(KINDS) : dice.pick(KINDS.slice(0, 6));
  const labels = { app, tier: dice.pick(['front', 'back']), version: dice.pick(['v1', 'v2']) };
  const metadata = { name: app, ...(dice.chance(0.2) ? { namespace: dice.pick(['prod', 'staging']) } : {}) };
  const container = { name: 'main', image: 'registry.example/app:1', resources: { requests: requests(dice) } };
  const template = { metadata: { labels }, spec: { containers: [container] as Json[] } };
  switch (kind) {
    case 'Pod':
      return { apiVersion: 'v1', kind, metadata: { ...metadata, labels }, spec: template.spec };
    case 'Job':
      return {
        apiVersion: 'batch/v1',
        kind,
        metadata,
        spec: {
          parallelism: replicas,
          completions: replicas,
          template: { ...template, spec: { ...template.spec, restartPolicy: 'Never' } },
        },
      };
    default:
      return {
        apiVersion: 'apps/v1',
        kind,
        metadata,
        spec: {
          replicas,
          selector: { matchLabels: { app } },
          ...(kind === 'StatefulSet' ? { serviceName: app } : {}),
          template,
        },
      };
  }
}
