import * as fc from 'fast-check';
import {
  Label,
  LABEL_SHORT_NAMES,
  labelKeyOf,
  labelShortName,
  Operator,
  parseRequirements,
  RequirementSpec,
  requirementsText,
  RequirementTextError,
} from '../../src/model';

const TEXT_KEYS = [
  Label.INSTANCE_FAMILY,
  Label.ZONE,
  Label.ARCH,
  Label.INSTANCE_TYPE,
  Label.CAPACITY_TYPE,
  Label.INSTANCE_GPU_NAME,
];
const NUMBER_KEYS = [Label.INSTANCE_CPU, Label.INSTANCE_MEMORY, Label.INSTANCE_GENERATION, Label.INSTANCE_LOCAL_NVME];
const word = fc.stringMatching(/^[A-Za-z0-9]([A-Za-z0-9_.-]{0,8}[A-Za-z0-9])?$/);
const number = fc.bigInt({ min: 0n, max: 10n ** 18n - 1n }).map(String);

function specs(
  keys: readonly string[],
  value: fc.Arbitrary<string>,
  bounds: readonly Operator[],
): fc.Arbitrary<RequirementSpec> {
  const key = fc.constantFrom(...keys);
  return fc.oneof(
    fc.record({
      key,
      operator: fc.constantFrom<Operator>('In', 'NotIn'),
      values: fc.uniqueArray(value, { minLength: 1, maxLength: 4 }),
    }),
    fc.record({ key, operator: fc.constantFrom<Operator>('Exists', 'DoesNotExist') }),
    ...(bounds.length === 0
      ? []
      : [fc.record({ key, operator: fc.constantFrom(...bounds), values: value.map((bound) => [bound]) })]),
  );
}

const requirements = fc.array(
  fc.oneof(specs(TEXT_KEYS, word, []), specs(NUMBER_KEYS, number, ['Gt', 'Gte', 'Lt', 'Lte'])),
  { minLength: 1, maxLength: 5 },
);

describe('requirements as text', () => {
  test('are read as the requirements that were written', () => {
    fc.assert(
      fc.property(requirements, (written) => {
        expect(parseRequirements(requirementsText(written))).toEqual(written);
      }),
    );
  });

  test('keep their text when they are written again, whatever the spelling was', () => {
    const spelling = fc.record({
      space: fc.constantFrom('  ', ' ', '\n'),
      and: fc.constantFrom('and', 'AND', '&&'),
      isLong: fc.boolean(),
    });
    fc.assert(
      fc.property(requirements, spelling, (written, { space, and, isLong }) => {
        const respelt = written
          .map((spec) =>
            requirementsText([spec])
              .replace(/^\S+/, (name) => (isLong ? labelKeyOf(name)! : name))
              .replaceAll(' ', space),
          )
          .join(`${space}${and}${space}`);
        const text = requirementsText(parseRequirements(respelt));
        expect(text).toBe(requirementsText(written));
        expect(requirementsText(parseRequirements(text))).toBe(text);
      }),
    );
  });

  test.each<[string, RequirementSpec[]]>([
    [
      'family In [m7g, c7g] and cpu <= 8',
      [
        { key: Label.INSTANCE_FAMILY, operator: 'In', values: ['m7g', 'c7g'] },
        { key: Label.INSTANCE_CPU, operator: 'Lte', values: ['8'] },
      ],
    ],
    ['memory>=16Gi', [{ key: Label.INSTANCE_MEMORY, operator: 'Gte', values: ['16384'] }]],
    [
      'vcpu Gt 4 && vcpu Lt 016',
      [
        { key: Label.INSTANCE_CPU, operator: 'Gt', values: ['4'] },
        { key: Label.INSTANCE_CPU, operator: 'Lt', values: ['16'] },
      ],
    ],
    ['arch != "arm64"', [{ key: Label.ARCH, operator: 'NotIn', values: ['arm64'] }]],
    [
      'local-nvme exists and gpu-count doesnotexist',
      [
        { key: Label.INSTANCE_LOCAL_NVME, operator: 'Exists' },
        { key: Label.INSTANCE_GPU_COUNT, operator: 'DoesNotExist' },
      ],
    ],
    [
      'karpenter.k8s.aws/instance-size notin (metal,nano)',
      [{ key: Label.INSTANCE_SIZE, operator: 'NotIn', values: ['metal', 'nano'] }],
    ],
    [
      'failure-domain.beta.kubernetes.io/zone = eu-west-1a',
      [{ key: Label.ZONE, operator: 'In', values: ['eu-west-1a'] }],
    ],
    ['instance-family = m5', [{ key: Label.INSTANCE_FAMILY, operator: 'In', values: ['m5'] }]],
  ])('%s is understood', (text, expected) => expect(parseRequirements(text)).toEqual(expected));

  test.each<[string, number, number, string]>([
    ['', 0, 0, 'a label is missing here'],
    ['famly = m5', 0, 5, 'no instance type has the label "famly"; did you mean family?'],
    [
      'example.com/team = a',
      0,
      16,
      'no instance type has the label "example.com/team"; write one of accelerator-count,',
    ],
    ['price < 1', 0, 5, 'use --sort price'],
    ['cpu', 3, 3, 'an operator is missing after cpu'],
    ['cpu Inn [1]', 4, 7, 'unknown operator "Inn"; did you mean In?'],
    ['cpu 4', 4, 5, 'unknown operator "4"; write In, NotIn'],
    ['family <= m5', 7, 9, 'family has no numbers, and <= compares numbers'],
    ['family In m5', 10, 12, 'In needs a list in brackets; write family In [a,b]'],
    ['family In []', 11, 12, 'the list is empty'],
    ['family In [m5', 13, 13, 'the list does not end; write "," or "]" here'],
    ['family In [m5 m6i]', 14, 17, 'unexpected "m6i" in the list'],
    ['family In [m5,]', 14, 15, 'a value of family is missing here'],
    ['family = -m5', 9, 10, 'unexpected character "-"'],
    ['family = m5-', 9, 12, 'cannot be the value of a label'],
    ['family = "m5', 9, 10, 'the quote does not end'],
    ['cpu <= 1.5', 7, 10, '"1.5" is not a value of cpu; write a whole number'],
    ['cpu <= 4Gi', 7, 10, 'write a whole number'],
    ['memory <= 16G', 10, 13, 'such as 16Gi'],
    ['cpu <= 1234567890123456789', 7, 26, 'is not a value of cpu'],
    ['cpu = 2 or cpu = 4', 8, 10, 'write In [a,b]'],
    ['cpu = 2, cpu = 4', 7, 8, 'write "and" between requirements'],
    ['cpu = 2 arch = arm64', 8, 12, 'write "and" before the next requirement'],
    ['cpu = 2 and', 11, 11, 'a label is missing here'],
  ])('%j is refused at %d to %d', (text, start, end, message) => {
    const error = errorOf(text);
    expect(error.message).toContain(message);
    expect([error.start, error.end, error.text]).toEqual([start, end, text]);
  });

  test('never fails in another way than with a place in the text', () => {
    const pieces = fc.constantFrom(
      'family',
      'cpu',
      'In',
      '[',
      ']',
      '(',
      ',',
      '<=',
      '=',
      'and',
      '8',
      'm5',
      '"',
      ' ',
      '!',
      '__proto__',
      'é',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(pieces).map((parts) => parts.join(' ')),
          fc.string(),
        ),
        (text) => {
          try {
            parseRequirements(text);
          } catch (error) {
            expect(error).toBeInstanceOf(RequirementTextError);
            const { start, end } = error as RequirementTextError;
            expect(start >= 0 && start <= end && end <= text.length).toBe(true);
          }
        },
      ),
    );
  });
});

test.each([...LABEL_SHORT_NAMES])('%s is the short name of one label', (name) => {
  expect(labelShortName(labelKeyOf(name)!)).toBe(name);
});

test('a label without a short name keeps its key', () => {
  expect(labelShortName('example.com/team')).toBe('example.com/team');
  expect(labelKeyOf('karpenter.sh/nodepool')).toBeUndefined();
});

function errorOf(text: string): RequirementTextError {
  try {
    parseRequirements(text);
  } catch (error) {
    return error as RequirementTextError;
  }
  throw new Error(`${text} was accepted`);
}
