/**
 * Records the oracle's answers for the tests: `npx tsx conformance/drain/record.ts SEED COUNT`. Needs Go.
 * test/conformance/fixtures/drain.jsonl holds the answers of
 *
 *     31 160
 */
import { drainComparison } from './comparison';
import { DrainOracle } from './oracle';
import { fail, record, recordOptions } from '../recorder';

record(DrainOracle, drainComparison, recordOptions(process.argv)).catch(fail);
