import { Dice } from '../../support/schedule-scenario/dice';

/** Replaced in the written text by YAML that no value stands for. */
export const RAW: Readonly<Record<string, string>> = {
  '@alias': '*missing',
  '@circle': '&circle [*circle]',
  '@circle-map': '&map { a: *map }',
  '@bomb':
    '{ a: &a [x,x,x,x,x,x,x,x,x], b: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a], c: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b], d: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c], e: [*d,*d,*d,*d,*d,*d,*d,*d,*d] }',
  '@prototype': '{ "__proto__": { "name": "x" }, "constructor": 1, "toString": 2 }',
  '@merge': '{ <<: { a: b }, <<: [1] }',
  '@tag': '!!binary aGVsbG8=',
  '@complex-key': '{ ? { a: b } : c, ? [d] : e }',
  '@date': '2026-01-01',
  '@float': '.inf',
  '@octal': '0o17',
};

const SMALL: readonly unknown[] = [
  {},
  [],
  null,
  '',
  0,
  -1,
  1,
  1.5,
  true,
  false,
  1e21,
  1e308,
  Number.MAX_SAFE_INTEGER,
  'x',
  'x,y',
  '*',
  '~1.8.0',
  '100%',
  '10x',
  '1e400',
  '-1Gi',
  '720h',
  '2026-13-45T99:99:99Z',
  '../../..',
  '/etc',
  '{{x}}',
  '{{ .a.b }}',
  '${x}',
  '${x:=y}',
  '::error::x',
  'a\nb',
  'a\n::error::b',
  '\u0000',
  '\u001b[31m',
  '\u0085',
  '\u202e',
  '\ud800',
  '<script>',
  '|`*_[](x)',
  '(a+)+$',
  '[',
  '^',
  [[]],
  [{}],
  [null],
  [{ name: {} }],
  ['x', 'x'],
  { a: {} },
  { '': '' },
  { name: [] },
  { Ref: 'Name' },
  { Ref: {} },
  { 'Fn::Join': ['', []] },
  { 'Fn::Sub': '${' },
  { 'Fn::GetAtt': {} },
  { 'Fn::If': ['IsProd', {}, []] },
  { valueFrom: {} },
  ...Object.keys(RAW),
];

const LARGE: ReadonlyArray<(dice: Dice) => unknown> = [
  (dice) => nested(dice.pick([20, 100, 500]), (inner) => [inner]),
  (dice) => nested(dice.pick([20, 100, 500]), (inner) => ({ a: inner })),
  (dice) => 'a'.repeat(dice.pick([300, 30_000])),
  (dice) => `${'9'.repeat(dice.pick([300, 30_000]))}x`,
  (dice) => '${'.repeat(dice.pick([300, 30_000])),
  (dice) => '{{'.repeat(dice.pick([300, 30_000])),
  (dice) => `${'*'.repeat(dice.pick([12, 60]))}!`,
  (dice) => `${'a'.repeat(dice.pick([30, 3000]))}!`,
  (dice) => Array(dice.pick([50, 2000])).fill('x'),
  (dice) => Array.from({ length: dice.pick([50, 1000]) }, (_, index) => ({ name: `x${index}`, key: `k${index}` })),
  (dice) => Object.fromEntries(Array.from({ length: dice.pick([50, 1000]) }, (_, index) => [`k${index}`, 'v'])),
];

const LARGE_SHARE = 0.05;

/** A value that a field rarely has. */
export function oddValue(dice: Dice): unknown {
  return dice.chance(LARGE_SHARE) ? dice.pick(LARGE)(dice) : dice.pick(SMALL);
}

function nested(depth: number, wrap: (inner: unknown) => unknown): unknown {
  let value: unknown = 'x';
  for (let level = 0; level < depth; level++) value = wrap(value);
  return value;
}
