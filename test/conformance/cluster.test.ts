import { compareFleet, sameCommands, secondsOf } from '../support/real-fleets/comparison';
import { REAL_FLEETS } from '../support/real-fleets/fleets';
import { predict, predictDisruption } from '../support/real-fleets/prediction';
import { Command, Recording } from '../support/real-fleets/recording';
import { readCluster, readRecordings } from '../support/real-fleets/stored';

/** Recorded figures outside of the predicted range, by fleet. docs/conformance.md says why. */
const MISSES: Readonly<Record<string, { readonly nodes?: readonly number[]; readonly costs?: readonly number[] }>> = {
  spot: { nodes: [7] },
  weighted: { costs: [3.3565] },
  stateful: { nodes: [7], costs: [3.834] },
};

/**
 * How many commands of each draw are the recorded ones, from the first on, and how many were recorded. The default is
 * that all are.
 */
const OTHER_COMMANDS: Readonly<Record<string, ReadonlyArray<readonly [same: number, recorded: number]>>> = {
  consolidation: [
    [3, 4],
    [4, 4],
  ],
};

/** Times until the same commands are done that differ by more than the tolerance, by fleet. */
const OTHER_TIMES: Readonly<Record<string, readonly string[]>> = {
  consolidation: ['130 s, predicted 88 s'],
};
const TIME_TOLERANCE = 0.15;
/** The recordings have a sample every two seconds. */
const RESOLUTION_SECONDS = 2;

const { fleets } = readRecordings();

/** How long the same commands take, if the times differ by more than the tolerance. */
function otherTimes(recorded: readonly Command[], predicted: readonly Command[]): string[] {
  const same = sameCommands(recorded, predicted);
  const [real, ours] = [recorded, predicted].map((commands) => secondsOf(commands.slice(0, same)));
  if (real === undefined || ours === undefined) return [];
  const isNear = Math.abs(real - ours) <= TIME_TOLERANCE * real + RESOLUTION_SECONDS;
  return isNear ? [] : [`${Math.round(real)} s, predicted ${Math.round(ours)} s`];
}

/** Recordings of a real control plane with the real Karpenter: `npm run conformance:cluster -- --record`. */
describe('fleets on a real control plane', () => {
  test.each(REAL_FLEETS)('$name: nodes and cost are in the predicted range, except for the named misses', (fleet) => {
    const prediction = predict(fleet);
    const draws = fleets[fleet.name].map((draw) => ({ ...draw, ...compareFleet(draw, prediction) }));
    expect({
      nodes: draws.filter(({ isNodes }) => !isNodes).map(({ settled }) => settled.nodes),
      costs: draws.filter(({ isCost }) => !isCost).map(({ settled }) => settled.usdPerHour),
    }).toEqual({ nodes: [], costs: [], ...MISSES[fleet.name] });
  });

  test.each(REAL_FLEETS.filter(({ scenario }) => scenario !== undefined))(
    '$name: commands have the recorded kind, size and time, except for the named ones',
    (fleet) => {
      const draws = fleets[fleet.name].map(({ disruption }: Recording, draw) => {
        const { commands } = predictDisruption(fleet, readCluster(fleet.name, draw));
        return { recorded: disruption!.commands, predicted: commands };
      });
      expect(draws.map(({ recorded, predicted }) => [sameCommands(recorded, predicted), recorded.length])).toEqual(
        OTHER_COMMANDS[fleet.name] ?? draws.map(({ recorded }) => [recorded.length, recorded.length]),
      );
      expect(draws.flatMap(({ recorded, predicted }) => otherTimes(recorded, predicted))).toEqual(
        OTHER_TIMES[fleet.name] ?? [],
      );
    },
  );
});
