import { join } from 'path';
import { folderOf, run } from './run';
import { deployment, NODE_CLASS, nodePool, SMALL } from '../validation/setup';

const SPREAD =
  'podTopologySpread:\n  defaultConstraints:\n  - { maxSkew: 1, topologyKey: kubernetes.io/hostname, whenUnsatisfiable: DoNotSchedule }\n';
const inSettings = (value: string) =>
  `settings: {}\ncontroller:\n  env:\n  - name: SCHEDULER_CONFIG\n    value: |\n${value.replace(/^(?=.)/gm, '      ')}`;
const folder = folderOf({
  'setup.yaml': [NODE_CLASS, nodePool(['m5.large']), deployment('web', 3, SMALL)].join('---\n'),
  'spread.yaml': SPREAD,
  'wrong.yaml': SPREAD.replace('maxSkew: 1', 'maxSkew: 0'),
  'broken.yaml': 'podTopologySpread: [\n',
  'values.yaml': inSettings(SPREAD),
  'wrong-values.yaml': inSettings(SPREAD.replace('DoNotSchedule', 'Never')),
});
const path = (name: string) => join(folder, name);

async function nodes(...args: string[]): Promise<number> {
  const { out } = await run(['check', path('setup.yaml'), '--format', 'json', ...args]);
  return JSON.parse(out).summary.nodes;
}

test('--scheduler-config spreads pods without their own constraints', async () => {
  expect([await nodes(), await nodes('--scheduler-config', path('spread.yaml'))]).toEqual([1, 3]);
});

test('--settings reads SCHEDULER_CONFIG from the environment of the controller', async () => {
  expect(await nodes('--settings', path('values.yaml'))).toBe(3);
});

test.each<[string[], string]>([
  [
    ['--scheduler-config', 'wrong.yaml'],
    'wrong.yaml:3:16: podTopologySpread.defaultConstraints[0].maxSkew: must be an integer of 1 or more, got 0; write 1',
  ],
  [['--scheduler-config', 'broken.yaml'], 'broken.yaml:2:1: invalid YAML: '],
  [['--scheduler-config', 'absent.yaml'], 'absent.yaml: cannot be read, '],
  [
    ['--settings', 'wrong-values.yaml'],
    'wrong-values.yaml:5:12: SCHEDULER_CONFIG: podTopologySpread.defaultConstraints[0].whenUnsatisfiable: must be one of ',
  ],
])('%j is rejected with its place', async ([flag, file], message) => {
  const { code, err } = await run(['check', path('setup.yaml'), flag, path(file)]);
  expect([code, err]).toEqual([2, expect.stringContaining(path(message))]);
});

test('--scheduler-config is rejected for a Karpenter version without the flag', async () => {
  const { code, err } = await run([
    'check',
    path('setup.yaml'),
    '--scheduler-config',
    path('spread.yaml'),
    '--karpenter-version',
    '1.14.0',
  ]);
  expect([code, err]).toEqual([
    2,
    expect.stringContaining('--scheduler-config: Karpenter 1.14.0 does not have this flag; '),
  ]);
});
