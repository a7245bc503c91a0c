/**
 * Records the oracle's answers for the tests: `npx tsx conformance/disruption/record.ts SEED COUNT [FROM] > test/conformance/fixtures/disruption.jsonl`.
 * Needs Go. Scenarios on which the two differ are left out and said so, as they have to be looked at first.
 */
import { DisruptionAnswer } from './answer';
import { difference } from './equivalence';
import { DisruptionOracle } from './oracle';
import { ours } from './ours';
import { brief, scenarioHash } from './recording';
import { generate } from './scenario/generate';

/** Beyond, a recording is long, and says little more. */
const MOST_NODES = 16;

async function record(seed: number, count: number, from = 0): Promise<void> {
  const oracles = [await DisruptionOracle.start(), await DisruptionOracle.startInMapOrder()];
  for (let number = from; number < from + count; number += 1) {
    const scenario = generate(seed, number);
    const mine = ours(scenario);
    if (mine.notEvaluated.length > 0 || scenario.cluster.split('"kind":"NodeClaim"').length > MOST_NODES) continue;
    let agreed: DisruptionAnswer | undefined;
    for (const oracle of oracles) {
      const answer = agreed ?? await oracle.decide(scenario);
      if (difference(answer, mine) === undefined) agreed = answer;
    }
    if (agreed === undefined) console.error(`${scenario.name}: left out, the answers differ`);
    else console.log(JSON.stringify({ seed, number, hash: scenarioHash(scenario), answer: brief(agreed) }));
  }
  for (const each of oracles) each.stop();
}

const [seed, count, from] = process.argv.slice(2).map(Number);
record(seed, count, from).catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
