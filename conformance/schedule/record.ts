/**
 * Records the oracle's answers for the tests: `npx tsx conformance/schedule/record.ts SEED COUNT [FROM [FEATURES]] >
 * test/conformance/fixtures/schedule.jsonl`. Needs Go. The fixtures hold the answers of `7 420`, and open differences
 * of other seeds, whose `why` is written by hand.
 */
import { scheduleComparison } from './comparison';
import { ScheduleOracle } from './oracle';
import { fail, record, recordOptions } from '../recorder';

record(ScheduleOracle, scheduleComparison, recordOptions(process.argv)).catch(fail);
