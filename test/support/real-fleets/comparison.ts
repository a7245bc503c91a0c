/** Compares recorded fleets with the ranges that `check` predicts. */

import { Prediction, Range } from './prediction';
import { Command, Recording } from './recording';

/** Predicted costs are rounded sums. */
const TOLERANCE_USD = 0.0005;

export interface FleetComparison {
  /** Whether the nodes, and their cost, are within the predicted range. */
  readonly isNodes: boolean;
  readonly isCost: boolean;
  readonly isFirstPass: boolean;
  /** How far the predicted median cost is from the recorded cost, as a share of it. */
  readonly medianError: number;
}

const isWithin = ({ least, most }: Range, figure: number, tolerance = 0) =>
  figure >= least - tolerance && figure <= most + tolerance;

/** Whether the figures of a recording lie within the predicted ranges. */
export function compareFleet({ settled, firstPass }: Recording, prediction: Prediction): FleetComparison {
  const isSameCost = Math.abs(firstPass.usdPerHour - prediction.firstPass.usdPerHour) <= TOLERANCE_USD;
  return {
    isNodes: isWithin(prediction.nodes, settled.nodes),
    isCost: isWithin(prediction.usdPerHour, settled.usdPerHour, TOLERANCE_USD),
    isFirstPass: firstPass.nodes === prediction.firstPass.nodes && isSameCost,
    medianError: Math.abs(prediction.usdPerHour.median / settled.usdPerHour - 1),
  };
}

export const commandText = ({ decision, nodes, replacements }: Command): string =>
  decision === 'delete' ? `deletes ${nodes}` : `replaces ${nodes} by ${replacements}`;

/** How many commands have the recorded kind and size, from the first on. */
export function sameCommands(recorded: readonly Command[], predicted: readonly Command[]): number {
  const other = recorded.findIndex(
    (command, index) => index >= predicted.length || commandText(predicted[index]) !== commandText(command),
  );
  return other < 0 ? recorded.length : other;
}

/** From the first command until the nodes of the last one are gone, in seconds; undefined if they are not gone. */
export function secondsOf(commands: readonly Command[]): number | undefined {
  const last = commands[commands.length - 1];
  return last?.duration === undefined ? undefined : last.second + last.duration;
}
