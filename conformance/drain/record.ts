/**
 * Records the oracle's answers for the tests, as `npx tsx conformance/drain/record.ts SEED COUNT`. Needs Go. In
 * test/conformance/fixtures/drain.jsonl are those of
 *
 *     31 160
 */
import { drainContest } from './contest';
import { DrainOracle } from './oracle';
import { fail, record, recordOptions } from '../recorder';

record(DrainOracle, drainContest, recordOptions(process.argv)).catch(fail);
