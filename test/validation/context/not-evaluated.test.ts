import { check } from '../../../src/validation';
import { deployment, manifests, NODE_CLASS, nodePool, SMALL } from '../setup';

const CONTAINERS = 'containers: [{ name: app, image: app, resources: { requests: { cpu: 1, memory: 1Gi } } }]';
const objectOf = (apiVersion: string, kind: string, spec: string) =>
  `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: { name: web }\nspec: ${spec}\n`;
const notCounted = (text: string) =>
  check(manifests(nodePool(['m5.large']), NODE_CLASS, text)).assumptions.filter((sentence) =>
    sentence.includes('are not counted'),
  );

describe('pods of unknown kinds', () => {
  test.each([
    ['apps.kruise.io/v1alpha1', 'CloneSet', `{ replicas: 5, template: { spec: { ${CONTAINERS} } } }`],
    ['keda.sh/v1alpha1', 'ScaledJob', `{ jobTargetRef: { template: { spec: { ${CONTAINERS} } } } }`],
    ['example.com/v1', 'RayCluster', `{ workerGroupSpecs: [{ replicas: 3, template: { spec: { ${CONTAINERS} } } }] }`],
    ['monitoring.coreos.com/v1', 'Prometheus', '{ replicas: 2, resources: { requests: { memory: 4Gi } } }'],
    ['flink.apache.org/v1beta1', 'FlinkDeployment', '{ taskManager: { resource: { memory: 2048m, cpu: 1 } } }'],
    ['tekton.dev/v1', 'TaskRun', '{ taskSpec: { steps: [{ computeResources: { limits: { cpu: 9 } } }] } }'],
    ['trainer.kubeflow.org/v1alpha1', 'TrainJob', '{ runtimeRef: { name: torch } }'],
    ['example.com/v1', 'MPIJob', `{ leaderWorkerTemplate: { workerTemplate: { spec: { ${CONTAINERS} } } } }`],
  ])('are reported as not counted: %s %s', (apiVersion, kind, spec) => {
    expect(notCounted(objectOf(apiVersion, kind, spec))).toEqual([
      `the pods of ${kind} default/web are not counted: only its controller knows them`,
    ]);
  });

  test.each([
    ['a Deployment', deployment('web', 1, SMALL)],
    [
      'values of a chart',
      objectOf('helm.toolkit.fluxcd.io/v2', 'HelmRelease', '{ values: { resources: { requests: { cpu: 1 } } } }'),
    ],
    ['an object without a pod template', objectOf('monitoring.coreos.com/v1', 'PodMonitor', '{ selector: {} }')],
    [
      'a pattern of pods',
      objectOf(
        'kyverno.io/v1',
        'ClusterPolicy',
        `{ rules: [{ validate: { pattern: { spec: { template: { spec: { ${CONTAINERS} } } } } } }] }`,
      ),
    ],
  ])('are not reported for %s', (_, text) => {
    expect(notCounted(text)).toEqual([]);
  });
});

describe('a pod template of Spark', () => {
  const template =
    'apiVersion: v1\nkind: Pod\nmetadata: { name: emr-driver, namespace: emr }\nspec: { containers: [{ name: spark-kubernetes-driver }] }\n';

  test('is not counted, and has no findings', () => {
    expect(notCounted(template)).toEqual([
      'the pods of the Spark pod template emr/emr-driver are not counted: Spark fills in their requests',
    ]);
    const { findings, summary } = check(manifests(template));
    expect(findings).toEqual([]);
    expect(summary.pods).toBe(0);
  });

  test('may lack containers if the name of its file says what it is', () => {
    const text = 'apiVersion: v1\nkind: Pod\nmetadata: { name: driver }\nspec: { nodeSelector: { team: a } }\n';
    const rulesOf = (path: string) => check([{ path, text }]).findings.map(({ rule }) => rule);
    expect(rulesOf('emr/driver-pod-template.yaml')).toEqual([]);
    expect(rulesOf('emr/driver.yaml')).toEqual(['KARP-100']);
  });

  test.each([
    [
      'a container without image',
      'nodeSelector: { team: a }, containers: [{ name: spark-kubernetes-executor }]',
      'a/exec.yaml',
    ],
    ['its file', 'containers: [{ name: logs, image: fluent-bit }]', 'b/executor-pod-template.yaml'],
    ['its container', 'containers: [{ name: spark-kubernetes-driver, image: spark }]', 'c/driver.yaml'],
  ])('has no name, and is known by %s', (_, spec, path) => {
    const { findings, assumptions } = check([{ path, text: `apiVersion: v1\nkind: Pod\nspec: { ${spec} }\n` }]);
    expect(findings).toEqual([]);
    expect(assumptions).toContain(
      `the pods of the Spark pod template ${path.slice(2)} are not counted: Spark fills in their requests`,
    );
  });

  test('is not assumed of another pod without a name', () => {
    const text = 'apiVersion: v1\nkind: Pod\nspec: { containers: [{ name: web, image: nginx }] }\n';
    expect(check([{ path: 'web.yaml', text }]).findings).toMatchObject([{ rule: 'KARP-100' }]);
  });

  test('is a pod if it has an image', () => {
    const pod = template.replace('spark-kubernetes-driver', 'spark-kubernetes-driver, image: spark');
    expect(check(manifests(nodePool(['m5.large']), NODE_CLASS, pod)).summary.pods).toBe(1);
  });
});
