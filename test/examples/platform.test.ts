import { Testing, Yaml } from 'cdk8s';
import { PlatformChart } from '../../examples/platform/chart';
import { check } from '../../src/validation';

const GATES = { NodeOverlay: true, StaticCapacity: true, CapacityBuffer: true };
const text = Yaml.stringify(...Testing.synth(new PlatformChart(Testing.app(), 'platform')));

test('the platform is the manifest that was reviewed', () => {
  expect(text).toMatchSnapshot();
});

test('the platform runs all of its pods, and nothing is wrong with it', () => {
  const { findings, unschedulable, summary } = check([{ path: 'platform.yaml', text }], { region: 'eu-west-1', featureGates: GATES });
  expect({ findings, unschedulable }).toEqual({ findings: [], unschedulable: [] });
  expect(summary).toMatchObject({ pods: 12, scheduledPods: 12, nodes: 3 });
});
