import { checkCelRules } from '../../src/contract/schema/cel-rules';
import { Schema } from '../../src/contract/schema/schema';
import { validate } from '../../src/contract/schema/validate';

test('a type of a CRD that is no text restricts nothing', () => {
  expect(validate(['spec'], 'a', { type: { a: {} } } as unknown as Schema)).toEqual([]);
});

test('a rule of a CRD that is no text restricts nothing', () => {
  const schema = { type: 'string', 'x-kubernetes-validations': [{}, { rule: {} }] } as unknown as Schema;
  expect(checkCelRules('a', schema, [])).toEqual([]);
});

test('a pattern of a CRD has the syntax of Go, also where a remedy is looked for', () => {
  const schema: Schema = { type: 'string', pattern: '(?i)^abc\\z' };
  expect(validate(['spec'], 'ABC', schema)).toEqual([]);
  expect(validate(['spec'], 'abd', schema)).toMatchObject([{ remedy: 'write a matching string' }]);
});
