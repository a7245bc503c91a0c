import { CONTAINER, onlyWorkload, pod, problems, read } from './manifests';
import { formatAmount } from '../../../src/model';

function requests(spec: string): Record<string, string> {
  const { shape } = onlyWorkload(pod(spec));
  return Object.fromEntries([...shape!.requests].map(([name, amount]) => [name, formatAmount(name, amount)]));
}

const template = (spec: string) =>
  `  template:\n    metadata: { labels: { app: web } }\n    spec:\n${spec.replace(/^/gm, '    ')}`;

function workload(kind: string, fields: string, apiVersion = 'apps/v1'): string {
  const selector =
    apiVersion === 'apps/v1' && !fields.includes('selector:') ? '  selector: { matchLabels: { app: web } }\n' : '';
  return `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: { name: web, namespace: shop }\nspec:\n${selector}${fields}${template(CONTAINER)}\n`;
}

test.each([
  ['Job', '', 'web'],
  ['CronJob', '  schedule: "@daily"\n', 'web-run'],
])('pods of a %s have the job-name labels', (kind, fields, job) => {
  const text =
    kind === 'Job'
      ? workload(kind, fields, 'batch/v1')
      : `apiVersion: batch/v1\nkind: CronJob\nmetadata: { name: web }\nspec:\n${fields}  jobTemplate:\n    spec:\n${template(CONTAINER).replace(/^/gm, '    ')}\n`;
  expect(onlyWorkload(text).shape!.labels).toEqual({
    app: 'web',
    'job-name': job,
    'batch.kubernetes.io/job-name': job,
  });
});

describe('a warning about memory of few bytes', () => {
  const warnings = (resource: string, amount: string) =>
    read(
      pod(`  containers: [{ name: main, image: app, resources: { requests: { ${resource}: ${amount} } } }]\n`),
    ).problems.map(({ severity, message, remedy }) => `${severity} ${message.replace(/^.*?: /, '')}; ${remedy}`);

  test.each([
    [
      '512m',
      'warning is 1 byte, because m is a thousandth; it looks like Mi, which is 2^20 bytes, got "512m"; write 512Mi',
    ],
    [
      '"800"',
      'warning is 800 bytes, because it has no unit, and no container runs with so few, got "800"; write 800Mi',
    ],
    ['2', 'warning is 2 bytes, because it has no unit, and no container runs with so few, got 2; write 2Gi'],
  ])('%s', (memory, warning) => {
    expect(warnings('memory', memory)).toEqual([warning]);
  });

  // Vertical Pod Autoscaler writes thousandths of a byte.
  test.each([
    ['memory', '512Mi'],
    ['memory', '0'],
    ['memory', '1073741824'],
    ['memory', '107374182400m'],
    ['cpu', '512m'],
    ['cpu', '2'],
  ])('no warning about %s of %s', (resource, amount) => {
    expect(warnings(resource, amount)).toEqual([]);
  });
});

describe('CPUs in a unit of memory', () => {
  const found = (resources: string) =>
    read(pod(`  containers: [{ name: main, image: app, resources: ${resources} }]\n`)).problems.map(
      ({ severity, message, remedy }) => `${severity} ${message.replace(/^.*?: /, '')}; ${remedy}`,
    );

  test.each([
    ['2Gi', '2,147,483,648 CPUs, because Gi', '2'],
    ['1.5Gi', '1,610,612,736 CPUs, because Gi', '1.5'],
    ['200Mi', '209,715,200 CPUs, because Mi', '200m'],
    ['1Mi', '1,048,576 CPUs, because Mi', '1'],
  ])('%s', (cpu, cpus, meant) => {
    expect(found(`{ requests: { cpu: ${cpu}, memory: 1Gi } }`)).toEqual([
      `error is ${cpus} is a unit of memory, got "${cpu}"; write cpu: ${meant}`,
    ]);
  });

  test.each(['500m', '2'])('are exchanged with memory of %s', (memory) => {
    expect(found(`{ requests: { cpu: 4Gi, memory: ${memory} } }`)).toEqual([
      `error is 4,294,967,296 CPUs, because Gi is a unit of memory, and the memory beside it is an amount of CPU: the two are exchanged, got "4Gi"; write cpu: ${memory} and memory: 4Gi`,
    ]);
  });

  test('are one finding if they are above the limit, and a warning as a limit', () => {
    expect(found('{ requests: { cpu: 2Gi }, limits: { cpu: 4 } }')).toHaveLength(1);
    expect(found('{ requests: { cpu: 1 }, limits: { cpu: 4Gi } }')).toEqual([
      'warning is 4,294,967,296 CPUs, because Gi is a unit of memory, got "4Gi"; write cpu: 4',
    ]);
  });
});

describe('readWorkload rejects', () => {
  const messagesWithRemedies = (text: string) =>
    read(text).problems.map(({ message, remedy }) => `${message}; ${remedy}`);

  test.each([
    ['-3', 'must be an integer of 0 or more, got -3; write an integer of 0 or more'],
    ['2.5', 'must be an integer of 0 or more, got 2.5; write an integer of 0 or more'],
    ['"3"', 'must be an integer of 0 or more, got "3" (a string); write the number without quotes'],
    ['99999999999', 'must be at most 2147483647, got 99999999999; write a smaller number'],
  ])('replicas of %s', (replicas, problem) => {
    expect(messagesWithRemedies(workload('Deployment', `  replicas: ${replicas}\n`))).toEqual([
      `spec.replicas: ${problem}`,
    ]);
  });

  test('labels and annotations that YAML reads as numbers or booleans, but no empty value', () => {
    const metadata = '{ labels: { app: web, version: 1.10, empty: }, annotations: { prometheus.io/scrape: true } }';
    expect(messagesWithRemedies(workload('Deployment', '').replace('{ labels: { app: web } }', metadata))).toEqual([
      'spec.template.metadata.labels.version: must be a string, got 1.1; put the value in quotes',
      'spec.template.metadata.annotations["prometheus.io/scrape"]: must be a string, got true; put the value in quotes',
    ]);
  });

  test('unknown fields, but still reads the pods', () => {
    const misspelt = workload('Deployment', '  replica: 2\n');
    expect(messagesWithRemedies(misspelt)).toEqual([
      'spec.replica: is no field of the API, and is dropped by clients that do not refuse it; write replicas',
    ]);
    expect(onlyWorkload(misspelt).shape).toBeDefined();
  });

  test('a missing name', () => {
    const model = read(workload('Job', '', 'batch/v1').replace('name: web,', 'labels: {},'));
    expect(model.problems.map(({ severity, message }) => [severity, message])).toEqual([
      ['error', 'metadata.name: must be a string; the object is not checked'],
    ]);
  });

  test('no Job with generateName: each is a workload of its own', () => {
    const job = workload('Job', '', 'batch/v1').replace('name: web,', 'generateName: web-,');
    const model = read(`${job}---\n${job}`);
    expect(model.problems).toEqual([]);
    expect(model.workloads.map(({ name }) => name)).toEqual(['web', 'web-2']);
  });

  test.each(['Web', 'wéb', 'my_app', 'web-'])('the name %s', (name) => {
    const [problem] = messagesWithRemedies(workload('Deployment', '').replace('name: web', `name: ${name}`));
    expect(problem).toBe(
      `metadata.name: must be a DNS name, got "${name}"; write lower-case letters, digits, "-" and ".", with a letter or digit at ` +
        'both ends, at most 253 characters',
    );
  });
});

describe('readEffectiveRequests', () => {
  test('adds the requests of the containers', () => {
    expect(
      requests(`
  containers:
  - resources: { requests: { cpu: 100m, memory: 1Gi } }
  - resources: { requests: { cpu: 1, memory: 512Mi } }
`),
    ).toEqual({ cpu: '1100m', memory: '1536Mi' });
  });

  test('uses limits for missing requests', () => {
    expect(
      requests('  containers: [{ resources: { limits: { cpu: 2, memory: 1Gi }, requests: { cpu: 500m } } }]\n'),
    ).toEqual({ cpu: '500m', memory: '1Gi' });
  });

  test('uses the largest init container if it requests more', () => {
    expect(
      requests(`
  initContainers:
  - resources: { requests: { cpu: 3, memory: 1Gi } }
  - resources: { requests: { cpu: 1, memory: 4Gi } }
  containers: [{ resources: { requests: { cpu: 2, memory: 2Gi } } }]
`),
    ).toEqual({ cpu: '3', memory: '4Gi' });
  });

  test('adds sidecars to the containers and to the init containers that start after them', () => {
    expect(
      requests(`
  initContainers:
  - resources: { requests: { cpu: 2 } }
  - { restartPolicy: Always, resources: { requests: { cpu: 1 } } }
  - resources: { requests: { cpu: 2500m } }
  containers: [{ resources: { requests: { cpu: 500m } } }]
`),
    ).toEqual({ cpu: '3500m' });
  });

  test('prefers pod-level requests, and uses pod-level limits for resources without requests', () => {
    expect(
      requests(`
  resources: { requests: { cpu: 4 }, limits: { cpu: 8, memory: 2Gi } }
  containers: [{ resources: { requests: { cpu: 500m, ephemeral-storage: 1Gi } } }]
`),
    ).toEqual({ cpu: '4', memory: '2Gi', 'ephemeral-storage': '1Gi' });
  });

  test('keeps container requests if the pod has only a limit', () => {
    expect(
      requests(
        '  resources: { limits: { memory: 2Gi } }\n  containers: [{ resources: { requests: { memory: 1Gi } } }]\n',
      ),
    ).toEqual({ memory: '1Gi' });
  });

  test('adds the overhead', () => {
    expect(
      requests(
        '  overhead: { cpu: 250m }\n  runtimeClassName: kata\n  containers: [{ resources: { requests: { cpu: 1 } } }]\n',
      ),
    ).toEqual({ cpu: '1250m' });
  });

  test('rounds up to thousandths of a core and of a byte', () => {
    expect(requests('  containers: [{ resources: { requests: { cpu: 100u, memory: 1500001u } } }]\n')).toEqual({
      cpu: '1m',
      memory: '1501m',
    });
  });

  test.each([
    ['requests: { cpu: "1O0m" }', 'spec.containers[0].resources.requests.cpu', /not a Kubernetes quantity, got "1O0m"/],
    ['requests: { memory: 1e400 }', 'spec.containers[0].resources.requests.memory', /out of range, got "1e400"/],
    ['requests: { cpu: -1 }', 'spec.containers[0].resources.requests.cpu', /must be 0 or more, got -1/],
    ['requests: { cpu: [] }', 'spec.containers[0].resources.requests.cpu', /must be a quantity, got \[\]/],
    ['requests: { mem: 1Gi }', 'spec.containers[0].resources.requests.mem', /is not a resource of containers/],
    [
      'requests: { cpu: 2 }, limits: { cpu: 1 }',
      'spec.containers[0].resources.requests.cpu',
      /must be at most the limit \(1\), got "2"/,
    ],
    [
      'requests: { nvidia.com/gpu: 1 }',
      'spec.containers[0].resources.requests["nvidia.com/gpu"]',
      /must be equal to the limit of nvidia.com\/gpu/,
    ],
    [
      'limits: { nvidia.com/gpu: 500m }',
      'spec.containers[0].resources.limits["nvidia.com/gpu"]',
      /must be a whole number/,
    ],
    ['requests: 3', 'spec.containers[0].resources.requests', /must be an object, got 3/],
  ])('rejects %s', (resources, path, message) => {
    const model = read(pod(`  containers: [{ resources: { ${resources} } }]\n`));
    expect(model.problems).toMatchObject([
      { rule: 'KARP-100', severity: 'error', message: expect.stringMatching(message), location: { line: 6, path } },
    ]);
    expect(model.workloads[0]).toMatchObject({ shape: undefined });
    expect(model.workloads[0].group).toBeUndefined();
  });
});

describe('readWorkload', () => {
  test.each([
    ['Deployment', '  replicas: 3\n', 'apps/v1', 3],
    ['Deployment', '', 'apps/v1', 1],
    ['Deployment', '  replicas: null\n', 'apps/v1', 1],
    ['ReplicaSet', '  replicas: 2\n', 'apps/v1', 2],
    ['StatefulSet', '  replicas: 0\n', 'apps/v1', 0],
    ['DaemonSet', '', 'apps/v1', 0],
    ['Job', '  parallelism: 5\n  completions: 2\n', 'batch/v1', 2],
    ['Job', '  completions: 9\n', 'batch/v1', 1],
    ['Job', '  suspend: true\n', 'batch/v1', 0],
  ])('reads the replicas of a %s with "%s"', (kind, fields, apiVersion, replicas) => {
    expect(onlyWorkload(workload(kind, fields, apiVersion))).toMatchObject({
      kind,
      replicas,
      namespace: 'shop',
      name: 'web',
      podLabels: { app: 'web' },
    });
  });

  test('reads the pods of one run of a CronJob', () => {
    const text =
      'apiVersion: batch/v1\nkind: CronJob\nmetadata: { name: nightly }\nspec:\n  jobTemplate:\n    spec:\n      parallelism: 4\n      template:\n        spec: { containers: [{ name: a }] }\n';
    expect(onlyWorkload(text)).toMatchObject({
      replicas: 4,
      namespace: 'default',
      podPath: ['spec', 'jobTemplate', 'spec', 'template', 'spec'],
      group: 0,
    });
  });

  test.each([
    ['spec:\n  suspend: true\n', ''],
    ['spec:\n', '      suspend: true\n'],
  ])('reads 0 replicas of a suspended CronJob or Job: %j', (cronJob, job) => {
    const text = `apiVersion: batch/v1\nkind: CronJob\nmetadata: { name: nightly }\n${cronJob}  jobTemplate:\n    spec:\n${job}      template:\n        spec: { containers: [{ name: a }] }\n`;
    expect(onlyWorkload(text)).toMatchObject({ replicas: 0 });
  });

  test('sets group only if there are pods to place', () => {
    const model = read(
      [
        workload('DaemonSet', ''),
        workload('Deployment', '  replicas: 0\n'),
        workload('StatefulSet', ''),
        workload('Job', '', 'batch/v1'),
      ].join('---\n'),
    );
    expect(model.workloads.map(({ kind, group }) => [kind, group])).toEqual([
      ['DaemonSet', undefined],
      ['Deployment', undefined],
      ['StatefulSet', 0],
      ['Job', 1],
    ]);
  });

  test.each(['three', '-1', '1.5', '"3"'])('rejects replicas: %s', (replicas) => {
    expect(problems(read(workload('Deployment', `  replicas: ${replicas}\n`)))).toEqual([
      expect.stringContaining('KARP-100 spec.replicas: must be an integer of 0 or more'),
    ]);
  });

  test.each([
    [
      'template',
      'apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: web }\nspec: {}\n',
      'spec.template: must be set',
    ],
    ['spec', 'apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: web }\n', 'spec: must be set'],
    ['container', pod('  containers: []\n'), 'spec.containers: must not be empty, got []'],
  ])('rejects a workload without %s', (_, text, message) => {
    expect(problems(read(text))).toEqual([expect.stringContaining(message)]);
  });

  test('leaves out objects that another object of the input owns', () => {
    const owned = (kind: string, owner: string, ownerName: string, name: string) =>
      `apiVersion: ${kind === 'Pod' ? 'v1' : 'apps/v1'}\nkind: ${kind}\nmetadata: { name: ${name}, namespace: shop, ownerReferences: [{ kind: ${owner}, name: ${ownerName}, controller: true }] }\nspec: {}\n`;
    const model = read(
      [
        workload('Deployment', ''),
        owned('ReplicaSet', 'Deployment', 'web', 'web-1'),
        owned('Pod', 'ReplicaSet', 'web-1', 'web-1-a'),
        owned('Pod', 'DaemonSet', 'gone', 'd'),
      ].join('---\n'),
    );
    expect(model.workloads.map(({ kind }) => kind)).toEqual(['Deployment']);
    expect(model.objects).toHaveLength(4);
  });

  test('leaves out completed pods', () => {
    expect(read(`${pod(CONTAINER)}status: { phase: Succeeded }\n`).workloads).toEqual([]);
  });
});

describe('constraints of a pod', () => {
  test('are read as they are written', () => {
    const { shape } = onlyWorkload(
      pod(`${CONTAINER}  nodeSelector: { team: a }
  tolerations: [{ key: gpu, operator: Exists, effect: NoSchedule }]
  affinity:
    nodeAffinity:
      requiredDuringSchedulingIgnoredDuringExecution:
        nodeSelectorTerms:
        - matchExpressions: [{ key: size, operator: Gt, values: ["3"] }]
        - matchExpressions: [{ key: size, operator: DoesNotExist }]
      preferredDuringSchedulingIgnoredDuringExecution:
      - weight: 7
        preference: { matchExpressions: [{ key: zone, operator: In, values: [a, b] }] }
`),
    );
    expect(shape).toMatchObject({
      nodeSelector: { team: 'a' },
      tolerations: [{ key: 'gpu', operator: 'Exists', effect: 'NoSchedule' }],
      requiredNodeAffinity: [
        { matchExpressions: [{ key: 'size', operator: 'Gt', values: ['3'] }] },
        { matchExpressions: [{ key: 'size', operator: 'DoesNotExist', values: [] }] },
      ],
      preferredNodeAffinity: [
        { weight: 7, term: { matchExpressions: [{ key: 'zone', operator: 'In', values: ['a', 'b'] }] } },
      ],
      notEvaluated: [],
    });
  });

  test.each([
    ['nodeSelector: { dedicated: yes }', 'spec.nodeSelector.dedicated: must be a string, got true'],
    ['nodeSelector: { version: 1.20 }', 'spec.nodeSelector.version: must be a string, got 1.2'],
    ['nodeSelector: { "bad key": a }', 'spec.nodeSelector["bad key"]: must be a label key, got "bad key"'],
    ['nodeSelector: { a: "x y" }', 'spec.nodeSelector.a: must be a label value, got "x y"'],
    ['nodeSelector: [a]', 'spec.nodeSelector: must be an object, got ["a"]'],
    ['tolerations: { key: a }', 'spec.tolerations: must be a list, got {"key":"a"}'],
    ['tolerations: [{ value: a }]', 'spec.tolerations[0].operator: must be Exists if there is no key, got nothing'],
    [
      'tolerations: [{ key: a, operator: exists }]',
      'spec.tolerations[0].operator: must be one of Exists, Equal, Lt or Gt, got "exists"',
    ],
    [
      'tolerations: [{ key: a, operator: Exists, tolerationSeconds: 5 }]',
      'spec.tolerations[0].tolerationSeconds: requires the effect NoExecute, got 5',
    ],
    [
      'tolerations: [{ key: a, operator: Exists, effect: NoExecute, tolerationSeconds: x }]',
      'spec.tolerations[0].tolerationSeconds: must be an integer of 0 or more, got "x"',
    ],
    [
      'tolerations: [{ key: a, operator: Exists, value: b }]',
      'spec.tolerations[0].value: must be empty with the operator Exists, got "b"',
    ],
  ])('reject %s', (field, message) => {
    expect(problems(read(pod(`${CONTAINER}  ${field}\n`)))).toEqual([expect.stringContaining(message)]);
  });

  test.each([
    ['key: a, operator: Exists, effect: NoSchedule', 'remove tolerationSeconds'],
    ['key: node.kubernetes.io/unreachable, operator: Exists', 'write effect: NoExecute'],
  ])('keep a toleration that requires no seconds: %s', (toleration, remedy) => {
    const text = pod(`${CONTAINER}  tolerations: [{ ${toleration}, tolerationSeconds: 5 }]\n`);
    expect(read(text).problems.map((finding) => finding.remedy)).toEqual([remedy]);
  });

  test.each([
    [
      '{ key: a, operator: Gte, values: ["3"] }',
      'operator: must be one of In, NotIn, Exists, DoesNotExist, Gt or Lt, got "Gte"',
    ],
    ['{ key: a, operator: In }', 'values: must not be empty with the operator In, got nothing'],
    ['{ key: a, operator: Exists, values: [b] }', 'values: must be empty with the operator Exists, got ["b"]'],
    [
      '{ key: a, operator: Gt, values: ["x"] }',
      'values: must be one integer of 0 or more, in quotes, with the operator Gt, got ["x"]',
    ],
    ['{ key: a, operator: In, values: [3] }', 'values[0]: must be a string, got 3'],
    ['{ key: a, operator: In, values: [b, "c,d"] }', 'values[1]: must be one label value, not several, got "c,d"'],
    ['{ key: a, operator: In, values: "c" }', 'values: must be a list, got "c"'],
  ])('reject the expression %s', (expression, message) => {
    const affinity = `  affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [${expression}] }] } } }\n`;
    expect(problems(read(pod(CONTAINER + affinity)))[0]).toContain(message);
  });
});

test.each([
  ['  resourceClaims: [{ name: gpu }]\n  containers: [{}]\n', true],
  ['  containers: [{ resources: { claims: [{ name: gpu }] } }]\n', true],
  ['  initContainers: [{ resources: { claims: [{ name: gpu }] } }]\n  containers: [{}]\n', true],
  ['  containers: [{ resources: { requests: { cpu: 1 } } }]\n', undefined],
])('resource claims are found in %j', (spec, resourceClaims) => {
  expect(onlyWorkload(pod(spec)).shape!.resourceClaims).toBe(resourceClaims);
});

describe('a pod is not evaluated', () => {
  test.each([
    ['nodeName: ip-10-0-0-1', 'a fixed node (nodeName)'],
    ['schedulingGates: [{ name: a }]', 'scheduling gates'],
  ])('with %s', (field, what) => {
    expect(onlyWorkload(pod(`${CONTAINER}  ${field}\n`)).shape!.notEvaluated).toEqual([what]);
  });

  test.each([
    [
      'affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchFields: [{ key: metadata.name, operator: In, values: [a] }] }] } } }',
      'node selector term with matchFields is not supported',
    ],
  ])('and Karpenter ignores it with %s', (field, message) => {
    expect(onlyWorkload(pod(`${CONTAINER}  ${field}\n`)).shape!.ignored).toBe(message);
  });

  test.each([
    [
      '  containers: [{ resources: { requests: { cpu: "${Token[TOKEN.12]}" } } }]\n',
      'spec.containers[0].resources.requests.cpu, which is known only at deployment',
    ],
    [
      `${CONTAINER}  nodeSelector: { team: "\${Token[TOKEN.3]}" }\n`,
      'spec.nodeSelector.team, which is known only at deployment',
    ],
    [`${CONTAINER}  tolerations: ["#{Token[TOKEN.3]}"]\n`, 'spec.tolerations[0], which is known only at deployment'],
    [
      '  containers: [{ resources: { requests: { memory: -1.8881545897087503e+289 } } }]\n',
      'spec.containers[0].resources.requests.memory, which is known only at deployment',
    ],
  ])('with a CDK token in %j', (spec, what) => {
    const model = read(pod(spec));
    expect(model.problems).toEqual([]);
    expect(model.workloads[0].shape!.notEvaluated).toEqual([what]);
  });

  test('if its replicas are a token', () => {
    expect(onlyWorkload(workload('Deployment', '  replicas: -1.8881545897087626e+289\n')).shape!.notEvaluated).toEqual([
      'spec.replicas, which is known only at deployment',
    ]);
  });
});

describe('fields that the API server refuses together', () => {
  const updating = (kind: string, field: string, update: string) =>
    problems(
      read(workload(kind, `  selector: { matchLabels: { app: web } }\n  ${field}: { rollingUpdate: ${update} }\n`)),
    );
  const restarting = (kind: string, policy: string) =>
    problems(
      read(
        workload(kind, '', kind === 'Job' ? 'batch/v1' : 'apps/v1').replace(
          '      containers',
          `      restartPolicy: ${policy}\n      containers`,
        ),
      ),
    ).filter((text) => text.includes('restartPolicy'));

  test('are an update without a pod more or less, and two ways to update a DaemonSet', () => {
    expect(updating('Deployment', 'strategy', '{ maxSurge: 0, maxUnavailable: 0% }')).toEqual([
      expect.stringContaining('spec.strategy.rollingUpdate.maxSurge: must not be 0 beside maxUnavailable: 0'),
    ]);
    expect(updating('Deployment', 'strategy', '{ maxSurge: 1, maxUnavailable: 0 }')).toEqual([]);
    expect(updating('DaemonSet', 'updateStrategy', '{ maxUnavailable: 0 }')).toEqual([
      expect.stringContaining('maxUnavailable: must not be 0 if maxSurge is 0'),
    ]);
    expect(updating('DaemonSet', 'updateStrategy', '{ maxSurge: 10% }')).toEqual([
      expect.stringContaining('maxUnavailable: must be 0 if maxSurge is set'),
    ]);
    expect(updating('DaemonSet', 'updateStrategy', '{ maxSurge: 1, maxUnavailable: 0 }')).toEqual([]);
    expect(updating('DaemonSet', 'updateStrategy', '{ maxUnavailable: 0 }, type: OnDelete')).toEqual([]);
  });

  test('are restart policies of other kinds', () => {
    expect(restarting('Deployment', 'Never')).toEqual([expect.stringContaining('must be Always in a Deployment')]);
    expect(restarting('Job', 'Always')).toEqual([expect.stringContaining('must be OnFailure or Never in a Job')]);
    expect(['Never', 'OnFailure'].flatMap((policy) => restarting('Job', policy))).toEqual([]);
  });

  test('are deadlines of a rollout below the time until pods are available', () => {
    const deadline = (fields: string) =>
      problems(read(workload('Deployment', `  selector: { matchLabels: { app: web } }\n${fields}`)));
    expect(deadline('  minReadySeconds: 600\n')).toEqual([
      expect.stringContaining('spec.progressDeadlineSeconds: must be greater than minReadySeconds, which is 600'),
    ]);
    expect(deadline('  minReadySeconds: 600\n  progressDeadlineSeconds: 900\n')).toEqual([]);
  });
});

describe('checkSelector', () => {
  const selecting = (kind: string, selector: string, labels = '{ app: web }') =>
    problems(read(workload(kind, `  selector: ${selector}\n`).replace(/labels: .*/, `labels: ${labels} }`)));

  test.each(['Deployment', 'StatefulSet', 'ReplicaSet', 'DaemonSet'])(
    'rejects a %s whose selector does not select its template',
    (kind) => {
      expect(selecting(kind, '{ matchLabels: { app: web } }')).toEqual([]);
      expect(selecting(kind, '{ matchExpressions: [{ key: app, operator: In, values: [web, api] }] }')).toEqual([]);
      for (const empty of ['{}', '{ matchLabels: {} }', '']) {
        expect(selecting(kind, empty)).toEqual([
          expect.stringContaining('spec.selector: must select the pods of its own template, got'),
        ]);
      }
      expect(selecting(kind, '{ matchLabels: { app: api } }')).toEqual([
        expect.stringContaining(
          'spec.selector: must select the pods of its own template: {"app":"web"}, got {"matchLabels":{"app":"api"}}',
        ),
      ]);
    },
  );

  test('ignores selectors with placeholders or tokens', () => {
    expect(selecting('Deployment', '{ matchLabels: { app: "${APP}" } }')).toEqual([]);
    expect(selecting('Deployment', '{ matchLabels: { app: api } }', '{ app: "{{ .Values.app }}" }')).toEqual([]);
    expect(selecting('Deployment', '{ matchLabels: { app: "${Token[TOKEN.3]}" } }')).toEqual([]);
  });
});

describe('readDaemonPodShape', () => {
  const effects = (hostNetwork: boolean) =>
    onlyWorkload(
      workload('DaemonSet', '').replace('      containers', `      hostNetwork: ${hostNetwork}\n      containers`),
    ).shape!.tolerations.map(({ key, effect }) => `${key}:${effect}`);

  test('adds the tolerations of the DaemonSet controller', () => {
    expect(effects(false)).toEqual([
      'node.kubernetes.io/not-ready:NoExecute',
      'node.kubernetes.io/unreachable:NoExecute',
      'node.kubernetes.io/disk-pressure:NoSchedule',
      'node.kubernetes.io/memory-pressure:NoSchedule',
      'node.kubernetes.io/pid-pressure:NoSchedule',
      'node.kubernetes.io/unschedulable:NoSchedule',
    ]);
    expect(effects(true)).toContain('node.kubernetes.io/network-unavailable:NoSchedule');
  });

  test('ignores volumes and other features that do not matter for DaemonSets', () => {
    const text = workload('DaemonSet', '').replace(
      '      containers: [{ name: main }]',
      '      containers: [{ name: main, ports: [{ hostPort: 1 }] }]\n      volumes: [{ persistentVolumeClaim: {} }]',
    );
    expect(onlyWorkload(text).shape!.notEvaluated).toEqual([]);
  });
});

describe('a mapping as name', () => {
  test.each([
    ['of a runtime class', pod('  runtimeClassName: { of: gvisor }\n')],
    ['of a volume', pod('  volumes: [{ name: { of: data }, ephemeral: { volumeClaimTemplate: {} } }]\n')],
    [
      'of a claim template',
      workload('StatefulSet', '  volumeClaimTemplates: [{ metadata: { name: { of: data } } }]\n'),
    ],
  ])('%s does not throw', (_, text) => {
    expect(read(text).workloads).toHaveLength(1);
  });
});
