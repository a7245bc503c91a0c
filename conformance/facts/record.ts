/** Writes down what Karpenter's own code makes of events, for the tests, which have no Go: `npx tsx conformance/facts/record.ts`. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { QUEUE_EVENTS } from '../../test/contract/aws/samples';
import { build } from '../go';

const RECORD = join(__dirname, '../../test/conformance/facts.json');

const questions = { events: QUEUE_EVENTS };
const answers = execFileSync(build({ command: 'facts', program: 'facts' }), { input: JSON.stringify(questions), encoding: 'utf8' });
writeFileSync(RECORD, `${JSON.stringify(JSON.parse(answers), null, 1)}\n`);
console.log(`${RECORD}: ${Object.keys(QUEUE_EVENTS).length} events`);
