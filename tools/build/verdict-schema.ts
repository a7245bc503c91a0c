/**
 * Writes data/verdict.schema.json, the JSON Schema of `check --format json`, from the types of the verdict.
 * `npx projen rules-doc` runs it.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createGenerator } from 'ts-json-schema-generator';

const OUTPUT = join(__dirname, '../..', 'data', 'verdict.schema.json');

/** The schema as it is published. Scenarios have a schema of their own project of types, and are left open. */
export function verdictSchema(): string {
  const { $schema, definitions, ...root } = createGenerator({
    path: join(__dirname, '../..', 'src', 'validation', 'vocabulary', 'verdict.ts'),
    tsconfig: join(__dirname, '../..', 'tsconfig.dev.json'),
    type: 'Verdict',
    skipTypeCheck: true,
    additionalProperties: true,
    sortProps: false,
  }).createSchema('Verdict');
  const described = {
    $schema,
    $id: 'https://github.com/karpenter-constructs/karpenter-constructs/blob/main/data/verdict.schema.json',
    title: 'The verdict of karpenter-constructs check --format json, schema version 2',
    ...root,
    definitions,
  };
  return `${JSON.stringify(described, undefined, 1)}\n`;
}

if (require.main === module) {
  const schema = verdictSchema();
  if (!existsSync(OUTPUT) || readFileSync(OUTPUT, 'utf8') !== schema) writeFileSync(OUTPUT, schema);
}
