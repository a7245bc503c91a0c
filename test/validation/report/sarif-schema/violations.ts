import { readFileSync } from 'fs';
import { join } from 'path';
import Ajv from 'ajv';
import draft04 from 'ajv/lib/refs/json-schema-draft-04.json';

const ajv = new Ajv({ schemaId: 'id', meta: false, allErrors: true, unknownFormats: [] });
ajv.addMetaSchema(draft04, 'http://json-schema.org/draft-04/schema');
const validate = ajv.compile(JSON.parse(readFileSync(join(__dirname, 'sarif-schema-2.1.0.json'), 'utf8')));

/** What OASIS's schema has against a SARIF log. */
export function schemaViolations(text: string): string[] {
  return validate(JSON.parse(text)) ? [] : validate.errors!.map(({ dataPath, message }) => `${dataPath}: ${message}`);
}
