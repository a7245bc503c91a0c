import { Testing, Yaml } from 'cdk8s';
import { PlatformChart } from '../../examples/platform/chart';
import { coverage } from '../../projenrc/coverage-doc';
import { check } from '../../src/validation';

const GATES = { NodeOverlay: true, StaticCapacity: true, CapacityBuffer: true };
const objects = Testing.synth(new PlatformChart(Testing.app(), 'platform'));
const text = Yaml.stringify(...objects);

test('the platform is the manifest that was reviewed', () => {
  expect(text).toMatchSnapshot();
});

test('the platform runs all of its pods and keeps room for three more, and nothing is wrong with it', () => {
  const { findings, unschedulable, summary } = check([{ path: 'platform.yaml', text }], { region: 'eu-west-1', featureGates: GATES });
  expect({ findings, unschedulable }).toEqual({ findings: [], unschedulable: [] });
  expect(summary).toMatchObject({ pods: 15, scheduledPods: 15, nodes: 9 });
});

/** Whether a value has the field, in any item of the lists on the way. */
function holds(value: any, [step, ...rest]: readonly string[]): boolean {
  if (value === undefined || value === null) return false;
  if (step === undefined) return true;
  return step === '[]' ? value.some((item: unknown) => holds(item, rest)) : holds(value[step], rest);
}

test.each(coverage().map((each) => [each.kind.kind, each] as const))('the platform uses every field of %s', (kind, { rows }) => {
  const ofKind = objects.filter((object) => object.kind === kind);
  expect(rows.map(({ field }) => field).filter((field) => !ofKind.some((object) => holds(object, field.split(/\.|(?=\[\])/))))).toEqual([]);
});
