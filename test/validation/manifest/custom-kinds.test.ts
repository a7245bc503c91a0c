import fc from 'fast-check';
import { onlyWorkload, read } from './manifests';
import { check, Verdict } from '../../../src/validation';
import { deployment, manifests, NODE_CLASS, nodePool } from '../setup';

const TEMPLATE = { spec: { containers: [{ name: 'main', image: 'app', resources: { requests: { cpu: '1' } } }] } };
const LABELLED = { metadata: { labels: { app: 'web' } }, ...TEMPLATE };
const custom = (apiVersion: string, kind: string, spec: object, metadata: object = {}) =>
  `${JSON.stringify({ apiVersion, kind, metadata: { name: 'x', ...metadata }, spec })}\n`;
const rollout = (spec: object) => custom('argoproj.io/v1alpha1', 'Rollout', spec);
const ray = (fields: object = {}, group: object = {}) => ({
  headGroupSpec: { template: TEMPLATE },
  workerGroupSpecs: [{ groupName: 'small', template: TEMPLATE, ...group }],
  ...fields,
});
const spark = (spec: object) =>
  custom('sparkoperator.k8s.io/v1beta2', 'SparkApplication', { image: 'spark', driver: {}, executor: {}, ...spec });
const counts = (...documents: string[]) =>
  read(documents.join('---\n')).workloads.map(({ kind, name, replicas }) => `${replicas} × ${kind} ${name}`);
const scaledObject = (target: object, spec: object, annotations: object = {}) =>
  custom('keda.sh/v1alpha1', 'ScaledObject', { scaleTargetRef: target, ...spec }, { annotations });
const verdictOf = (workload: string): Verdict => check(manifests(NODE_CLASS, nodePool(['c7i.4xlarge']), workload));
const NOT_COUNTED = /are not counted: its fields do not decide their number and requests/;

describe('JobSet with an exclusive topology', () => {
  const TOPOLOGY = 'alpha.jobset.sigs.k8s.io/exclusive-topology';
  const jobSet = (annotations: object, cpu: string = '1') => {
    const [container] = TEMPLATE.spec.containers;
    const template = { spec: { containers: [{ ...container, resources: { requests: { cpu } } }] } };
    const workers = { name: 'w', replicas: 2, template: { spec: { parallelism: 3, completions: 3, template } } };
    return custom('jobset.x-k8s.io/v1alpha2', 'JobSet', { replicatedJobs: [workers] }, { annotations });
  };

  test('has a Job for each domain, and no two of them on one node', () => {
    const verdict = verdictOf(jobSet({ [TOPOLOGY]: 'kubernetes.io/hostname' }));
    expect(verdict.summary).toMatchObject({ pods: 6, nodes: 2 });
    expect(counts(jobSet({}))).toEqual(['6 × Job x-w']);
    expect(counts(jobSet({ [TOPOLOGY]: 'kubernetes.io/hostname' }))).toEqual(['3 × Job x-w-0', '3 × Job x-w-1']);
  });

  test('has pods without a node if no node has the label, and says which annotation to change', () => {
    const { findings, assumptions } = verdictOf(jobSet({ [TOPOLOGY]: 'cloud.google.com/gke-nodepool' }));
    expect(findings.filter(({ severity }) => severity === 'error')).toMatchObject([
      {
        rule: 'KARP-213',
        remedy: expect.stringContaining(
          'instead of cloud.google.com/gke-nodepool in the annotation exclusive-topology',
        ),
      },
    ]);
    expect(JSON.stringify(assumptions)).not.toContain('not counted');
  });

  test('is not counted if labels of nodes decide its domains', () => {
    const { assumptions } = verdictOf(
      jobSet({ [TOPOLOGY]: 'kubernetes.io/hostname', 'alpha.jobset.sigs.k8s.io/node-selector': 'true' }),
    );
    expect(JSON.stringify(assumptions)).toContain(
      'are not counted: the domains that its controller chooses for its groups are not simulated',
    );
  });
});

describe('Rollout of Argo', () => {
  const spec = { selector: { matchLabels: { app: 'web' } }, template: LABELLED };

  test.each([
    [{}, 1],
    [{ replicas: 4 }, 4],
  ])('has the pods of its template: %j', (fields, pods) => {
    expect(counts(rollout({ ...spec, ...fields }))).toEqual([`${pods} × Deployment x`]);
  });

  test('takes the template and the selector of the Deployment that it refers to', () => {
    const reference = (scaleDown: string) =>
      rollout({ replicas: 2, workloadRef: { kind: 'Deployment', name: 'web', scaleDown } });
    const target = deployment('web', 3, 'cpu: 1');
    expect(counts(target, reference('never'))).toEqual(['3 × Deployment web', '2 × Deployment x-rollout']);
    const [workload] = read([target, reference('onsuccess')].join('---\n')).workloads;
    expect(workload).toMatchObject({ replicas: 2, podLabels: { app: 'web' } });
    expect(workload.object.locate(['spec', 'template', 'spec']).line).toBe(9);
  });

  test('is scaled by a HorizontalPodAutoscaler and a ScaledObject that name it', () => {
    const target = { apiVersion: 'argoproj.io/v1alpha1', kind: 'Rollout', name: 'x' };
    const horizontal = { scaleTargetRef: target, minReplicas: 3, maxReplicas: 9 };
    const workload = rollout(spec);
    expect(counts(workload, custom('autoscaling/v2', 'HorizontalPodAutoscaler', horizontal))).toEqual([
      '3 × Deployment x',
    ]);
    expect(counts(workload, scaledObject(target, { minReplicaCount: 2 }))).toEqual(['2 × Deployment x']);
  });

  test('is rejected under its own name if its selector does not select its pods', () => {
    const { problems, workloads } = read(rollout({ ...spec, selector: { matchLabels: { app: 'other' } } }));
    expect(problems).toMatchObject([{ rule: 'KARP-100', subject: { kind: 'Rollout', name: 'x' } }]);
    expect(workloads).toMatchObject([{ shape: undefined }]);
  });

  test('has the plan of a Deployment with the same template', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 1, max: 20 }), (replicas, cpu) => {
        const text = deployment('web', replicas, `cpu: ${cpu}, memory: 1Gi`);
        const asRollout = text.replace('apps/v1', 'argoproj.io/v1alpha1').replace('kind: Deployment', 'kind: Rollout');
        const planOf = ({ nodes, nodeClaims, placements }: Verdict) => ({ nodes, nodeClaims, placements });
        expect(planOf(verdictOf(asRollout))).toEqual(planOf(verdictOf(text)));
      }),
      { seed: 7, numRuns: 12 },
    );
  });
});

describe('custom kinds', () => {
  test.each([
    [custom('ray.io/v1', 'RayCluster', ray({}, { replicas: 2, numOfHosts: 2 })), [1, 4]],
    [custom('ray.io/v1', 'RayCluster', ray({}, { minReplicas: 3, replicas: 1 })), [1, 3]],
    [custom('ray.io/v1', 'RayCluster', ray({}, { maxReplicas: 2, replicas: 5 })), [1, 2]],
    [custom('ray.io/v1', 'RayCluster', ray()), [1, 0]],
    [custom('ray.io/v1', 'RayCluster', ray({ suspend: true }, { replicas: 2 })), [0, 0]],
    [custom('ray.io/v1', 'RayService', { rayClusterConfig: ray({}, { replicas: 2 }) }), [1, 2]],
    [custom('ray.io/v1', 'RayJob', { rayClusterSpec: ray({}, { replicas: 2 }) }), [1, 2]],
    [
      custom('kubeflow.org/v1', 'PyTorchJob', {
        pytorchReplicaSpecs: { Master: { template: TEMPLATE }, Worker: { replicas: 3, template: TEMPLATE } },
      }),
      [1, 3],
    ],
    [
      custom('kubeflow.org/v2beta1', 'MPIJob', {
        runPolicy: { suspend: true },
        mpiReplicaSpecs: { Worker: { template: TEMPLATE } },
      }),
      [0],
    ],
    [spark({ executor: { instances: 4 } }), [1, 4]],
    [spark({ dynamicAllocation: { enabled: true, minExecutors: 2, maxExecutors: 9 } }), [1, 2]],
    [
      custom('serving.knative.dev/v1', 'Service', {
        template: { metadata: { annotations: { 'autoscaling.knative.dev/min-scale': '3' } }, ...TEMPLATE },
      }),
      [3],
    ],
    [custom('serving.knative.dev/v1', 'Service', { template: TEMPLATE }), [0]],
  ])('counts the pods of %s', (document, pods) => {
    const { workloads, problems } = read(document);
    expect(problems).toEqual([]);
    expect(workloads.map(({ replicas }) => replicas)).toEqual(pods);
  });

  test.each([
    ['a Rollout without a template', rollout({ replicas: 2 })],
    ['a Rollout whose workload is not in the input', rollout({ workloadRef: { kind: 'Deployment', name: 'web' } })],
    ['a RayCluster with a text as replicas', custom('ray.io/v1', 'RayCluster', ray({}, { replicas: 'two' }))],
    ['a RayCluster without a head', custom('ray.io/v1', 'RayCluster', { headGroupSpec: 5 })],
    ['a SparkApplication whose settings decide the memory', spark({ sparkConf: { 'spark.executor.memory': '9g' } })],
    ['a SparkApplication with a template', spark({ driver: { template: TEMPLATE } })],
    ['a training job without replicas', custom('kubeflow.org/v1', 'PyTorchJob', {})],
  ])('says that the pods of %s are not counted', (_, document) => {
    expect(read(document).workloads).toEqual([]);
    expect(verdictOf(document).assumptions.filter((text) => NOT_COUNTED.test(text))).toHaveLength(1);
  });

  test('crashes on no value of any field', () => {
    const value = fc.oneof(fc.jsonValue(), fc.constant({ containers: [{}] }));
    const kinds = fc.constantFrom<[string, string, string[]][]>(
      ['argoproj.io/v1alpha1', 'Rollout', ['template', 'workloadRef', 'strategy', 'selector', 'replicas']],
      ['ray.io/v1', 'RayCluster', ['headGroupSpec', 'workerGroupSpecs']],
      ['sparkoperator.k8s.io/v1beta2', 'SparkApplication', ['driver', 'executor', 'sparkConf', 'dynamicAllocation']],
      ['kubeflow.org/v1', 'TFJob', ['tfReplicaSpecs', 'runPolicy']],
      ['serving.knative.dev/v1', 'Service', ['template']],
      ['argoproj.io/v1alpha1', 'Workflow', ['templates', 'entrypoint', 'nodeSelector', 'podMetadata', 'onExit']],
    );
    fc.assert(
      fc.property(kinds, fc.array(value, { minLength: 5, maxLength: 5 }), ([apiVersion, kind, fields], values) => {
        const spec = Object.fromEntries(fields.map((field, index) => [field, values[index]]));
        read(custom(apiVersion, kind, spec));
      }),
      { seed: 11, numRuns: 200 },
    );
  });
});

describe('LeaderWorkerSet with an exclusive topology', () => {
  const PREFIX = 'leaderworkerset.sigs.k8s.io/';
  const set = (annotations: object) => {
    const spec = { replicas: 2, leaderWorkerTemplate: { size: 3, workerTemplate: TEMPLATE } };
    return custom('leaderworkerset.x-k8s.io/v1', 'LeaderWorkerSet', spec, { annotations });
  };

  test('has a leader and workers for each group, and no two groups on one node', () => {
    const exclusive = set({ [`${PREFIX}exclusive-topology`]: 'kubernetes.io/hostname' });
    expect(counts(exclusive)).toEqual([
      '1 × StatefulSet x-0',
      '2 × StatefulSet x-0-workers',
      '1 × StatefulSet x-1',
      '2 × StatefulSet x-1-workers',
    ]);
    expect(verdictOf(exclusive).summary).toMatchObject({ pods: 6, nodes: 2 });
    expect(verdictOf(set({})).summary).toMatchObject({ pods: 6, nodes: 1 });
  });

  test('is not counted if parts of groups have domains', () => {
    const { assumptions } = verdictOf(set({ [`${PREFIX}subgroup-exclusive-topology`]: 'topology.kubernetes.io/zone' }));
    expect(JSON.stringify(assumptions)).toContain('for its groups are not simulated');
  });
});

describe('Workflow of Argo', () => {
  const leaf = (name: string, cpu: string, fields: object = {}) => ({
    name,
    container: { image: 'app', args: ['{{inputs.parameters.x}}'], resources: { requests: { cpu, memory: '1Gi' } } },
    ...fields,
  });
  const tasks = [
    { name: 'a', template: 'prepare' },
    { name: 'b', template: 'train', depends: 'a.Succeeded', withItems: [1, 2, 3] },
    { name: 'c', template: 'prepare', dependencies: ['b'], withSequence: { count: '2' } },
  ];
  const spec = (fields: object = {}) => ({
    entrypoint: 'main',
    templates: [
      { name: 'main', dag: { tasks } },
      leaf('prepare', '1'),
      leaf('train', '2', { nodeSelector: { a: 'b' } }),
    ],
    ...fields,
  });
  const workflow = (fields: object = {}, kind = 'Workflow') => custom('argoproj.io/v1alpha1', kind, spec(fields));
  const steps = (call: object, ...more: object[]) => ({
    entrypoint: 'main',
    templates: [{ name: 'main', steps: [[call, ...more]] }, leaf('one', '1'), leaf('two', '1')],
  });

  test('has a Job for each kind of its pods, with those that run at a time', () => {
    const reference = { workflowTemplateRef: { name: 'x' } };
    const expected = ['2 × Job x-prepare', '3 × Job x-train'];
    expect(counts(workflow())).toEqual(expected);
    expect(counts(workflow({ parallelism: 2, onExit: 'train' }))).toEqual(['2 × Job x-prepare', '2 × Job x-train']);
    expect(counts(custom('argoproj.io/v1alpha1', 'CronWorkflow', { workflowSpec: spec({ suspend: true }) }))).toEqual([
      '0 × Job x-prepare',
      '0 × Job x-train',
    ]);
    const ofTemplate = [workflow({}, 'WorkflowTemplate'), custom('argoproj.io/v1alpha1', 'Workflow', reference)];
    expect(counts(...ofTemplate)).toEqual(expected);
    // Templates with the same requests on the same nodes stand for each other.
    const two = steps({ template: 'one' }, { template: 'two' });
    expect(counts(custom('argoproj.io/v1alpha1', 'Workflow', two))).toEqual(['2 × Job x-one']);
  });

  test('calls templates of a WorkflowTemplate, whose pods have the node selector of the run', () => {
    const templateRef = { name: 'x', template: 'main' };
    const run = {
      nodeSelector: { a: 'c' },
      entrypoint: 'main',
      templates: [{ name: 'main', steps: [[{ templateRef }]] }],
    };
    const { workloads } = read(
      [workflow({}, 'WorkflowTemplate'), custom('argoproj.io/v1alpha1', 'Workflow', run)].join('---\n'),
    );
    expect(workloads.map(({ name, shape }) => [name, shape!.nodeSelector])).toEqual([
      ['x-prepare', { a: 'c' }],
      ['x-train', { a: 'b' }],
    ]);
    expect(workloads.map(({ object, podPath }) => object.locate([...podPath, 'nodeSelector']).path)).toEqual([
      'spec.nodeSelector',
      'spec.templates[2].nodeSelector',
    ]);
  });

  test('locates fields in its templates, or in its own spec', () => {
    const [prepare, train] = read(workflow({ nodeSelector: { a: 'c' } })).workloads;
    const placeOf = ({ object, podPath }: typeof train, ...field: Array<string | number>) =>
      object.locate([...podPath, ...field]).path;
    expect(placeOf(train, 'nodeSelector', 'a')).toBe('spec.templates[2].nodeSelector.a');
    expect(placeOf(prepare, 'nodeSelector', 'a')).toBe('spec.nodeSelector.a');
    expect(placeOf(prepare, 'containers', 0, 'resources')).toBe('spec.templates[1].container.resources');
  });

  test('is reported once for a mistake in its own spec', () => {
    const text = workflow({
      nodeSelector: { 'karpenter.sh/nodepool': 'defualt' },
      templates: [...spec().templates.slice(0, 2), leaf('train', '2')],
    });
    const { findings } = verdictOf(text);
    expect(findings.filter(({ severity }) => severity === 'error')).toMatchObject([
      {
        rule: 'KARP-213',
        subject: { kind: 'Workflow' },
        location: { path: 'spec.nodeSelector["karpenter.sh/nodepool"]' },
      },
    ]);
  });

  test.each([
    ['parameters that decide its node', { nodeSelector: { zone: '{{workflow.parameters.zone}}' } }],
    ['steps that another step counts', steps({ template: 'one', withParam: '{{steps.list.outputs.result}}' })],
    ['templates that call each other', { templates: [{ name: 'main', steps: [[{ template: 'main' }]] }] }],
    ['a patch of its pods', { podSpecPatch: '{}' }],
    ['a template that is not in the input', { workflowTemplateRef: { name: 'other' } }],
    ['more pods than there can be', steps({ template: 'one', withSequence: { count: 9e9 } })],
  ])('is not counted with %s', (_, fields) => {
    const text = workflow(fields);
    expect(read(text)).toMatchObject({ workloads: [], problems: [] });
    expect(verdictOf(text).assumptions.filter((sentence) => NOT_COUNTED.test(sentence))).toHaveLength(1);
  });
});

describe('SparkApplication', () => {
  test.each([
    [{}, '1', 1408],
    [{ driver: { cores: 2, memory: '10g' } }, '2', 11264],
    [{ type: 'Python', driver: { memory: '10g' } }, '1', 14336],
    [{ memoryOverheadFactor: '0.5', driver: { coreRequest: '500m', memory: '2048m' } }, '0.5', 3072],
    [{ driver: { memory: '1024', memoryOverhead: '512m' } }, '1', 1536],
  ])('adds the memory overhead as Spark does: %j', (spec, cpu, mebibytes) => {
    const [driver] = read(spark(spec)).workloads;
    expect(Number(driver.shape!.requests.get('memory')) / 2 ** 20).toBe(mebibytes * 1000);
    expect(Number(driver.shape!.requests.get('cpu')) / 1000).toBe(Number(cpu));
  });

  test('reads tolerations and the node selector of each role, and locates them', () => {
    const tolerations = [{ key: 'spark', operator: 'Exists' }];
    const { workloads } = read(spark({ nodeSelector: { a: 'b' }, executor: { instances: 2, tolerations } }));
    const [driver, executors] = workloads;
    expect(driver.shape!.tolerations).not.toContainEqual(expect.objectContaining({ key: 'spark' }));
    expect(executors.shape!.tolerations).toContainEqual(expect.objectContaining({ key: 'spark' }));
    expect(executors.object.locate([...executors.podPath, 'tolerations']).path).toBe('spec.executor.tolerations');
  });
});

describe('ScaledObject of KEDA', () => {
  const target = { name: 'web' };
  const replicas = (pods: number, ...documents: string[]) =>
    onlyWorkload([deployment('web', pods, 'cpu: 1'), ...documents].join('---\n')).replicas;

  test.each<[number, object, object, number]>([
    [1, { minReplicaCount: 3 }, {}, 3],
    [0, { minReplicaCount: 3 }, {}, 3],
    [9, { maxReplicaCount: 5 }, {}, 5],
    [2, {}, {}, 2],
    [1, { minReplicaCount: 3, idleReplicaCount: 0 }, {}, 1],
    [4, { minReplicaCount: 5 }, { 'autoscaling.keda.sh/paused-replicas': '2' }, 2],
    [4, { minReplicaCount: 5 }, { 'autoscaling.keda.sh/paused': 'true' }, 4],
    [4, { minReplicaCount: 9, maxReplicaCount: 2 }, {}, 4],
  ])('scales %i replicas with %j and %j to %i', (pods, spec, annotations, expected) => {
    expect(replicas(pods, scaledObject(target, spec, annotations))).toBe(expected);
  });
});
