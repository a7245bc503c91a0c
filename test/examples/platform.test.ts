import { Testing, Yaml } from 'cdk8s';
import { PlatformChart } from '../../examples/platform/chart';
import { check } from '../../src/validation';
import { coverage } from '../../tools/docs/coverage-doc';

const GATES = { NodeOverlay: true, StaticCapacity: true, CapacityBuffer: true };
const objects = Testing.synth(new PlatformChart(Testing.app(), 'platform'));
const text = Yaml.stringify(...objects);

test('the platform example equals the reviewed manifest', () => {
  expect(text).toMatchSnapshot();
});

test('the platform example schedules 15 pods on 9 nodes, without findings', () => {
  const { findings, unschedulable, summary } = check([{ path: 'platform.yaml', text }], {
    region: 'eu-west-1',
    isSynth: true,
    featureGates: GATES,
  });
  expect({ findings, unschedulable }).toEqual({ findings: [], unschedulable: [] });
  expect(summary).toMatchObject({ pods: 15, scheduledPods: 15, nodes: 9 });
});

/** Whether a value has the field; for a list, whether any item has it. */
function holds(value: any, [step, ...rest]: readonly string[]): boolean {
  if (value === undefined || value === null) return false;
  if (step === undefined) return true;
  return step === '[]' ? value.some((item: unknown) => holds(item, rest)) : holds(value[step], rest);
}

test.each(coverage().map((kindCoverage) => [kindCoverage.kind.kind, kindCoverage] as const))(
  'the platform example sets every field of %s',
  (kind, { rows }) => {
    const objectsOfKind = objects.filter((object) => object.kind === kind);
    expect(
      rows
        .map(({ field }) => field)
        .filter((field) => !objectsOfKind.some((object) => holds(object, field.split(/\.|(?=\[\])/)))),
    ).toEqual([]);
  },
);
