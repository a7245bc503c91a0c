import { createColors } from 'picocolors';
import { Verdict } from '../../vocabulary/verdict';
import { nodesAboveBound } from '../above-bound';
import { aboveBoundSentences, aboveBoundTitle } from '../bound-gap';
import { Colors, Section, TextOptions, withoutControlCharacters } from '../wording';
import { describeAcknowledged } from './acknowledged';
import { describeAssumptions, shortAssumptions } from './assumptions';
import { describeCosts } from './costs';
import { describeFindings } from './findings';
import { describeErrors } from './frames';
import { headline } from './headline';
import { Layout } from './layout';
import { describeNodeTable } from './node-table';
import {
  describeCapacityBuffers,
  describeFilledNodes,
  describeNodeClaims,
  describeNodePools,
  shortNodePools,
} from './nodes';
import { describePlacements } from './placements';
import { describePodsWithoutNode, shortPodsWithoutNode } from './pods';
import { describeInfos, describeWarnings } from './warnings';

/**
 * The verdict as text: the outcome, errors, pods without a node, nodes, warnings and assumptions. It fits on a screen
 * for a small setup; `verbose` adds the details.
 */
export function renderText(rawVerdict: Verdict, options: TextOptions = {}): string {
  const verdict = withoutControlCharacters(rawVerdict);
  const layout = new Layout(options);
  const blocks = [
    headline(verdict, layout.colors)
      .map((line) => layout.wrap(line))
      .join('\n'),
    ...describeErrors(verdict.findings, layout),
    ...(layout.verbose ? detailBlocks(verdict, layout) : shortBlocks(verdict, layout)),
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

/** Only the given parts of the text, without empty ones. */
export function renderParts(verdict: Verdict, parts: readonly VerdictPart[]): string {
  const printable = withoutControlCharacters(verdict);
  const colors = createColors(false);
  return parts
    .flatMap((part) => sectionsOf(part, printable, colors))
    .filter(({ lines }) => lines.length > 0)
    .map(({ title, lines }) => [title, ...lines].join('\n'))
    .join('\n\n');
}

export { countsText, outcome } from './headline';

export type VerdictPart =
  | 'node-pools'
  | 'nodes'
  | 'placements'
  | 'capacity-buffers'
  | 'pods-without-node'
  | 'findings'
  | 'acknowledged'
  | 'assumptions';

/** The sections of a part in all detail, without wrapping. They may have no lines. */
export function sectionsOf(part: VerdictPart, verdict: Verdict, colors: Colors): Section[] {
  switch (part) {
    case 'node-pools':
      return [describeNodePools(verdict)];
    case 'nodes':
      return [describeFilledNodes(verdict), describeNodeClaims(verdict)];
    case 'placements':
      return [
        {
          title: 'Placements',
          lines: describePlacements(verdict.placements, colors)
            .flat()
            .map((line) => `  ${line}`),
        },
      ];
    case 'capacity-buffers':
      return [describeCapacityBuffers(verdict)];
    case 'pods-without-node':
      return describePodsWithoutNode(verdict);
    case 'findings':
      return [describeFindings(verdict, colors)];
    case 'acknowledged':
      return [describeAcknowledged(verdict)];
    case 'assumptions':
      return [describeAssumptions(verdict)];
  }
}

function shortBlocks(verdict: Verdict, layout: Layout): string[] {
  const blockOf = (section: Section) => blockText(section, layout);
  return [
    ...shortPodsWithoutNode(verdict).map(blockOf),
    describeNodeTable(verdict, layout).join('\n'),
    ...(verdict.nodes.length === 0 ? [blockOf(shortNodePools(verdict, layout))] : []),
    ...(verdict.costs === undefined ? [] : [describeCosts(verdict.costs, layout)]),
    aboveBoundBlock(verdict, layout),
    ...(['placements', 'capacity-buffers'] as const)
      .flatMap((part) => sectionsOf(part, verdict, layout.colors))
      .map(blockOf),
    [...describeWarnings(verdict, layout), ...describeInfos(verdict.findings, layout)].join('\n'),
    blockOf(describeAcknowledged(verdict)),
    blockOf(shortAssumptions(verdict, layout)),
  ];
}

function detailBlocks(verdict: Verdict, layout: Layout): string[] {
  const blockOf = (section: Section) => blockText(section, layout);
  const blocksOf = (part: VerdictPart) => sectionsOf(part, verdict, layout.colors).map(blockOf);
  const others = verdict.findings.filter(({ severity }) => severity !== 'error');
  return [
    ...blocksOf('pods-without-node'),
    describeNodeTable(verdict, layout).join('\n'),
    blockOf(describeFilledNodes(verdict, Infinity)),
    blockOf({ ...describeNodeClaims(verdict, Infinity), title: 'New nodes' }),
    ...(verdict.costs === undefined ? [] : [describeCosts(verdict.costs, layout)]),
    aboveBoundBlock(verdict, layout),
    ...(['node-pools', 'placements', 'capacity-buffers'] as const).flatMap(blocksOf),
    blockOf(describeFindings({ findings: others }, layout.colors, 'Warnings and notes')),
    ...(['acknowledged', 'assumptions'] as const).flatMap(blocksOf),
  ];
}

function aboveBoundBlock(verdict: Verdict, layout: Layout): string {
  if (nodesAboveBound(verdict).length === 0 && verdict.cheaper === undefined && !layout.verbose) return '';
  const lines = aboveBoundSentences(verdict).map((sentence) => `  ${sentence}`);
  return blockText({ title: aboveBoundTitle(verdict), lines }, layout);
}

/** A title and its lines; empty without lines. */
function blockText({ title, lines }: Section, layout: Layout): string {
  return lines.length === 0 ? '' : [layout.colors.bold(title), ...lines.map((line) => layout.wrap(line))].join('\n');
}
