import { parseAllDocuments } from 'yaml';
import {
  check,
  explain,
  objectsNotEvaluated,
  poolInstanceTypes,
  readSession,
  simulateScenario,
} from '../../../src/validation';
import { deployment, manifests, NODE_CLASS, nodePool, SMALL } from '../setup';

const [{ text: MANIFESTS }] = manifests(NODE_CLASS, nodePool(['m5.large']), deployment('web', 1, SMALL));

/** A template that applies the manifests to a cluster in eu-west-1, and installs Karpenter with settings. */
function template(cluster: string) {
  const objects = parseAllDocuments(MANIFESTS).map((document) => document.toJS());
  const Values = JSON.stringify({ settings: { vmMemoryOverheadPercent: 0.5 } });
  const Resources = {
    Objects: {
      Type: 'Custom::AWSCDK-EKS-KubernetesResource',
      Properties: { ClusterName: cluster, Manifest: JSON.stringify(objects) },
    },
    Karpenter: {
      Type: 'Custom::AWSCDK-EKS-HelmChart',
      Properties: { ClusterName: cluster, Release: 'karpenter', Chart: 'karpenter', Namespace: 'kube-system', Values },
    },
  };
  return { path: `${cluster}.template.json`, text: JSON.stringify({ Resources }), stack: { region: 'eu-west-1' } };
}

describe('region and settings of a template are used', () => {
  const zones = ['eu-west-1a', 'eu-west-1b', 'eu-west-1c'];

  test('by check', () => {
    expect(check([template('prod')]).nodePools[0].zones).toEqual(zones);
  });

  test('by explain', () => {
    const [{ node }] = explain([template('prod')], ['web']).placements;
    expect(node?.cheapest?.zone).toBe('eu-west-1a');
  });

  test('by simulateScenario', () => {
    expect(simulateScenario([template('prod')], 'zone-outage').reports.map(({ subject }) => subject)).toEqual([
      'eu-west-1a',
    ]);
  });

  test('by poolInstanceTypes', () => {
    const {
      pools: [
        {
          types: [type],
        },
      ],
      problems,
    } = poolInstanceTypes([template('prod')], {});
    expect(problems).toEqual([]);
    expect(type.offerings.map(({ zone }) => zone)).toEqual(zones);
    expect(type.allocatable.memory).toMatch(/^3\d{3}Mi$/);
  });
});

test('explains pods of the first of two clusters, and reports the other as a problem', () => {
  const { placements: stories, problems } = explain([template('dev'), template('prod')], ['web']);
  expect(stories.map(({ pod }) => pod)).toEqual(['default/web-0']);
  expect(problems.map(({ message }) => message)).toEqual([
    'the templates apply manifests to 2 clusters, dev and prod: only those of dev are evaluated',
  ]);
});

test('objectsNotEvaluated lists objects with values that are known only at deployment', () => {
  const unknown = NODE_CLASS.replace('role: node', 'role: node\n  kubelet: { maxPods: "${Token[PODS.1]}" }');
  const { model } = readSession(manifests(unknown, nodePool(['m5.large'])));
  expect(objectsNotEvaluated(model).sentences).toEqual([
    'EC2NodeClass main is not evaluated: spec.kubelet.maxPods is known only at deployment',
  ]);
});
