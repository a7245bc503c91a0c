import { Command } from 'commander';
import { Io } from '../io';
import { lazy } from '../lazy';
import { choiceOption } from '../options/choice-option';
import { formatTable, PLAIN_TABLE, writeResult } from '../output/output';

interface RulesFlags { readonly format: 'table' | 'json'; readonly output?: string }

const HELP = `
Examples:
  karpenter-constructs rules
  karpenter-constructs rules --format json`;

export function addRulesCommand(program: Command, io: Io): void {
  program.command('rules')
    .description('Lists the rules of check.')
    .addOption(choiceOption('--format <format>', 'output format', ['table', 'json']).default('table'))
    .option('--output <file>', 'write the result to a file instead of standard output')
    .addHelpText('after', HELP)
    .action((flags: RulesFlags) => writeResult(io, flags.output, flags.format === 'json' ? rulesJson() : rulesTable()));
}

function rulesJson(): string {
  const rules = lazy.validation.RULES.map(({ id, name, severity, summary }) => ({ id, name, severity, summary }));
  return `${JSON.stringify(rules, undefined, 2)}\n`;
}

function rulesTable(): string {
  const table = new lazy.Table({ ...PLAIN_TABLE, head: ['RULE', 'SEVERITY', 'NAME', 'SUMMARY'] });
  table.push(...lazy.validation.RULES.map(({ id, name, severity, summary }) => [id, severity, name, summary]));
  return formatTable(table.toString());
}
