/**
 * Records the oracle's answers for the tests, as `npx tsx conformance/play/record.ts SEED COUNT`. Needs Go. In
 * test/conformance/fixtures/play.jsonl are those of
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
import { playContest } from './contest';
import { PlayOracle } from './oracle';
import { fail, record, recordOptions } from '../recorder';

record(PlayOracle, playContest, recordOptions(process.argv)).catch(fail);
