/** What `check` predicts for a fleet that a real control plane ran. */

import { manifestsOf, RealFleet, Step } from './fleets';
import { KubernetesObject } from './objects';
import { Command, Figures } from './recording';
import { Catalog } from '../../../src/catalog';
import type { SettledFleet } from '../../../src/scheduling';
import { readSession } from '../../../src/validation/context/check-session';
import { settleFleets } from '../../../src/validation/context/settled-fleets';
import { ScenarioSession } from '../../../src/validation/scenario/simulate-scenario';
import { plainSettings } from '../schedule-scenario/generate';
import { uniformFigures } from '../uniform-figures';

/**
 * The times of the recordings, in seconds. A node registers some time after its launch, and is ready 8 seconds later.
 * Karpenter's passes come every ten seconds, so that kube-scheduler has six seconds for the pods of a ready node.
 */
export const TIMES = { nodeDelay: 26, nodeReady: 8, podReady: 3, podEnd: 3 } as const;

const nodeStartOf = ({ nodeDelay = TIMES.nodeDelay }: RealFleet) => nodeDelay + TIMES.nodeReady;

export interface Range {
  readonly least: number;
  readonly median: number;
  readonly most: number;
}

export interface Prediction {
  readonly firstPass: Figures;
  readonly nodes: Range;
  readonly usdPerHour: Range;
  readonly pendingPods: Range;
}

export const settings = plainSettings();
const options = { ...settings, systemDaemonSets: 'none' } as const;
const loadCatalog = () => Catalog.load({ ...settings, figures: uniformFigures(settings.region) });

/** The median is the figure of the representative fleet, as in the verdict. */
function rangeOf(figures: readonly number[], median: number): Range {
  return { least: Math.min(...figures), median, most: Math.max(...figures) };
}

const nodesOf = ({ nodes }: SettledFleet) => nodes.length;
const costOf = ({ nodes }: SettledFleet) => nodes.reduce((sum, { offer }) => sum + offer!.usdPerHour, 0);
const pendingOf = ({ pending }: SettledFleet) => [...pending.values()].reduce((sum, count) => sum + count, 0);

/** @throws Error if the fleets are not settled */
export function predict(fleet: RealFleet): Prediction {
  const { interval } = fleet;
  const session = readSession([{ path: 'fleet.yaml', text: manifestsOf(fleet) }], options, loadCatalog);
  const order = interval === undefined ? {} : ({ order: 'manifest', interval } as const);
  const settled = settleFleets(session, session.passes, { nodeStart: nodeStartOf(fleet), ...order });
  if (!settled) throw new Error(`${fleet.name} is not settled`);
  const { fleets, representative } = settled;
  const launches = session.passes[0].plan.nodeClaims.flatMap(({ launch }) => (launch ? [launch] : []));
  return {
    firstPass: {
      nodes: launches.length,
      usdPerHour: launches.reduce((sum, { cheapest }) => sum + cheapest.usdPerHour, 0),
    },
    nodes: rangeOf(fleets.map(nodesOf), nodesOf(representative)),
    usdPerHour: rangeOf(fleets.map(costOf), costOf(representative)),
    pendingPods: rangeOf(fleets.map(pendingOf), pendingOf(representative)),
  };
}

export interface PredictedDisruption {
  readonly commands: readonly Command[];
  readonly end: Figures;
}

/** The commands of the fleet's scenario, from the recorded cluster on. */
export function predictDisruption(fleet: RealFleet, before: readonly object[]): PredictedDisruption {
  const session = readSession(
    [{ path: 'fleet.yaml', text: manifestsOf({ ...fleet, objects: objectsAfter(fleet) }) }],
    {
      ...options,
      cluster: [{ path: 'cluster.json', text: JSON.stringify({ apiVersion: 'v1', kind: 'List', items: before }) }],
    },
    loadCatalog,
  );
  const times = { nodeStart: nodeStartOf(fleet), podStart: TIMES.podReady, podStop: TIMES.podEnd };
  const { reports } = new ScenarioSession(session).simulate(fleet.scenario!, { times });
  const [{ timeline, after }] = reports;
  return { commands: commandsOf(timeline), end: after };
}

/** The objects after all steps. The steps scale every n-th Deployment, which the API server lists by name. */
function objectsAfter({ objects, steps = [] }: RealFleet): KubernetesObject[] {
  return steps.reduce<KubernetesObject[]>(changedBy, [...objects]);
}

function changedBy(objects: KubernetesObject[], { scale, patch }: Step): KubernetesObject[] {
  let deployment = 0;
  return objects.map((object) => {
    if (scale && object.kind === 'Deployment' && deployment++ % scale.every === 0)
      return merge(object, { spec: { replicas: scale.to } });
    const isPatched = patch?.kind === object.kind && patch?.name === (object.metadata as { name: string }).name;
    return isPatched ? merge(object, patch!.fields as KubernetesObject) : object;
  });
}

/** A JSON merge patch without deletions. */
function merge(object: KubernetesObject, fields: KubernetesObject): KubernetesObject {
  const merged = Object.entries(fields).map(([key, value]) => {
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return [key, isObject ? merge((object[key] ?? {}) as KubernetesObject, value as KubernetesObject) : value];
  });
  return { ...object, ...Object.fromEntries(merged) };
}

interface TimelineEntry {
  readonly second: number;
  readonly what: string;
}

function commandsOf(timeline: readonly TimelineEntry[]): Command[] {
  const decided = timeline.filter(({ what }) => DECISION.test(what));
  return decided.map(({ second, what }, index) => {
    const [, decision, names] = DECISION.exec(what)!;
    const nodes = names.split(', ');
    const ends = nodes.map((node) => timeline.find((entry) => entry.what === `${node} is terminated`)?.second);
    const until = decided[index + 1]?.second ?? Infinity;
    const launches = timeline.filter(
      (entry) => entry.second === second && / is launched /.test(entry.what) && entry.second < until,
    );
    return {
      second: second - decided[0].second,
      decision: decision as Command['decision'],
      nodes: nodes.length,
      replacements: decision === 'replace' ? launches.length : 0,
      ...(ends.includes(undefined) ? {} : { duration: Math.max(...(ends as number[])) - second }),
    };
  });
}

const DECISION = /^\S+ decides to (delete|replace) (.*)$/;
