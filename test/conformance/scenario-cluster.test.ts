import { clusterOf } from '../support/disruption-scenario/cluster';
import { addMachine } from '../support/disruption-scenario/machines';
import { addPod } from '../support/disruption-scenario/place-pods';
import { Dice } from '../support/schedule-scenario/dice';
import { documents, plainSettings } from '../support/schedule-scenario/generate';
import { nodeClass, nodePool } from '../support/schedule-scenario/pools';

const NOW = Date.UTC(2026, 2, 2, 6);
const podOf = (cpu: string) => ({
  containers: [{ name: 'main', image: 'registry.example/app:1', resources: { requests: { cpu } } }],
});
const OWNER = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web-abc12', uid: 'of-web', controller: true };

/** A Deployment of three pods in the manifests. Two older, smaller pods of it run on a node. */
function scenario(deletionTimestamp?: string) {
  const dice = new Dice(1, 1);
  const [classes, pools] = [[nodeClass('default')], [nodePool(dice, 0, 'default')]];
  const empty = { workloads: [], daemonSets: [], others: [], cluster: [], machines: [], nominated: [] };
  const draft = { ...empty, dice, settings: plainSettings(), nodeClasses: classes, pools, now: NOW };
  const machine = addMachine(draft, pools[0]);
  for (const name of ['web-abc12-0', 'web-abc12-1'])
    addPod(draft, machine, {
      name,
      labels: { app: 'web', 'pod-template-hash': 'abc12' },
      owner: OWNER,
      spec: podOf('100m'),
    });
  if (deletionTimestamp !== undefined) machine.claim.metadata.deletionTimestamp = deletionTimestamp;
  const web = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: {
      replicas: 3,
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: podOf('500m') },
    },
  };
  return {
    name: 'two-pods',
    features: [],
    settings: draft.settings,
    manifests: documents([...classes, ...pools, web]),
    cluster: documents([machine.node, machine.claim, ...machine.pods]),
    now: NOW,
    nominated: [],
  };
}

describe('clusterOf', () => {
  test.each([
    ['a running node', undefined],
    ['a deleting node', '2026-03-02T05:59:00Z'],
  ])('keeps the pods of %s, and adds the missing pod of the Deployment as pending', (_, deletionTimestamp) => {
    const { nodes, scheduling } = clusterOf(scenario(deletionTimestamp));
    const state = nodes.map(({ deleting, pods }) => ({
      deleting,
      pods: pods.map(({ name, shape }) => [name, shape.requests.get('cpu')]),
    }));
    expect(state).toEqual([
      {
        deleting: deletionTimestamp !== undefined,
        pods: [
          ['web-abc12-0', 100n],
          ['web-abc12-1', 100n],
        ],
      },
    ]);
    expect(scheduling.pods.map(({ name, count, shape }) => [name, count, shape.requests.get('cpu')])).toEqual([
      ['web', 1, 500n],
    ]);
  });
});
