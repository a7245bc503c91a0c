/**
 * Records the oracle's answers for the tests, as `npx tsx conformance/disruption/record.ts SEED COUNT [FROM [FEATURES]]`. Needs Go. In
 * test/conformance/fixtures/disruption.jsonl are, one after the other, those of
 *
 *     31 270
 *     31 20 270 placementGroups
 *     31 50 300 driftOfReservedNodes,repairOfReservedNodes
 */
import { disruptionContest } from './contest';
import { DisruptionOracle } from './oracle';
import { fail, record, recordOptions } from '../recorder';

record(DisruptionOracle, disruptionContest, recordOptions(process.argv)).catch(fail);
