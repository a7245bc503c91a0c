/**
 * Records the oracle's answers for the tests: `npx tsx conformance/disruption/record.ts SEED COUNT [FROM] > test/conformance/fixtures/disruption.jsonl`.
 * Needs Go.
 */
import { disruptionContest } from './contest';
import { DisruptionOracle } from './oracle';
import { fail, record, recordOptions } from '../recorder';

record(DisruptionOracle, disruptionContest, recordOptions(process.argv)).catch(fail);
