/**
 * Records the oracle's answers for the tests: `npx tsx conformance/simulation/record.ts SEED COUNT`. Needs Go.
 * test/conformance/fixtures/simulation.jsonl holds the answers of
 *
 *     31 90
 *     53 1 172
 *     54 1 531
 *     55 1 267
 *     55 1 287
 *     58 1 126
 *     58 1 274
 *     58 1 204
 */
import { simulationComparison } from './comparison';
import { SimulationOracle } from './oracle';
import { fail, record, recordOptions } from '../recorder';

record(SimulationOracle, simulationComparison, recordOptions(process.argv)).catch(fail);
