/**
 * Runs fleets on a real control plane with the real Karpenter, and compares the recordings with the predictions of
 * `check`. The last line is one JSON object. The exit code is 1 if a fleet cannot be recorded, or if too many figures
 * lie outside of the predicted ranges.
 *
 *     npm run conformance:cluster -- [--only plain,drift] [--draws 2] [--jobs 1] [--keep dist/timelines] [--record]
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { buildPrograms, Programs } from './programs';
import { recordFleet } from './record-fleet';
import { saveRecordings, StoredRecording } from './store';
import { commandText, compareFleet } from '../../test/support/real-fleets/comparison';
import { REAL_FLEETS, RealFleet } from '../../test/support/real-fleets/fleets';
import { Prediction, predict, predictDisruption } from '../../test/support/real-fleets/prediction';
import { Command as DisruptionCommand, dumpOf, Recording, recordingOf } from '../../test/support/real-fleets/recording';
import { wholeNumber } from '../options';

/** The share of the figures that must lie within the predicted ranges. */
const GOAL = 0.9;

interface Options {
  readonly only?: readonly string[];
  readonly draws: number;
  readonly jobs: number;
  readonly keep?: string;
  readonly record?: boolean;
}

function options(): Options {
  return new Command('conformance:cluster')
    .description('Runs fleets on a real control plane with the real Karpenter, and compares them with the predictions')
    .option('--only <fleets>', 'fleets to run', (text) => text.split(','))
    .option('--draws <n>', 'how often to run each fleet', wholeNumber, 2)
    .option('--jobs <n>', 'how many control planes run at the same time', wholeNumber, 1)
    .option('--keep <folder>', 'folder for the complete recordings')
    .option('--record', 'write the recordings that the tests use')
    .parse(process.argv)
    .opts();
}

const range = ({ least, median, most }: Prediction['nodes'], digits: number) =>
  `${least.toFixed(digits)} to ${most.toFixed(digits)}, median ${median.toFixed(digits)}`;

function report(fleet: RealFleet, recording: Recording, prediction: Prediction, dump?: readonly object[]): string[] {
  const { settled, disruption } = recording;
  const { isNodes, isCost, medianError } = compareFleet(recording, prediction);
  const mark = (isWithin: boolean) => (isWithin ? '' : ' (outside)');
  const lines = [
    `${settled.nodes} nodes${mark(isNodes)}, predicted ${range(prediction.nodes, 0)}`,
    `$${settled.usdPerHour.toFixed(3)}/h${mark(isCost)}, predicted ${range(prediction.usdPerHour, 3)}; ${(100 * medianError).toFixed(1)}% from the median`,
    `first pass ${JSON.stringify(recording.firstPass)}, predicted ${JSON.stringify(prediction.firstPass)}`,
  ];
  if (disruption && dump) {
    const text = (command: DisruptionCommand) =>
      `${command.second} s: ${commandText(command)} (${command.duration ?? '?'} s)`;
    const predicted = predictDisruption(fleet, dump);
    lines.push(`commands: ${disruption.commands.map(text).join('; ')}; ends with ${JSON.stringify(disruption.end)}`);
    lines.push(`predicted: ${predicted.commands.map(text).join('; ')}; ends with ${JSON.stringify(predicted.end)}`);
  }
  return lines;
}

async function main(): Promise<void> {
  const { only, draws, jobs, keep, record } = options();
  const fleets = REAL_FLEETS.filter(({ name }) => only === undefined || only.includes(name));
  const programs = buildPrograms((line) => console.log(line));
  console.log(JSON.stringify(programs.versions));
  const queue = fleets.flatMap((fleet) => Array.from({ length: draws }, (_, draw) => ({ fleet, draw })));
  const stored: StoredRecording[] = [];
  let failed = 0;
  const work = async (_: unknown, slot: number) => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const { fleet, draw } = next;
      try {
        stored.push(await recordOne(fleet, draw, programs, slot, keep));
      } catch (error) {
        failed++;
        console.log(`${fleet.name}: ${error instanceof Error ? error.message : error}`);
      }
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  if (record) saveRecordings(programs.versions, stored);
  const summary = summaryOf(stored);
  const isGood = failed === 0 && summary.within >= GOAL * summary.figures;
  if (!isGood) process.exitCode = 1;
  console.log(JSON.stringify({ recorded: stored.length, failed, ...summary }));
}

/** How many of the recorded node counts and costs lie within the predicted ranges. */
function summaryOf(stored: readonly StoredRecording[]): { readonly figures: number; readonly within: number } {
  const fleets = new Map(REAL_FLEETS.map((fleet) => [fleet.name, fleet]));
  const results = stored.flatMap(({ fleet, recording }) => {
    const { isNodes, isCost } = compareFleet(recording, predict(fleets.get(fleet)!));
    return [isNodes, isCost];
  });
  return { figures: results.length, within: results.filter(Boolean).length };
}

async function recordOne(
  fleet: RealFleet,
  draw: number,
  programs: Programs,
  slot: number,
  keep?: string,
): Promise<StoredRecording> {
  const lines = await recordFleet(fleet, programs, slot);
  if (keep !== undefined) {
    mkdirSync(keep, { recursive: true });
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    writeFileSync(join(keep, `${fleet.name}-${draw}.jsonl`), text);
  }
  const recording = recordingOf(fleet, lines);
  const dump = dumpOf(lines);
  for (const line of report(fleet, recording, predict(fleet), dump)) console.log(`${fleet.name} ${draw}: ${line}`);
  return { fleet: fleet.name, draw, recording, ...(dump && fleet.scenario ? { dump } : {}) };
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
