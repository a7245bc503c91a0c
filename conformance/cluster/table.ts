/**
 * Prints the tables of docs/conformance.md: the stored recordings, and what `check` predicts for them.
 *
 *     npx tsx conformance/cluster/table.ts
 */
import { commandText, compareFleet, sameCommands, secondsOf } from '../../test/support/real-fleets/comparison';
import { REAL_FLEETS, RealFleet } from '../../test/support/real-fleets/fleets';
import { Prediction, predict, predictDisruption, Range } from '../../test/support/real-fleets/prediction';
import { Command, Recording } from '../../test/support/real-fleets/recording';
import { readCluster, readRecordings } from '../../test/support/real-fleets/stored';

const row = (...cells: string[]) => `| ${cells.join(' | ')} |`;
const bold = (text: string, isMiss: boolean) => (isMiss ? `**${text}**` : text);

function rangeText({ least, median, most }: Range, digits: number): string {
  const [from, middle, to] = [least, median, most].map((figure) => figure.toFixed(digits));
  return from === to ? from : `${from} to ${to}, median ${middle}`;
}

function fleetRow({ title }: RealFleet, draws: readonly Recording[], prediction: Prediction): string {
  const compared = draws.map((draw) => ({ ...draw.settled, ...compareFleet(draw, prediction) }));
  const pending = compared.filter(({ pendingPods }) => pendingPods > 0).map(({ pendingPods }) => pendingPods);
  return row(
    pending.length > 0 ? `${title}; ${pending.join(' and ')} pods pending` : title,
    compared.map(({ nodes, isNodes }) => bold(String(nodes), !isNodes)).join(' and '),
    rangeText(prediction.nodes, 0),
    compared.map(({ usdPerHour, isCost }) => bold(usdPerHour.toFixed(2), !isCost)).join(' and '),
    rangeText(prediction.usdPerHour, 2),
    compared.map(({ medianError }) => `${(100 * medianError).toFixed(1)}%`).join(' and '),
  );
}

function commandRows(fleet: RealFleet, draws: readonly Recording[]): string[] {
  return draws.flatMap(({ disruption }, draw) => {
    if (!disruption) return [];
    const { commands } = predictDisruption(fleet, readCluster(fleet.name, draw));
    const ours = commands.filter(({ second }) => second <= disruption.recorded);
    const same = sameCommands(disruption.commands, ours);
    const [real, predicted] = [disruption.commands, ours].map((all) => secondsOf(all.slice(0, same)) ?? 0);
    return [
      row(
        `${fleet.title}, recording ${draw + 1}`,
        commandsText(disruption.commands),
        same === ours.length && same === disruption.commands.length ? 'the same' : commandsText(ours),
        `${Math.round(real)} s`,
        `${Math.round(predicted)} s`,
      ),
    ];
  });
}

/** Equal commands in sequence are counted. */
function commandsText(commands: readonly Command[]): string {
  const texts = commands.map(commandText);
  const starts = texts.flatMap((text, index) => (text === texts[index - 1] ? [] : [index]));
  return starts
    .map((start, index) => {
      const count = (starts[index + 1] ?? texts.length) - start;
      return count === 1 ? texts[start] : `${count} times ${texts[start]}`;
    })
    .join('; ');
}

function main(): void {
  const { versions, fleets } = readRecordings();
  console.log(`${JSON.stringify(versions)}\n`);
  const recorded = REAL_FLEETS.filter(({ name }) => fleets[name]);
  console.log(row('fleet', 'recorded nodes', 'predicted', 'recorded $/h', 'predicted', 'from the median'));
  console.log(row('---', '---', '---', '---', '---', '---'));
  for (const fleet of recorded) console.log(fleetRow(fleet, fleets[fleet.name], predict(fleet)));
  console.log(
    `\n${row('fleet', 'recorded', 'predicted', 'done after', 'predicted')}\n${row('---', '---', '---', '---', '---')}`,
  );
  for (const fleet of recorded) for (const line of commandRows(fleet, fleets[fleet.name])) console.log(line);
}

main();
