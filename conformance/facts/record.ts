/**
 * Records how Karpenter's own code reads and hashes samples, for tests without Go: `npx tsx
 * conformance/facts/record.ts`.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { QUEUE_EVENTS } from '../../test/contract/aws/samples';
import { CA_BUNDLE, NODE_CLASSES, NODE_POOLS, stored } from '../../test/contract/drift/hash-cases';
import { build } from '../go';

const RECORD = join(__dirname, '../../test/conformance/facts.json');

const asStored = (manifests: typeof NODE_POOLS) =>
  Object.fromEntries(Object.entries(manifests).map(([name, manifest]) => [name, stored(manifest)]));
const input = {
  events: QUEUE_EVENTS,
  nodePools: asStored(NODE_POOLS),
  nodeClasses: asStored(NODE_CLASSES),
  caBundle: CA_BUNDLE,
};
const answers = execFileSync(build({ command: 'facts', program: 'facts' }), {
  input: JSON.stringify(input),
  encoding: 'utf8',
});
writeFileSync(RECORD, `${JSON.stringify(JSON.parse(answers), null, 1)}\n`);
console.log(RECORD);
