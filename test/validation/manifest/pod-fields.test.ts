import { CONTAINER, pod, read } from './manifests';

/** `field: problem; remedy` of all problems of a pod with one container. */
function messages(container: string, spec = ''): string[] {
  const text = pod(`  containers: [{ name: main, image: app, ${container} }]\n${spec}`);
  return read(text).problems.map(({ message, remedy }) => `${message}; ${remedy}`);
}

const MAIN = 'spec.containers[0]';

test('rejects mounts without a volume, and two mounts at one path', () => {
  const volumes = '  volumes: [{ name: cache, emptyDir: {} }, { name: tmp, emptyDir: {} }]\n';
  expect(messages('volumeMounts: [{ name: cach, mountPath: /a }, { name: logs, mountPath: /a }]', volumes)).toEqual([
    `${MAIN}.volumeMounts[0].name: must be the name of a volume of the pod, got "cach"; write cache`,
    `${MAIN}.volumeMounts[1].name: must be the name of a volume of the pod, got "logs"; add a volume logs, or remove the mount`,
    `${MAIN}.volumeMounts[1].mountPath: must not be the path of another mount of the container, got "/a"; write another path, or remove one of the mounts`,
  ]);
});

test('accepts a mount of a claim template', () => {
  const text = `apiVersion: apps/v1
kind: StatefulSet
metadata: { name: db }
spec:
  selector: { matchLabels: { app: db } }
  template:
    metadata: { labels: { app: db } }
    spec: { containers: [{ name: db, image: db, volumeMounts: [{ name: data, mountPath: /data }] }] }
  volumeClaimTemplates:
    - metadata: { name: data }
      spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
`;
  expect(read(text).problems).toEqual([]);
});

test('reports a volume in memory that may hold more than its containers', () => {
  const shm = (sizeLimit: string) =>
    `  volumes: [{ name: shm, emptyDir: { medium: Memory, sizeLimit: ${sizeLimit} } }]\n`;
  const container = (resources: string) =>
    `volumeMounts: [{ name: shm, mountPath: /dev/shm }], resources: { ${resources} }`;
  const text = pod(
    `  containers: [{ name: main, image: app, ${container('limits: { memory: 1Gi }')} }]\n${shm('2Gi')}`,
  );
  expect(read(text).problems).toMatchObject([
    {
      severity: 'warning',
      message: expect.stringMatching(
        /^spec\.volumes\[0\]\.emptyDir\.sizeLimit: must be below the memory limit of container main, which is 1Gi: /,
      ),
      remedy: 'write limits.memory: 3Gi for the container, which holds both, or a smaller sizeLimit',
    },
  ]);
  expect(messages(container('requests: { memory: 1Gi }'), shm('2Gi'))).toEqual([]);
  expect(messages(container('limits: { memory: 2Gi }'), shm('2Gi'))).toEqual([]);
  expect(messages('resources: { limits: { memory: 1Gi } }', shm('2Gi'))).toEqual([]);
});

test('rejects a volume with two sources, and a medium that the kubelet does not know', () => {
  const volumes = '  volumes: [{ name: a, emptyDir: { medium: memory }, configMap: { name: x } }, { name: a }]\n';
  expect(messages('', volumes)).toEqual([
    'spec.volumes[0].configMap: must not be set beside emptyDir, because a volume has one source, got {"name":"x"}; keep one of them, or write a volume for each',
    'spec.volumes[0].emptyDir.medium: must be Memory or HugePages: the kubelet knows no other medium, and the pod does not start, got "memory"; write Memory',
    'spec.volumes[1].name: must not be the name of another volume of the pod, got "a"; write another name, or remove one',
  ]);
});

test('rejects a sleep action above the grace period, as the API server does, and accepts an equal one', () => {
  const hook = 'lifecycle: { preStop: { sleep: { seconds: 60 } } }';
  expect(messages(hook)).toEqual([
    `${MAIN}.lifecycle.preStop.sleep.seconds: must be at most terminationGracePeriodSeconds, which is 30, got 60; write terminationGracePeriodSeconds: 90, which leaves 30 s after the hook, or a shorter hook`,
  ]);
  expect(messages(hook, '  terminationGracePeriodSeconds: 60\n')).toEqual([]);
});

test('rejects a probe without a handler or with two, and a port in quotes', () => {
  const probe = (text: string) => messages(`livenessProbe: { ${text} }`);
  expect(probe('periodSeconds: 5, successThreshold: 2')).toEqual([
    `${MAIN}.livenessProbe: must have exec, httpGet, tcpSocket or grpc, got {"periodSeconds":5,"successThreshold":2}; add one of them, or remove the probe`,
    `${MAIN}.livenessProbe.successThreshold: must be 1 in a livenessProbe, got 2; write 1, or remove it`,
  ]);
  expect(probe('exec: { command: [x] }, httpGet: { port: "80" }')).toEqual([
    `${MAIN}.livenessProbe.httpGet: must not be set beside exec, because a probe has one handler, got {"port":"80"}; keep one of them`,
    `${MAIN}.livenessProbe.httpGet.port: must be a number, or the name of a port, got "80" (a string); write 80, without quotes`,
  ]);
});

test('reports a port of a probe that the container does not have', () => {
  const ports = 'ports: [{ name: http, containerPort: 80 }]';
  const severities = (probe: string) => {
    const text = pod(`  containers: [{ name: main, image: app, ${ports}, ${probe}: { httpGet: { port: htp } } }]\n`);
    return read(text).problems.map(({ severity, remedy }) => `${severity} ${remedy}`);
  };
  expect(severities('readinessProbe')).toEqual(['error write http']);
  expect(severities('livenessProbe')).toEqual(['warning write http']);
});

test('rejects names of ports, host ports and values that contradict others', () => {
  const ports =
    'ports: [{ name: Admin_port, containerPort: 1 }, { name: a, containerPort: 80, hostPort: 8080 }, { name: a, containerPort: 2 }]';
  const env = 'env: [{ name: A, value: x, valueFrom: { fieldRef: { fieldPath: metadata.name } } }]';
  expect(messages(`${ports}, ${env}`, '  hostNetwork: true\n').map((message) => message.replace(/.*; /, ''))).toEqual([
    'write a shorter name, such as http',
    'write 80',
    'write another name',
    'keep one of them',
  ]);
  expect(messages('ports: [{ containerPort: 80, hostPort: 0 }]', '  hostNetwork: true\n')).toEqual([]);
});

describe('fields of Jobs', () => {
  const job = (fields: string, kind = 'Job', name = 'load') => {
    const template = 'template: { spec: { restartPolicy: Never, containers: [{ name: main, image: app }] } }';
    const spec = kind === 'Job' ? `{ ${fields}${template} }` : `{ ${fields}jobTemplate: { spec: { ${template} } } }`;
    const text = `apiVersion: batch/v1\nkind: ${kind}\nmetadata: { name: ${name} }\nspec: ${spec}\n`;
    return read(text).problems.map(({ message, remedy }) => `${message.replace(/^(\S+).*/, '$1')} ${remedy}`);
  };

  test('an Indexed Job needs completions, and a Job has no selector of its own', () => {
    expect(job('completionMode: Indexed, parallelism: 4, selector: { matchLabels: { app: x } }, ')).toEqual([
      'spec.completions: write the number of indexes, for example completions: 4',
      'spec.selector: remove it',
    ]);
    expect(job('selector: { matchLabels: { controller-uid: x } }, ')).toEqual([]);
    expect(job('backoffLimitPerIndex: 1, ')).toEqual([
      'spec.backoffLimitPerIndex: write backoffLimit, or completionMode: Indexed with completions',
    ]);
  });

  test('a CronJob has a schedule of five fields, and a short name', () => {
    const schedule = (text: string, name?: string) => job(`schedule: "${text}", `, 'CronJob', name);
    expect(schedule('0 0 3 * * ?')).toEqual(['spec.schedule: write "0 3 * * *"']);
    expect(schedule('0 3 * * 7')).toEqual(['spec.schedule: write "0 3 * * sun"']);
    expect(schedule('TZ=Europe/Paris 0 3 * * *')).toEqual([
      'spec.schedule: write schedule: "0 3 * * *" and timeZone: Europe/Paris',
    ]);
    expect(schedule('@every 1h')).toEqual([]);
    const zone = (name: string) => job(`schedule: "@daily", timeZone: "${name}", `, 'CronJob');
    expect(zone('Europe/Munich')).toEqual(['spec.timeZone: write Europe/Berlin']);
    expect(zone('europe/vienna')).toEqual(['spec.timeZone: write Europe/Vienna']);
    expect([zone('UTC+2'), zone('')].flat()).toEqual([
      'spec.timeZone: write an area and a city, such as Europe/Berlin',
      'spec.timeZone: remove it',
    ]);
    expect(['UTC', 'Etc/GMT-2', 'EST5EDT', 'Asia/Calcutta', 'Asia/Ho_Chi_Minh'].flatMap(zone)).toEqual([]);
    expect(schedule('@daily', 'x'.repeat(53))).toEqual(['metadata.name: write a shorter name']);
  });
});

describe('terms of affinities without the field around them', () => {
  const remedies = (affinity: string) =>
    messages('', `  affinity: ${affinity}\n`).map((message) => message.replace(/^.*\.(\w+.*?): .*; /, '$1: '));
  const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
  const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';
  const EXPRESSIONS = 'matchExpressions: [{ key: a, operator: Exists }]';

  test('are said once, with the form that the API server takes', () => {
    expect(remedies(`{ podAntiAffinity: { ${PREFERRED}: [{ topologyKey: zone, labelSelector: {} }] } }`)).toEqual([
      `${PREFERRED}[0]: write weight: 100 and podAffinityTerm: with topologyKey and labelSelector below it`,
    ]);
    expect(remedies(`{ nodeAffinity: { ${PREFERRED}: [{ weight: 5, ${EXPRESSIONS} }] } }`)).toEqual([
      `${PREFERRED}[0]: write weight: 5 and preference: with matchExpressions below it`,
    ]);
    for (const terms of [`[{ ${EXPRESSIONS} }]`, `{ ${EXPRESSIONS} }`])
      expect(remedies(`{ nodeAffinity: { ${REQUIRED}: ${terms} } }`)).toEqual([
        `${REQUIRED}: write nodeSelectorTerms: with the terms in a list below it`,
      ]);
  });

  test('are no misspelt fields', () => {
    expect(remedies(`{ podAntiAffinity: { ${PREFERRED}: [{ weight: 1, podAfinityTerm: {} }] } }`)[0]).toBe(
      'podAfinityTerm: write podAffinityTerm',
    );
  });
});

test('joins the entries that are not indented below an empty map', () => {
  const text = (spec: string) =>
    `apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: web }\nspec:\n  selector: { matchLabels: { app: web } }\n  template:\n    metadata:\n      labels: { app: web }\n    spec:\n${spec}      containers: [{ name: main, image: app }]\n`;
  const found = (spec: string) => read(text(spec)).problems.map(({ message, remedy }) => `${message}; ${remedy}`);
  expect(found('      nodeSelector:\n      workload: batch\n      acme.io/pool: x\n')).toEqual([
    expect.stringMatching(
      /^spec.template.spec.workload: is no field .*nodeSelector before it is empty: workload and acme.io\/pool look like its entries.*; indent workload and acme.io\/pool below nodeSelector$/,
    ),
  ]);
  expect(found('      app.kubernetes.io/name: web\n')).toEqual([
    expect.stringMatching(/^spec.template.spec\["app.kubernetes.io\/name"\]: is no field .*; remove it$/),
  ]);
  const spread = text('').replace(
    '      labels: { app: web }\n',
    '      labels:\n    app: web\n    app.kubernetes.io/name: web\n',
  );
  expect(read(spread).problems.map(({ remedy }) => remedy)).toContain(
    'indent app and app.kubernetes.io/name below labels',
  );
});

test('writes the labels of the selector into the template', () => {
  const text = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  selector: { matchLabels: { app: web } }
  template: { metadata: { labels: { app: frontend } }, spec: { containers: [{ name: main, image: app }] } }
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: { name: web }
spec: { maxUnavailable: 1, selector: { matchLabels: { app: web } } }
`;
  expect(read(text).problems.map(({ remedy }) => remedy)).toEqual([
    'write app: web in spec.template.metadata.labels, too',
  ]);
});

test('reports a misspelt key of matchLabelKeys, which the scheduler ignores', () => {
  const spread = (key: string) =>
    `  topologySpreadConstraints: [{ maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule, labelSelector: {}, matchLabelKeys: [${key}] }]\n`;
  const found = (key: string) =>
    read(`${pod(CONTAINER + spread(key)).replace('  name: web', '  name: web\n  labels: { release: a }')}`).problems;
  expect(found('relaese').map(({ severity, remedy }) => [severity, remedy])).toEqual([['warning', 'write release']]);
  expect([found('release'), found('track')]).toEqual([[], []]);
});
