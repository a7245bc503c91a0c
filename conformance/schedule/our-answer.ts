import { Answer } from './answer';
import { Catalog } from '../../src/catalog';
import { formatAmount } from '../../src/model';
import {
  defersPods,
  NOT_ON_KARPENTER_NODES,
  planOf,
  podName,
  provisioningPasses,
  ProvisioningPass,
  ScheduleInput,
} from '../../src/scheduling';
import { readManifests } from '../../src/validation';
import { scheduleInput } from '../../src/validation/context/schedule-input';
import { Scenario } from '../../test/support/schedule-scenario/generate';
import { uniformFigures } from '../../test/support/uniform-figures';

export interface OurAnswer extends Answer {
  /** Parts of the scenario that are not modelled; a scenario with any is not compared. */
  readonly notEvaluated: readonly string[];
  /** Index of the workload by pod; pods of one workload are interchangeable. */
  readonly workloadOf: ReadonlyMap<string, number>;
}

const NOTHING_LEFT = 'all requested instance types were unavailable during launch';

type Given = Pick<Scenario, 'manifests' | 'cluster' | 'settings'>;
type DomainOrder = NonNullable<ScheduleInput['settings']['domainOrder']>;

const catalogs = new Map<string, Catalog>();

/**
 * Our answer: the plan that `check` computes, without its rules and its report. A session would leave out what depends
 * on unknown facts, but the generator of the scenario knows all of them.
 *
 * @param domainOrder the oracle in map order walks Karpenter's maps by key, and `check` takes domains first that can be
 * launched
 */
export function ourAnswer(scenario: Given, domainOrder: DomainOrder = 'by-key'): OurAnswer {
  const input = inputOf(scenario, domainOrder);
  const catalog = catalogOf(scenario.settings);
  const [first, ...later] = provisioningPasses(input, catalog, { keepsPlacedPods: false });
  return {
    ...answerOf(first, catalog),
    ...(defersPods(later[later.length - 1] ?? first) ? { cut: true } : {}),
    ...(later.length > 0 ? { later: later.map((round) => answerOf(round, catalog)) } : {}),
    notEvaluated: [...new Set(first.plan.notEvaluated.flatMap(({ causes }) => causes))].filter(
      (cause) => cause !== NOT_ON_KARPENTER_NODES,
    ),
    workloadOf: workloads(input),
  };
}

export function inputOf({ manifests, cluster, settings }: Given, domainOrder: DomainOrder): ScheduleInput {
  const given = cluster === '' ? {} : { cluster: [{ path: 'cluster.yaml', text: cluster }] };
  const options = { ...settings, ...given };
  const model = readManifests([{ path: 'scenario.yaml', text: manifests }], options);
  const [rejected] = model.problems.filter(({ severity }) => severity === 'error');
  if (rejected) throw new Error(`the API server would reject the scenario: ${rejected.message}`);
  const scheduled = scheduleInput(model, options);
  return { ...scheduled, settings: { ...scheduled.settings, domainOrder } };
}

function answerOf({ input, solved }: ProvisioningPass, catalog: Catalog): Answer {
  const plan = planOf(solved, input, catalog);
  const isStatic = new Set(input.nodePools.filter(({ replicas }) => replicas !== undefined).map(({ name }) => name));
  // If no instance type is left for a claim of a static pool, EC2 gets no request, and the oracle does not report the
  // claim.
  const told = plan.nodeClaims.filter(
    ({ nodePool, launchFailure }) => !(isStatic.has(nodePool) && launchFailure?.includes(NOTHING_LEFT)),
  );
  return {
    nodeClaims: told.map(({ nodePool, pods, requests, instanceTypes, zones, capacityTypes, cheapest, launch }) => ({
      nodePool,
      pods,
      requests: Object.fromEntries(
        [...requests].map(([resource, amount]) => [resource, formatAmount(resource, amount)]),
      ),
      instanceTypes: [...instanceTypes].sort(),
      zones: [...zones].sort(),
      capacityTypes: [...capacityTypes].sort(),
      usdPerHour: cheapest?.usdPerHour ?? null,
      launch: launch
        ? {
            capacityType: launch.capacityType,
            instanceTypes: launch.instanceTypes,
            usdPerHour: launch.cheapest.usdPerHour,
          }
        : { failed: true, capacityType: '', instanceTypes: [], usdPerHour: 0 },
      ...(isStatic.has(nodePool) ? { static: true } : {}),
    })),
    nodes: plan.filledNodes.map(({ node, pods }) => ({ node, pods })),
    unschedulable: [
      ...plan.unschedulable.map(({ pod, reasons }) => ({
        pod,
        ...(reasons[0]?.nodePool === '' ? { ignored: true } : {}),
        errors: reasons.map(({ message }) => message),
      })),
      // Karpenter ignores them as well, but other nodes may take them.
      ...plan.notEvaluated
        .filter(({ causes }) => causes.includes(NOT_ON_KARPENTER_NODES))
        .flatMap(({ pods, causes }) => pods.map((pod) => ({ pod, ignored: true, errors: causes }))),
    ],
  };
}

export function catalogOf(settings: Scenario['settings']): Catalog {
  const key = JSON.stringify(settings);
  let catalog = catalogs.get(key);
  if (!catalog) {
    catalog = Catalog.load({ ...settings, figures: uniformFigures(settings.region) });
    catalogs.set(key, catalog);
  }
  return catalog;
}

function workloads({ pods }: ScheduleInput): Map<string, number> {
  return new Map(
    pods.flatMap((group, index) =>
      Array.from({ length: group.count }, (_, ordinal) => [podName(group, ordinal), index] as const),
    ),
  );
}
