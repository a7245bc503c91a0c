import { onlyWorkload, problems, read } from './manifests';

const pod = (fields: string) =>
  `apiVersion: v1\nkind: Pod\nmetadata: { name: a, labels: { app: web } }\nspec:\n  containers: [{ name: main }]\n  ${fields}\n`;
const spread = (fields: string) => pod(`topologySpreadConstraints: [{ ${fields} }]`);
const affinity = (fields: string) => pod(`affinity: { ${fields} }`);

describe('readTopologySpread', () => {
  test('reads every field', () => {
    const text = spread(
      'maxSkew: 2, topologyKey: zone, whenUnsatisfiable: DoNotSchedule, minDomains: 3, nodeAffinityPolicy: Ignore, nodeTaintsPolicy: Honor, ' +
        'labelSelector: { matchLabels: { app: web } }, matchLabelKeys: [pod-template-hash]',
    );
    expect(onlyWorkload(text).shape!.topologySpread).toMatchObject([
      {
        maxSkew: 2,
        topologyKey: 'zone',
        whenUnsatisfiable: 'DoNotSchedule',
        minDomains: 3,
        nodeAffinityPolicy: 'Ignore',
        nodeTaintsPolicy: 'Honor',
        labelSelector: { matchLabels: { app: 'web' } },
        matchLabelKeys: ['pod-template-hash'],
      },
    ]);
  });

  test.each([
    ['topologyKey: zone, whenUnsatisfiable: DoNotSchedule', 'maxSkew'],
    ['maxSkew: 0, topologyKey: zone, whenUnsatisfiable: DoNotSchedule', 'maxSkew'],
    ['maxSkew: 1, whenUnsatisfiable: DoNotSchedule', 'topologyKey'],
    ['maxSkew: 1, topologyKey: zone', 'whenUnsatisfiable'],
    ['maxSkew: 1, topologyKey: zone, whenUnsatisfiable: Never', 'whenUnsatisfiable'],
    ['maxSkew: 1, topologyKey: zone, whenUnsatisfiable: ScheduleAnyway, minDomains: 2', 'minDomains'],
    ['maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule, minDomains: 0', 'minDomains'],
    ['maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule, nodeTaintsPolicy: Maybe', 'nodeTaintsPolicy'],
    ['maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule, matchLabelKeys: [app]', 'matchLabelKeys'],
    [
      'maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule, labelSelector: { matchLabels: { app: web } }, matchLabelKeys: [app]',
      'matchLabelKeys',
    ],
    [
      'maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule, labelSelector: { matchExpressions: [{ key: a, operator: Like }] }',
      'labelSelector',
    ],
  ])('rejects { %s } at %s', (fields, field) => {
    expect(problems(read(spread(fields)))).toEqual([
      expect.stringContaining(`spec.topologySpreadConstraints[0].${field}`),
    ]);
  });

  test('rejects two constraints with the same topologyKey and whenUnsatisfiable', () => {
    const twice = (when: string) =>
      pod(
        `topologySpreadConstraints: [{ maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule }, { maxSkew: 2, topologyKey: zone, whenUnsatisfiable: ${when} }]`,
      );
    expect(problems(read(twice('DoNotSchedule')))).toEqual([
      expect.stringContaining(
        'spec.topologySpreadConstraints[1].topologyKey: must be unique among the DoNotSchedule constraints',
      ),
    ]);
    expect(problems(read(twice('ScheduleAnyway')))).toEqual([]);
  });
});

describe('readPodAffinity', () => {
  test('reads required and preferred terms with their namespaces', () => {
    const term =
      'topologyKey: zone, labelSelector: { matchLabels: { app: web } }, namespaces: [a, b], namespaceSelector: { matchLabels: { team: x } }';
    const text = affinity(
      `podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ ${term} }], ` +
        `preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 7, podAffinityTerm: { ${term} } }] }`,
    );
    const expectedTerm = {
      topologyKey: 'zone',
      labelSelector: { matchLabels: { app: 'web' } },
      namespaces: ['a', 'b'],
      namespaceSelector: { matchLabels: { team: 'x' } },
    };
    expect(onlyWorkload(text).shape!.podAffinity).toMatchObject({
      required: [expectedTerm],
      preferred: [{ weight: 7, term: expectedTerm }],
    });
  });

  test('adds the pod labels of matchLabelKeys and mismatchLabelKeys to the selector', () => {
    const term =
      'topologyKey: zone, labelSelector: { matchLabels: { tier: a } }, matchLabelKeys: [app, version], mismatchLabelKeys: [tenant]';
    const text =
      'apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: a }\nspec:\n  selector: { matchLabels: { app: web } }\n  template:\n    metadata: { labels: { app: web, tenant: x } }\n    spec:\n' +
      `      containers: [{ name: main }]\n      affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ ${term} }] } }\n`;
    expect(onlyWorkload(text).shape!.podAntiAffinity!.required[0].labelSelector).toEqual({
      matchLabels: { tier: 'a' },
      matchExpressions: [
        { key: 'app', operator: 'In', values: ['web'] },
        { key: 'tenant', operator: 'NotIn', values: ['x'] },
      ],
    });
  });

  test.each([
    [
      'podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{}] }',
      'podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey',
    ],
    [
      'podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 0, podAffinityTerm: { topologyKey: zone } }] }',
      'podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].weight',
    ],
    [
      'podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1 }] }',
      'podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].podAffinityTerm.topologyKey',
    ],
    [
      'podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: zone, mismatchLabelKeys: [app] }] }',
      'podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].mismatchLabelKeys',
    ],
    [
      'podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: zone, labelSelector: {}, matchLabelKeys: [app], mismatchLabelKeys: [app] }] }',
      'podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].mismatchLabelKeys',
    ],
  ])('rejects { %s } at %s', (fields, field) => {
    expect(problems(read(affinity(fields)))).toEqual([expect.stringContaining(`spec.affinity.${field}`)]);
  });

  test('names the pods, not the workload, if matchLabelKeys repeats a key of the selector that the pods have', () => {
    const deployment = (term: string) =>
      'apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: a }\nspec:\n  selector: { matchLabels: { app: web } }\n  template:\n    metadata: { labels: { app: web } }\n' +
      `    spec:\n      containers: [{ name: main }]\n      affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: zone, ${term} }] } }\n`;
    const found = (term: string) => read(deployment(term)).problems.map(({ message, remedy }) => ({ message, remedy }));
    const expected = [
      {
        message: expect.stringContaining(
          'matchLabelKeys[0]: must not be a key of labelSelector, or the API server refuses the pods, got "app"',
        ),
        remedy: 'remove app from matchLabelKeys',
      },
    ];
    expect(found('labelSelector: { matchLabels: { app: web } }, matchLabelKeys: [app]')).toEqual(expected);
    const expression = '{ matchExpressions: [{ key: app, operator: Exists }] }';
    expect(found(`labelSelector: ${expression}, matchLabelKeys: [app, tenant]`)).toEqual(expected);
    // The API server adds no key that the pods have no label for.
    expect(found('labelSelector: { matchLabels: { tier: x } }, matchLabelKeys: [tier]')).toEqual([]);
    expect(found('labelSelector: { matchLabels: { app: web } }, mismatchLabelKeys: [app]')).toEqual([]);
  });
});
