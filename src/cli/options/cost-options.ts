import { Command, Option } from 'commander';
import { UsageError } from '../io';
import { lazy } from '../lazy';
import { quoted } from './choice-option';

/** The options as commander parses them. */
export interface CostFlags {
  readonly costBy?: string;
}

export function addCostOptions(command: Command, defaultText = ''): Command {
  return command.addOption(
    new Option(
      '--cost-by <what>',
      `who pays for the nodes: by workload, namespace, pool, node, or a label of pods, for example label:team${defaultText}`,
    ).argParser(parseCostBy),
  );
}

function parseCostBy(text: string): string {
  if (lazy.validation.isCostBy(text)) return text;
  throw new UsageError(
    `--cost-by: unknown value ${quoted(text)}; write workload, namespace, pool, node, or a label such as label:team`,
  );
}
