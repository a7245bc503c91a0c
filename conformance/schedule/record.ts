/**
 * Records the oracle's answers for the tests: `npx tsx conformance/schedule/record.ts SEED COUNT [FROM [FEATURES]] > test/conformance/fixtures/schedule.jsonl`.
 * Needs Go. The tests have those of `7 420`.
 */
import { scheduleContest } from './contest';
import { Oracle } from './oracle';
import { fail, record, recordOptions } from '../recorder';

record(Oracle, scheduleContest, recordOptions(process.argv)).catch(fail);
