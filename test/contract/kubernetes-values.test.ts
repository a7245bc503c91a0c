import { wrongKubernetesValues } from '../../src/contract';

function problemsOf(pod: object): string[] {
  const problems = wrongKubernetesValues('apps/v1', 'Deployment', { spec: { template: { spec: pod } } });
  return problems.map(
    ({ path, problem, remedy, fix }) => `${path.slice(3).join('.')}: ${problem}; ${remedy}; ${fix?.safe}`,
  );
}

test('a text, an integer, a boolean, a list and an object have to be written as such', () => {
  expect(
    problemsOf({
      containers: [
        {
          env: [
            { name: 'A', value: 4 },
            { name: 'B', value: true },
          ],
          stdin: 'yes',
          args: 'x',
          ports: {},
        },
      ],
      terminationGracePeriodSeconds: '60',
      activeDeadlineSeconds: '5m',
      priority: 'high',
      nodeSelector: { gpu: true },
      affinity: [],
    }),
  ).toEqual([
    'containers.0.env.0.value: must be a string; put the value in quotes; true',
    'containers.0.env.1.value: must be a string; put the value in quotes; true',
    'containers.0.stdin: must be true or false; write true, without quotes; true',
    'containers.0.args: must be a list; write items that begin with "-"; undefined',
    'containers.0.ports: must be a list; write items that begin with "-"; undefined',
    'terminationGracePeriodSeconds: must be an integer; write 60; true',
    'activeDeadlineSeconds: must be an integer; write 300; true',
    'priority: must be an integer; write a whole number, without a unit; undefined',
    'nodeSelector.gpu: must be a string; put the value in quotes; true',
    'affinity: must be an object; write its fields below it, indented; undefined',
  ]);
});

test('a value of an enumeration is offered if it is only misspelt', () => {
  expect(problemsOf({ dnsPolicy: 'clusterFirst', preemptionPolicy: 'Sometimes' })).toEqual([
    'dnsPolicy: must be one of ClusterFirst, ClusterFirstWithHostNet, Default or None; write ClusterFirst; true',
    'preemptionPolicy: must be one of Never or PreemptLowerPriority; write Never or PreemptLowerPriority; undefined',
  ]);
});

test('accepts nulls, percentages, quantities and unknown fields', () => {
  const update = { maxSurge: '25%', maxUnavailable: 0 };
  const containers = [{ env: null, resources: { requests: { cpu: 1, memory: '1Gi' } }, unknown: 1 }];
  const spec = { strategy: { rollingUpdate: update }, template: { spec: { containers, nodeSelector: null } } };
  expect(wrongKubernetesValues('apps/v1', 'Deployment', { spec })).toEqual([]);
  expect(wrongKubernetesValues('example.com/v1', 'Deployment', { spec: { template: 1 } })).toEqual([]);
});

test('offers the percentage of a fraction', () => {
  const spec = { strategy: { rollingUpdate: { maxSurge: 0.25 } } };
  expect(wrongKubernetesValues('apps/v1', 'Deployment', { spec }).map(({ remedy }) => remedy)).toEqual(['write "25%"']);
});
