import { createColors } from 'picocolors';
import { clockText, jsonText } from '../../../model';
import { NodeExplanation, NodeExplanations } from '../../scenario/explain-nodes';
import { Colors, TextOptions, withoutControlCharacters } from '../wording';
import { changeLines, eventText, nodeText, staysHeadline } from './stays';
import { notesSections } from './text';

/** The result of `explain --node` as text. */
export function renderNodesText(explanations: NodeExplanations, { color = false }: TextOptions = {}): string {
  const printable = withoutControlCharacters(explanations);
  const colors = createColors(color);
  const { nodes, stays } = printable;
  const blocks = nodes.map((node) => describeNode(node, printable, colors).join('\n'));
  const headline =
    stays && stays.nodes.length > 0 ? [`In the whole cluster, ${staysHeadline(stays, printable.currency)}.`] : [];
  const notes = notesSections(printable).map(({ title, lines }) => [colors.bold(title), ...lines].join('\n'));
  return `${[...blocks, ...headline, ...notes].join('\n\n')}\n`;
}

/** The result of `explain --node` as JSON. The same input gives the same bytes. */
export function renderNodesJson({ nodes }: Pick<NodeExplanations, 'nodes'>): string {
  return jsonText(nodes);
}

function describeNode({ node, stays: stay, events }: NodeExplanation, all: NodeExplanations, colors: Colors): string[] {
  const timeline = events.map(({ second, what }) => `  ${clockText(second).padStart(9)}  ${what}`);
  if (!stay) {
    const isDone = events.some(({ what }) => what === `${node} is terminated`);
    const title = isDone
      ? `${node} is removed by consolidation`
      : `${node}: the simulation ended before it was decided`;
    return [colors.bold(title), ...timeline];
  }
  const { currency = 'USD', stays } = all;
  const facts = [stay.nodePool === undefined ? '' : `NodePool ${stay.nodePool}`, nodeText([stay], currency)];
  return [
    colors.bold(`${node} stays (${facts.filter((fact) => fact !== '').join(', ')})`),
    `  ${stay.why}`,
    `  ${eventText(stay)}`,
    ...(stay.until === undefined ? [] : [`  until ${stay.until}`]),
    ...changeLines(stay, stays!, stay.savesUsdPerHour, currency).map((line) => `  ${line}`),
    ...timeline,
  ];
}
