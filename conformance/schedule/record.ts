/**
 * Records the oracle's answers for the tests: `npx tsx conformance/schedule/record.ts SEED COUNT [FROM] > test/conformance/fixtures/schedule.jsonl`.
 * Needs Go. Scenarios on which the two differ are left out and said so, as they have to be looked at first.
 */
import { Answer } from './answer';
import { compare } from './equivalence';
import { Oracle } from './oracle';
import { ours } from './ours';
import { brief, scenarioHash } from './recording';
import { freeZones, generate } from './scenario/generate';

/** Beyond, a recording is long, and says little more. */
const MOST_PODS = 150;

async function record(seed: number, count: number, from = 0): Promise<void> {
  const oracles = [await Oracle.start(), await Oracle.startInMapOrder()];
  for (let number = from; number < from + count; number += 1) {
    const scenario = generate(seed, number);
    const mine = ours(scenario);
    if (mine.notEvaluated.length > 0 || mine.workloadOf.size > MOST_PODS) continue;
    let agreed: Answer | undefined;
    for (const oracle of oracles) {
      const [answer] = agreed ? [agreed] : await oracle.solve(scenario, 1);
      if (compare(answer, mine, mine.workloadOf, freeZones(scenario)).verdict !== 'different') agreed = answer;
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
