import { Testing, Yaml } from 'cdk8s';
import { newChart } from './fixtures';
import { FieldCase, Surface, SURFACES, valueAt } from './surface';
import { publicProperties } from './surface/public-properties';
import { check } from '../../src/validation';

type Row = readonly [name: string, fieldCase: FieldCase<unknown>];

function rows({ cases }: Surface, keep: (fieldCase: FieldCase<unknown>) => boolean = () => true): Row[] {
  return cases.filter(keep).map((fieldCase) => {
    const { field, prop, by } = fieldCase;
    return [`${field} from ${prop}${by ? ` by ${by}` : ''}`, fieldCase];
  });
}

describe.each(SURFACES.map((surface) => [surface.kind, surface] as const))('%s writes', (_, surface) => {
  test.each(rows(surface))('%s', (__, { field, props, value }) => {
    const chart = newChart();
    surface.create(chart, props as object);
    const [object] = Testing.synth(chart);
    expect(object).toMatchObject({ apiVersion: surface.apiVersion, kind: surface.kind });
    expect(valueAt(object, field)).toEqual(value);
  });
});

test.each(SURFACES.map((surface) => [surface.kind, surface] as const))(
  'check accepts each %s of the field cases',
  (_, surface) => {
    const sources = rows(surface).map(([path, { props }]) => {
      const chart = newChart();
      surface.create(chart, props as object);
      return { path, text: Yaml.stringify(...Testing.synth(chart)) };
    });
    const { findings } = check(sources, { featureGates: { NodeClassCEL: true } });
    expect(findings.filter(({ rule }) => ['KARP-001', 'KARP-100'].includes(rule))).toEqual([]);
  },
);

describe.each(SURFACES.map((surface) => [surface.kind, surface] as const))(
  '%s rejects at construction an invalid',
  (_, surface) => {
    test.each(rows(surface, ({ misuse }) => misuse !== undefined))(
      '%s',
      (__, { field, misuse, misusedField = field }) => {
        const path = misusedField.replaceAll('[]', '[0]');
        expect(() => surface.create(newChart(), misuse as object)).toThrow(/^chart\/it\/spec.+: must .+, got .+; .+$/s);
        expect(() => surface.create(newChart(), misuse as object)).toThrow(`chart/it/${path}`);
      },
    );
  },
);

test.each(SURFACES.flatMap((surface) => rows(surface, ({ misuseAtCall }) => misuseAtCall !== undefined)))(
  'refuses at the call an invalid %s',
  (_, { misuseAtCall }) => {
    expect(misuseAtCall).toThrow(/^[A-Z]\w+(?:\.\w+)+: must .+, got .+; .+$/);
  },
);

test('every property of every construct writes a field', () => {
  const mentioned = new Set(
    SURFACES.flatMap(({ cases }) => cases).flatMap(({ prop, by = '' }) => `${prop}.${by}`.split('.')),
  );
  const silent = publicProperties().filter((property) => !mentioned.has(property.split('.')[1]));
  // The constructs of src/nodes/access write no object of Karpenter.
  const noField =
    /(?:Props|Options)\.metadata$|^(?:NodePoolAttributes|NodePoolEditorRoleProps|NodePoolGuardrailsProps)\./;
  expect(silent.filter((property) => !noField.test(property))).toEqual([]);
});
