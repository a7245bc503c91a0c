/**
 * Records the oracle's answers for the tests: `npx tsx conformance/disruption/record.ts SEED COUNT [FROM [FEATURES]]`.
 * Needs Go. test/conformance/fixtures/disruption.jsonl holds, in this order, the answers of
 *
 *     31 270
 *     31 20 270 placementGroups
 *     31 50 300 driftOfReservedNodes,repairOfReservedNodes
 */
import { disruptionComparison } from './comparison';
import { DisruptionOracle } from './oracle';
import { fail, record, recordOptions } from '../recorder';

record(DisruptionOracle, disruptionComparison, recordOptions(process.argv)).catch(fail);
