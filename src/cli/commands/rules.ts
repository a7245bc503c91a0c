import { Command } from 'commander';
import { jsonText } from '../../model';
import type { Rule, Severity } from '../../validation';
import { Io, UsageError } from '../io';
import { lazy } from '../lazy';
import { choiceOption, quoted, suggestion } from '../options/choice-option';
import { textOptions, writeResult } from '../output/output';
import { readRulePage, renderRulePage } from '../output/rule-page';
import { textTable } from '../output/text-table';

interface RulesFlags {
  readonly format: 'table' | 'json';
  readonly severity?: Severity;
  readonly chapter?: string;
  readonly search?: string;
  readonly output?: string;
}

const SEVERITIES: readonly Severity[] = ['error', 'warning', 'info'];

const HELP = `
With the id of a rule, its page is printed: what happens and why it matters, a
bad and a good manifest, how to acknowledge a finding, and links.

Examples:
  karpenter-constructs rules
  karpenter-constructs rules KARP-402
  karpenter-constructs rules --severity error --search queue
  karpenter-constructs rules --format json`;

export function addRulesCommand(program: Command, io: Io): void {
  program
    .command('rules')
    .description('Lists the rules of check, or explains rules with examples.')
    .argument('[id...]', 'rules to explain, for example KARP-402')
    .addOption(choiceOption('--severity <severity>', 'list only rules of this severity', SEVERITIES))
    .option('--chapter <text>', 'list only rules of chapters whose title contains the text, for example storage')
    .option('--search <text>', 'list only rules whose name or summary contains the text')
    .addOption(choiceOption('--format <format>', 'output format', ['table', 'json']).default('table'))
    .option('--output <file>', 'write the result to a file instead of standard output')
    .addHelpText('after', HELP)
    .action((ids: string[], flags: RulesFlags) =>
      writeResult(io, flags.output, ids.length === 0 ? list(flags) : pages(ids, flags, io)),
    );
}

function list(flags: RulesFlags): string {
  const rules = selectedRules(flags);
  return flags.format === 'json' ? jsonText(rules.map(describe)) : rulesTable(rules);
}

function selectedRules({ severity, chapter, search }: RulesFlags): readonly Rule[] {
  const { RULES, RULE_CHAPTERS, chapterOf } = lazy.validation;
  if (chapter !== undefined && !RULE_CHAPTERS.some((title) => contains(title, chapter))) {
    throw new UsageError(`--chapter: unknown chapter ${quoted(chapter)}; ${suggestion(chapter, RULE_CHAPTERS)}`);
  }
  return RULES.filter(
    (rule) =>
      (severity === undefined || rule.severity === severity) &&
      (chapter === undefined || contains(chapterOf(rule.id)!, chapter)) &&
      (search === undefined || contains(`${rule.id} ${rule.name} ${rule.summary}`, search)),
  );
}

function pages(ids: readonly string[], { severity, chapter, search, ...flags }: RulesFlags, io: Io): string {
  if ([severity, chapter, search].some((filter) => filter !== undefined)) {
    throw new UsageError(
      '--severity, --chapter and --search select rules of the list; leave them out if you name rules',
    );
  }
  const rules = [...new Set(ids)].map(ruleOf);
  if (flags.format === 'json')
    return jsonText(rules.map((rule) => ({ ...describe(rule), page: readRulePage(rule.id) })));
  const columns = flags.output === undefined ? io.columns : undefined;
  return rules
    .map(({ id }) => {
      const page = renderRulePage(readRulePage(id), columns, textOptions(io, flags.output).color === true);
      return `${page}\nThis page, with links to the example files:\n${lazy.validation.rulePageUrl(id)}\n`;
    })
    .join('\n');
}

/** @param text an id in any case, or only its number */
function ruleOf(text: string): Rule {
  const { RULES } = lazy.validation;
  const id = /^\d+$/.test(text) ? `KARP-${text.padStart(3, '0')}` : text.toUpperCase();
  const rule = RULES.find((candidate) => candidate.id === id || candidate.name === text);
  if (rule) return rule;
  throw new UsageError(`unknown rule ${quoted(text)}; \`karpenter-constructs rules\` lists all rules`);
}

function describe({ id, name, severity, summary }: Rule): Record<string, unknown> {
  const { chapterOf, rulePageUrl } = lazy.validation;
  return { id, name, severity, summary, chapter: chapterOf(id), url: rulePageUrl(id) };
}

function rulesTable(rules: readonly Rule[]): string {
  if (rules.length === 0) return 'No rule matches.\n';
  return textTable([
    ['RULE', 'SEVERITY', 'NAME', 'SUMMARY'],
    ...rules.map(({ id, name, severity, summary }) => [id, severity, name, summary]),
  ]);
}

function contains(text: string, part: string): boolean {
  return text.toLowerCase().includes(part.toLowerCase());
}
