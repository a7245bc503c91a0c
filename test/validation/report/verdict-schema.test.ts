import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv';
import { VERDICT } from './verdict';
import { check, renderJson, SourceFile } from '../../../src/validation';
import { verdictSchema } from '../../../tools/build/verdict-schema';
import { reportFleet } from '../../support/report-fleet';
import { deployment, manifests, NODE_CLASS, nodePool, SMALL } from '../setup';

const TEXT = readFileSync(join(__dirname, '../../../data/verdict.schema.json'), 'utf8');
const validate = new Ajv({ allErrors: true, unknownFormats: [] }).compile(JSON.parse(TEXT));

function problemsOf(json: string): unknown {
  return validate(JSON.parse(json)) ? [] : validate.errors;
}

describe('the JSON Schema of the verdict', () => {
  test('is current; npx tsx tools/build/verdict-schema.ts writes it', () => {
    expect(TEXT).toBe(verdictSchema());
  });

  test.each<[string, SourceFile[], object]>([
    ['a fleet', reportFleet(), {}],
    [
      'a pod that fits nowhere and a typing error',
      manifests(NODE_CLASS, nodePool(['m5.large']), deployment('big', 1, 'cpu: 9').replace('replicas', 'replcas')),
      {},
    ],
    [
      'explained placements',
      manifests(NODE_CLASS, nodePool(['m5.large']), deployment('web', 1, SMALL)),
      { explain: true },
    ],
    ['no input', [], {}],
  ])('accepts the verdict on %s', (_, sources, options) => {
    expect(problemsOf(renderJson(check(sources, options)))).toEqual([]);
  });

  test('accepts a verdict with something in each of its parts', () => {
    expect(problemsOf(renderJson(VERDICT))).toEqual([]);
  });

  test('rejects a verdict of schema version 1', () => {
    expect(problemsOf(renderJson(VERDICT, '1'))).not.toEqual([]);
  });
});
