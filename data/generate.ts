import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { catalogColumns, InstanceTypeFacts } from '../src/catalog/instance-type-facts';

export type { InstanceTypeFacts } from '../src/catalog/instance-type-facts';

/** Reads data/instance-types.json. */
export function readInstanceTypes(): InstanceTypeFacts[] {
  return JSON.parse(readFileSync(join(__dirname, 'instance-types.json'), 'utf8')) as InstanceTypeFacts[];
}

/** The text of data/catalog.json: one column a line, so that a change of the facts has a small diff. */
export function compactCatalog(types: readonly InstanceTypeFacts[]): string {
  const content = catalogColumns(types);
  const object = (entries: object) =>
    Object.entries(entries)
      .map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`)
      .join(',\n');
  return [
    `{"names":${JSON.stringify(content.names)},`,
    `"facts":{\n${object(content.facts)}},`,
    `"labels":[\n${content.labels.map((label) => JSON.stringify(label)).join(',\n')}]}`,
    '',
  ].join('\n');
}

if (require.main === module) {
  writeFileSync(join(__dirname, 'catalog.json'), compactCatalog(readInstanceTypes()));
}
