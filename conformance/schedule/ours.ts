import { Answer } from './answer';
import { Scenario } from './scenario/generate';
import { Catalog } from '../../src/catalog';
import { formatAmount } from '../../src/model';
import { planOf, podName, provisioningRounds, Round, ScheduleInput } from '../../src/scheduling';
import { readManifests, scheduleInput } from '../../src/validation';

export interface OurAnswer extends Answer {
  /** What of the scenario our scheduler has no model for; a scenario with any is not compared. */
  readonly notEvaluated: readonly string[];
  /** Pods by their workload, as an index: pods of one workload are equal. */
  readonly workloadOf: ReadonlyMap<string, number>;
}

const NOTHING_LEFT = 'all requested instance types were unavailable during launch';

const catalogs = new Map<string, Catalog>();

/** The way of `check` from manifests to a plan, without its rules and its report. */
export function ours({ manifests, cluster, settings }: Pick<Scenario, 'manifests' | 'cluster' | 'settings'>): OurAnswer {
  const given = cluster === '' ? {} : { cluster: [{ path: 'cluster.yaml', text: cluster }] };
  const options = { ...settings, ...given };
  const model = readManifests([{ path: 'scenario.yaml', text: manifests }], options);
  const [rejected] = model.problems.filter(({ severity }) => severity === 'error');
  if (rejected) throw new Error(`the scenario is not one that the API takes: ${rejected.message}`);
  const input = scheduleInput(model, options);
  const catalog = catalogOf(settings);
  const [first, ...later] = provisioningRounds(input, catalog);
  return {
    ...answerOf(first, catalog),
    ...later.length > 0 ? { later: later.map((round) => answerOf(round, catalog)) } : {},
    notEvaluated: [...new Set(first.plan.notEvaluated.flatMap(({ what }) => what))],
    workloadOf: workloads(input),
  };
}

function answerOf({ input, solved }: Round, catalog: Catalog): Answer {
  const plan = planOf(solved, input, catalog);
  const isStatic = new Set(input.nodePools.filter(({ replicas }) => replicas !== undefined).map(({ name }) => name));
  // For a claim of a static pool that is left nothing EC2 is not asked at all, and the oracle tells of none.
  const told = plan.nodeClaims.filter(({ nodePool, launchFailure }) => !(isStatic.has(nodePool) && launchFailure?.includes(NOTHING_LEFT)));
  return {
    nodeClaims: told.map(({ nodePool, pods, requests, instanceTypes, zones, capacityTypes, cheapest, launch }) => ({
      nodePool,
      pods,
      requests: Object.fromEntries([...requests].map(([resource, amount]) => [resource, formatAmount(resource, amount)])),
      instanceTypes: [...instanceTypes].sort(),
      zones: [...zones].sort(),
      capacityTypes: [...capacityTypes].sort(),
      usdPerHour: cheapest?.usdPerHour ?? null,
      launch: launch
        ? { capacityType: launch.capacityType, instanceTypes: launch.instanceTypes, usdPerHour: launch.cheapest.usdPerHour }
        : { failed: true, capacityType: '', instanceTypes: [], usdPerHour: 0 },
      ...(isStatic.has(nodePool) ? { static: true } : {}),
    })),
    nodes: plan.filledNodes.map(({ node, pods }) => ({ node, pods })),
    unschedulable: plan.unschedulable.map(({ pod, reasons }) => ({
      pod,
      ...(reasons[0]?.nodePool === '' ? { ignored: true } : {}),
      errors: reasons.map(({ message }) => message),
    })),
  };
}

function catalogOf(settings: Scenario['settings']): Catalog {
  const key = JSON.stringify(settings);
  let catalog = catalogs.get(key);
  if (!catalog) {
    catalog = Catalog.load(settings);
    catalogs.set(key, catalog);
  }
  return catalog;
}

function workloads({ pods }: ScheduleInput): Map<string, number> {
  return new Map(pods.flatMap((group, index) => Array.from({ length: group.count }, (_, ordinal) => [podName(group, ordinal), index] as const)));
}
