import { ago, DisruptionDraft, DisruptionFeature, Machine, ownPodsOf, SECOND, someOf } from './draft';
import { addMachine } from './machines';
import { leavingNodes, nominatedNodes, protectedNodes, unreadyNodes } from './node-features';
import { addPod, addWaitingPod } from './place-pods';
import { budgets, consolidateAfter, policies } from './pool-features';
import { leavingPods, podDisruptionBudgets, protectedPods } from './run-features';
import { Json } from '../schedule-scenario/draft';
import { requests } from '../schedule-scenario/workloads';

/** Changes between a decision of Karpenter and its validation. */
const MEANWHILE = 14;

const nothingMeanwhile: DisruptionFeature = { name: 'nothingMeanwhile', apply: () => {} };

const podsComeMeanwhile: DisruptionFeature = {
  name: 'podsComeMeanwhile',
  apply(draft) {
    const { dice } = draft;
    for (const machine of someOf(draft, draft.machines, [0, 0.1, 0.3, 1])) {
      const created = ago(draft, dice.between(0, MEANWHILE) * SECOND);
      const pod = addPod(draft, machine, {
        name: `new-${machine.name}`,
        labels: { app: dice.pick(['web', 'api', 'new']) },
        spec: specOf(draft),
        owner: { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'new', uid: 'of-new', controller: true },
      });
      pod.metadata.creationTimestamp = created;
      Object.assign(
        pod.status,
        dice.pick<Json>([
          { startTime: created },
          { phase: 'Pending', startTime: undefined, conditions: [{ type: 'Ready', status: 'False' }] },
        ]),
      );
      notice(draft, machine);
    }
    if (dice.chance(0.4))
      for (let count = dice.between(1, 3); count > 0; count -= 1)
        addWaitingPod(draft, specOf(draft), { app: dice.pick(['web', 'api', 'new']) });
  },
};

function specOf({ dice }: DisruptionDraft): Json {
  return { containers: [{ name: 'main', image: 'registry.example/app:1', resources: { requests: requests(dice) } }] };
}

/** The time of the last pod event, which Karpenter writes to the NodeClaim a few seconds after a pod came or left. */
function notice(draft: DisruptionDraft, { claim }: Machine): void {
  if (claim && draft.dice.chance(0.8))
    claim.status.lastPodEventTime = ago(draft, draft.dice.between(0, MEANWHILE) * SECOND);
}

const podsGoMeanwhile: DisruptionFeature = {
  name: 'podsGoMeanwhile',
  apply(draft) {
    const { dice } = draft;
    if (dice.chance(0.3)) leavingPods.apply(draft);
    const going = new Set(someOf(draft, ownPodsOf(draft), [0.1, 0.3, 1]));
    for (const machine of draft.machines) {
      const left = machine.pods.filter((pod) => !going.has(pod));
      if (left.length < machine.pods.length) notice(draft, machine);
      machine.pods.splice(0, machine.pods.length, ...left);
    }
  },
};

const nodesComeMeanwhile: DisruptionFeature = {
  name: 'nodesComeMeanwhile',
  apply(draft) {
    for (let count = draft.dice.between(1, 3); count > 0; count -= 1) addMachine(draft, draft.dice.pick(draft.pools));
  },
};

const nodesGoMeanwhile: DisruptionFeature = {
  name: 'nodesGoMeanwhile',
  apply(draft) {
    const going = new Set(someOf(draft, draft.machines, [0.1, 0.3, 0.5]));
    draft.machines.splice(0, draft.machines.length, ...draft.machines.filter((machine) => !going.has(machine)));
  },
};

const budgetsChangeMeanwhile: DisruptionFeature = {
  name: 'budgetsChangeMeanwhile',
  apply(draft) {
    draft.others.splice(0, draft.others.length, ...draft.others.filter(({ kind }) => kind !== 'PodDisruptionBudget'));
    podDisruptionBudgets.apply(draft);
  },
};

/** Other features, applied between decision and validation; features about nodes apply to Karpenter's nodes. */
function meanwhile(name: string, { apply }: DisruptionFeature): DisruptionFeature {
  return {
    name,
    apply: (draft) => {
      apply({ ...draft, machines: draft.machines.filter(({ claim }) => claim) });
    },
  };
}

/** Features that are applied after a decision and before its validation. */
export const MEANWHILE_FEATURES: readonly DisruptionFeature[] = [
  nothingMeanwhile,
  podsComeMeanwhile,
  podsGoMeanwhile,
  nodesComeMeanwhile,
  nodesGoMeanwhile,
  budgetsChangeMeanwhile,
  meanwhile('podsProtectedMeanwhile', protectedPods),
  meanwhile('nodesProtectedMeanwhile', protectedNodes),
  meanwhile('nodesNominatedMeanwhile', nominatedNodes),
  meanwhile('nodesLeaveMeanwhile', leavingNodes),
  meanwhile('nodesUnreadyMeanwhile', unreadyNodes),
  meanwhile('poolBudgetsMeanwhile', budgets),
  meanwhile('policiesMeanwhile', policies),
  meanwhile('consolidateAfterMeanwhile', consolidateAfter),
];
