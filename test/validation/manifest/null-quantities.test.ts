import { readManifests } from '../../../src/validation';

function problems(documents: string): string[] {
  return readManifests([{ path: 'a.yaml', text: documents }]).problems.map(({ rule, message }) => `${rule} ${message}`);
}

function pod(resources: string) {
  const [workload] = readManifests([{ path: 'a.yaml', text: pods(resources) }]).workloads;
  return workload.shape && Object.fromEntries(workload.shape.requests);
}

const pods = (resources: string) =>
  `{ apiVersion: v1, kind: Pod, metadata: { name: web }, spec: { containers: [{ name: main, image: i, resources: ${resources} }] } }`;

const statefulSet = (storage: string) => `apiVersion: apps/v1
kind: StatefulSet
metadata: { name: db }
spec:
  serviceName: db
  selector: { matchLabels: { app: db } }
  template:
    metadata: { labels: { app: db } }
    spec: { containers: [{ name: main, image: i }] }
  volumeClaimTemplates: [{ metadata: { name: data }, spec: { accessModes: [ReadWriteOnce], resources: { requests: { ${storage} } } } }]
`;

describe('a quantity that is null', () => {
  test('is 0, and not the limit, as a request', () => {
    expect(pod('{ requests: { cpu: null, memory: 1Gi }, limits: { cpu: 1 } }')).toMatchObject({
      cpu: 0n,
      memory: 1000n * 2n ** 30n,
    });
  });

  test('is a limit of 0, which a request exceeds', () => {
    expect(problems(pods('{ requests: { cpu: 100m }, limits: { cpu: null } }'))[0]).toContain(
      'must be at most the limit (0)',
    );
  });

  test('is refused for a GPU without a limit of 0', () => {
    expect(problems(pods('{ requests: { nvidia.com/gpu: null }, limits: { nvidia.com/gpu: 1 } }'))[0]).toContain(
      'must be equal to the limit of nvidia.com/gpu',
    );
    expect(problems(pods('{ limits: { nvidia.com/gpu: null } }'))).toEqual([]);
  });

  test('is refused as the size of a volume claim', () => {
    expect(problems(statefulSet('storage: null'))).toEqual([
      'KARP-100 spec.volumeClaimTemplates[0].spec.resources.requests.storage: must be greater than 0, and the API server reads null as 0, so it refuses the claim, got null',
    ]);
  });
});

describe('the size of a volume claim', () => {
  test.each(['storage: 10Gi', 'storage: "${SIZE}"'])('is accepted: %s', (storage) =>
    expect(problems(statefulSet(storage))).toEqual([]),
  );

  test('is required', () => {
    expect(problems(statefulSet(''))[0]).toContain(
      'the API server refuses the claim with "spec.resources[storage]: Required value"',
    );
  });

  test.each(['storage: 0', 'storage: -1Gi', 'storage: ten'])('is refused: %s', (storage) => {
    expect(problems(statefulSet(storage))[0]).toContain('the API server refuses the claim');
  });

  test('is refused in a PersistentVolumeClaim, and the pods that mount it are not evaluated', () => {
    const claim =
      '{ apiVersion: v1, kind: PersistentVolumeClaim, metadata: { name: data }, spec: { resources: { requests: { storage: null } } } }';
    const mounting =
      '{ apiVersion: v1, kind: Pod, metadata: { name: web }, spec: { volumes: [{ name: v, persistentVolumeClaim: { claimName: data } }], containers: [{ name: main, image: i }] } }';
    const { workloads, problems: findings } = readManifests([{ path: 'a.yaml', text: `${claim}\n---\n${mounting}` }]);
    expect(findings).toMatchObject([{ rule: 'KARP-100', subject: { kind: 'PersistentVolumeClaim', name: 'data' } }]);
    expect(workloads[0].shape?.notEvaluated).toEqual([
      'PersistentVolumeClaim default/data, which the API server refuses',
    ]);
  });
});
