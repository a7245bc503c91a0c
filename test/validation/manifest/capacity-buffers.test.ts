import { problems, read } from './manifests';
import { ResolvedBufferPods } from '../../../src/validation';

const buffer = (spec: string, metadata = 'name: spare') =>
  `apiVersion: autoscaling.x-k8s.io/v1beta1\nkind: CapacityBuffer\nmetadata: { ${metadata} }\nspec: { ${spec} }\n`;
const WEB = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: 10
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      nodeSelector: { team: a }
      containers: [{ name: main, resources: { requests: { cpu: 500m, memory: 1Gi } } }]
`;
const TEMPLATE = `apiVersion: v1
kind: PodTemplate
metadata: { name: web }
template:
  spec: { containers: [{ name: main, resources: { requests: { cpu: 500m, memory: 1Gi } } }] }
`;

function bufferedPods(...documents: string[]): ResolvedBufferPods {
  const { capacityBuffers } = read(documents.join('---\n'));
  expect(capacityBuffers).toHaveLength(1);
  return capacityBuffers[0].pods!;
}

function count(spec: string, ...templates: string[]): number {
  const pods = bufferedPods(buffer(spec), ...templates);
  return 'count' in pods ? pods.count : NaN;
}

describe('size of a CapacityBuffer', () => {
  const SCALABLE = 'scalableRef: { apiGroup: apps, kind: Deployment, name: web }';
  test.each([
    ['replicas: 3', 3],
    ['replicas: 0', 0],
    ['percentage: 20', 2],
    ['percentage: 21', 3],
    ['percentage: 1', 1],
    ['percentage: 0', 0],
    ['percentage: 20, replicas: 1', 2],
    ['percentage: 20, replicas: 5', 5],
    ['replicas: 5, limits: { cpu: 1200m }', 2],
    ['replicas: 1, limits: { cpu: 1200m }', 1],
    ['limits: { cpu: 10 }', 20],
    ['limits: { cpu: 10, memory: 3.9Gi }', 3],
    ['limits: { memory: 1023Mi }', 0],
    ['replicas: 5, limits: { nvidia.com/gpu: 1 }', 5],
    ['limits: { nvidia.com/gpu: 1 }', 0],
    ['replicas: 5, limits: { cpu: -1 }', 0],
  ])('with { %s } for 10 replicas of 0.5 CPU and 1Gi is %d', (size, expected) => {
    expect(count(`${SCALABLE}, ${size}`, WEB)).toBe(expected);
  });

  test('is a percentage of 1 replica if the workload does not set replicas', () => {
    expect(count(`${SCALABLE}, percentage: 300`, WEB.replace('  replicas: 10\n', ''))).toBe(3);
  });

  test('is 0 for a percentage of a workload with 0 replicas', () => {
    expect(count(`${SCALABLE}, percentage: 50`, WEB.replace('replicas: 10', 'replicas: 0'))).toBe(0);
  });

  test.each([
    ['replicas: 2', 2],
    ['limits: { cpu: 2 }', 4],
  ])('with { %s } for a PodTemplate is %d', (size, expected) => {
    expect(count(`podTemplateRef: { name: web }, ${size}`, TEMPLATE)).toBe(expected);
  });
});

describe('pods of a CapacityBuffer', () => {
  const REF = 'scalableRef: { kind: Deployment, name: web }, replicas: 1';

  test('have the constraints of the workload and only the labels of its template', () => {
    const { shape } = bufferedPods(buffer(REF), WEB) as Extract<ResolvedBufferPods, { count: number }>;
    expect(shape).toMatchObject({
      nodeSelector: { team: 'a' },
      labels: { app: 'web' },
      requests: new Map([
        ['cpu', 500n],
        ['memory', 1000n * 2n ** 30n],
      ]),
    });
  });

  test('request what the template requests, without replacing missing requests by limits', () => {
    const limited = WEB.replace(
      'requests: { cpu: 500m, memory: 1Gi }',
      'limits: { cpu: 2, memory: 4Gi }, requests: { cpu: 500m }',
    );
    const model = read([buffer(REF), limited].join('---\n'));
    expect(model.capacityBuffers[0].pods).toMatchObject({ shape: { requests: new Map([['cpu', 500n]]) } });
    expect([...model.workloads[0].shape!.requests.keys()]).toEqual(['cpu', 'memory']);
  });

  test.each([
    ['volumes: [{ name: a, persistentVolumeClaim: { claimName: b } }]'],
    ['volumes: [{ name: a, ephemeral: { volumeClaimTemplate: {} } }]'],
    ['nodeName: ip-10-0-0-1'],
    ['schedulingGates: [{ name: a }]'],
    ['runtimeClassName: kata'],
    [
      'affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchFields: [{ key: metadata.name, operator: In, values: [a] }] }] } } }',
    ],
  ])('ignore fields that would block a real pod: %s', (field) => {
    const pods = bufferedPods(buffer(REF), WEB.replace('      nodeSelector', `      ${field}\n      nodeSelector`));
    expect(pods).toMatchObject({ shape: { notEvaluated: [], ignored: undefined } });
    expect(pods).not.toMatchObject({ shape: { volumeTopology: expect.anything() } });
  });

  test.each([
    [
      buffer('scalableRef: { kind: StatefulSet, name: web }, replicas: 1'),
      'StatefulSet default/web, which is not in the input',
    ],
    [buffer('podTemplateRef: { name: other }, replicas: 1'), 'PodTemplate default/other, which is not in the input'],
    [buffer(REF, 'name: spare, namespace: shop'), 'Deployment shop/web, which is not in the input'],
  ])('are missing if the template is not in the input or in another namespace', (text, missing) => {
    expect(bufferedPods(text, WEB, TEMPLATE)).toEqual({ missing });
  });

  test('are missing if the template is invalid, which is reported once', () => {
    const invalid = (text: string) => text.replace('500m', '5O0m');
    const model = read([buffer('podTemplateRef: { name: web }, replicas: 1'), invalid(TEMPLATE)].join('---\n'));
    expect(model.capacityBuffers[0].pods).toEqual({ missing: 'a valid PodTemplate default/web' });
    expect(problems(model)).toEqual([expect.stringContaining('template.spec.containers[0].resources.requests.cpu')]);
    expect(problems(read([buffer(REF), invalid(WEB)].join('---\n')))).toHaveLength(1);
  });
});

describe('readCapacityBuffer', () => {
  test.each([
    ['replicas: 1', 'spec.scalableRef: must be set, or podTemplateRef instead'],
    ['scalableRef: { kind: Rollout, name: web }, replicas: 1', 'spec.scalableRef.kind: must be one of'],
    ['podTemplateRef: { name: web }', 'spec.replicas: must be set, or limits'],
    ['podTemplateRef: { name: web }, replicas: 1, replica: 2', 'spec.replica: is no field of the API'],
  ])('rejects { %s }', (spec, problem) => {
    const model = read([buffer(spec), TEMPLATE, WEB].join('---\n'));
    expect(problems(model).join()).toContain(problem);
    expect(model.capacityBuffers[0].pods).toBeUndefined();
  });
});
