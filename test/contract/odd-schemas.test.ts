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
