import { rootsOf } from '../../../../src/validation/manifest';
import { nodeClassRefIncompleteOrDangling } from '../../../../src/validation/rules/api/nodeclassref-incomplete-or-dangling';
import { judgeFiles } from '../judge';

const OBJECTS = `apiVersion: karpenter.sh/v1
kind: NodePool
metadata: { name: main }
spec: { template: { spec: { nodeClassRef: { group: karpenter.k8s.aws, kind: EC2NodeClass, name: nodes } } } }
---
apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata: { name: nodes }
spec: {}`;
const AGENT = `
---
apiVersion: apps/v1
kind: DaemonSet
metadata: { name: agent, namespace: kube-system }
spec:
  selector: { matchLabels: { app: agent } }
  template:
    metadata: { labels: { app: agent } }
    spec:
      nodeSelector: { karpenter.sh/nodepool: main }
      containers: [{ name: agent, image: agent }]`;
const REFERENCE =
  'nameReference: [{kind: EC2NodeClass, fieldSpecs: [{kind: NodePool, path: spec/template/spec/nodeClassRef/name}]}]';

function judged(kustomization: string, objects = OBJECTS) {
  const [root] = rootsOf([
    { path: 'prod/objects.yaml', text: objects },
    { path: 'prod/names.yaml', text: REFERENCE },
    { path: 'prod/kustomization.yaml', text: `resources: [objects.yaml]\n${kustomization}` },
  ]);
  return judgeFiles(nodeClassRefIncompleteOrDangling, root.sources);
}

describe('KARP-103 with a kustomization that renames the class', () => {
  test.each([
    ['namePrefix: staging-', 'namePrefix', 'staging-nodes'],
    ['nameSuffix: -v2', 'nameSuffix', 'nodes-v2'],
  ])('proposes a nameReference for %s', (kustomization, field, name) => {
    const [{ message, remedy, fix }] = judged(kustomization).findings;
    expect(message).toBe(
      `refers to EC2NodeClass nodes, which ${field} in prod/kustomization.yaml renames to ${name}: ` +
        'kustomize does not change the reference, so the NodePool stays NotReady and launches no nodes',
    );
    expect(remedy).toBe(
      `add a file to configurations in prod/kustomization.yaml, with ${REFERENCE}; or remove ${field}`,
    );
    expect(fix).toBeUndefined();
  });

  test('has no finding with the nameReference that it proposes', () => {
    expect(judged('namePrefix: staging-\nconfigurations: [names.yaml]').findings).toEqual([]);
  });

  test('names the node selector that no nameReference changes', () => {
    const [{ remedy }] = judged('namePrefix: staging-', OBJECTS + AGENT).findings;
    expect(remedy).toContain('; in node selectors with karpenter.sh/nodepool: main, write staging-main by a patch; ');
  });

  test('says nothing of a kustomization if the name is in no file', () => {
    const [{ message }] = judged(
      'namePrefix: staging-',
      OBJECTS.replace('{ name: nodes }\nspec', '{ name: other }\nspec'),
    ).findings;
    expect(message).toContain('which is not in the input (it has staging-other)');
  });
});
