import { ApiMember, ApiType, MemberGroup } from './api-model';
import { anchorOf } from './headings';

/** What each submodule has, with the page that explains it. */
const SUBMODULES: Readonly<Partial<Record<string, string>>> = {
  assertions: 'What Karpenter will do, in tests. [Guide](../assertions.md).',
  infra: "Karpenter's side of an AWS account. [Guide](../infra.md).",
  interruption: 'The interruption queue and AWS Node Termination Handler. [Guide](../interruption.md).',
  nodes: 'NodePools, node classes, overlays and capacity buffers. [Guide](../nodes.md).',
  plugins: 'The verdict as part of a synth. [Guide](../plugins.md).',
  setups: 'NodePools for production. [Guide](../setups.md).',
  workloads: 'Workloads that keep running while their nodes are replaced. [Guide](../workloads.md).',
};
const ORDER: readonly ApiType['kind'][] = ['Construct', 'Class', 'Struct', 'Enum', 'Protocol'];
const HEADINGS: Readonly<Partial<Record<MemberGroup, string>>> = { 'Static Functions': 'Static methods' };

/** The pages of the API reference in the site, by their names: one for each submodule, and `index`. */
export function apiPages(types: readonly ApiType[]): Map<string, string> {
  const submodules = [...new Set(types.map(({ submodule }) => submodule))].sort();
  const anchors = new Map(
    types.map(({ submodule, name }) => [`${submodule}.${name}`, `${submodule}.md#${anchorOf(name)}`]),
  );
  return new Map([
    ['index', indexPage(submodules, types)],
    ...submodules.map(
      (submodule) =>
        [
          submodule,
          submodulePage(
            submodule,
            types.filter((type) => type.submodule === submodule),
            anchors,
          ),
        ] as const,
    ),
  ]);
}

function indexPage(submodules: readonly string[], types: readonly ApiType[]): string {
  const rows = submodules.map((submodule) => {
    const constructs = types
      .filter((type) => type.submodule === submodule && type.kind === 'Construct')
      .map(({ name }) => `[${name}](${submodule}.md#${anchorOf(name)})`);
    return `| [${submodule}](${submodule}.md) | ${descriptionOf(submodule)} | ${constructs.join(', ')} |`;
  });
  return (
    [
      '---\neditLink: false\n---\n# API reference',
      'Names are those of TypeScript. [From Python, Java, Go and C#](../languages.md) shows how they change.',
      ['| Submodule | About | Constructs |', '|---|---|---|', ...rows].join('\n'),
    ].join('\n\n') + '\n'
  );
}

function submodulePage(submodule: string, types: readonly ApiType[], anchors: ReadonlyMap<string, string>): string {
  const sorted = [...types].sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind) || (a.name < b.name ? -1 : 1));
  const kinds = ORDER.filter((kind) => sorted.some((type) => type.kind === kind));
  return (
    [
      `---\neditLink: false\noutline: 2\n---\n# ${submodule}`,
      descriptionOf(submodule),
      `\`import { ${submodule} } from 'karpenter-constructs';\``,
      ...kinds.map(
        (kind) =>
          `**${kind === 'Class' ? 'Classes' : `${kind}s`}:** ${sorted
            .filter((type) => type.kind === kind)
            .map(({ name }) => `[${name}](#${anchorOf(name)})`)
            .join(' · ')}`,
      ),
      ...sorted.flatMap((type) => typeSection(type, anchors)),
    ].join('\n\n') + '\n'
  );
}

function descriptionOf(submodule: string): string {
  const description = SUBMODULES[submodule];
  if (description === undefined) throw new Error(`no description of the submodule ${submodule}; add it to SUBMODULES`);
  return description;
}

function typeSection(type: ApiType, anchors: ReadonlyMap<string, string>): string[] {
  const groups = [...new Set(type.members.map(({ group }) => group))];
  return [
    `## ${type.name}`,
    `<p class="api-kind">${type.kind}</p>`,
    ...(type.description === '' ? [] : [safe(type.description)]),
    ...groups.flatMap((group) =>
      groupSection(
        group,
        type.members.filter((member) => member.group === group),
        anchors,
      ),
    ),
  ];
}

function groupSection(
  group: MemberGroup,
  members: readonly ApiMember[],
  anchors: ReadonlyMap<string, string>,
): string[] {
  if (group === 'Initializers') return members.map(({ code }) => `\`\`\`typescript\n${code}\n\`\`\``);
  if (group === 'Constants' || group === 'Members')
    return table(
      HEADINGS[group] ?? group,
      ['Name', 'Description'],
      members.map((member) => [nameCell(member), textCell(member.description)]),
    );
  if (group === 'Properties')
    return table(
      group,
      ['Name', 'Type', 'Description'],
      members.map((member) => [nameCell(member), typeCell(member.type, anchors), propertyText(member)]),
    );
  return table(
    HEADINGS[group] ?? group,
    ['Name', 'Description'],
    members.map((member) => [`\`${member.name}\``, `${codeCell(member.code)}${textCell(member.description)}`]),
  );
}

function table(heading: string, columns: readonly string[], rows: ReadonlyArray<readonly string[]>): string[] {
  if (rows.length === 0) return [];
  return [
    `**${heading}**`,
    [columns, columns.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n'),
  ];
}

function nameCell({ name, isRequired, group }: ApiMember): string {
  return `\`${name}\`${isRequired && group === 'Properties' ? ' *' : ''}`;
}

function propertyText({ description, default: standard }: ApiMember): string {
  return [textCell(description), standard === '' ? '' : `Default: ${textCell(standard)}`]
    .filter((text) => text !== '')
    .join('<br>');
}

/** The signature of a method without its namespace and modifiers. */
function codeCell(code: string): string {
  const line = code
    .replace(/^public (?:static )?/, '')
    .replace(/\s+/g, ' ')
    .replace(/^\w+\.(?=[A-Z]\w*\.)/, '');
  return line === '' ? '' : `${inlineCode(line)}<br>`;
}

/** A type; those of this library are linked. */
function typeCell(type: string, anchors: ReadonlyMap<string, string>): string {
  const short = type.replaceAll(/(?:[\w-]+\.)+(?=[A-Z])/g, '');
  const [, own] = /karpenter-constructs\.([\w.]+)/.exec(type) ?? [];
  const target = own === undefined ? undefined : anchors.get(own);
  return target === undefined ? inlineCode(short) : `[${inlineCode(short)}](${target})`;
}

function inlineCode(text: string): string {
  return `\`${text.replaceAll('|', '\\|')}\``;
}

function textCell(text: string): string {
  return safe(text)
    .replaceAll('|', '\\|')
    .replaceAll(/\n{2,}/g, '<br>')
    .replaceAll('\n', ' ');
}

/** Text outside of code in which the page compiler must not see tags or expressions. */
function safe(text: string): string {
  return text
    .split(/(```.*?```|`[^`]*`)/s)
    .map((part, index) =>
      index % 2 === 1 ? part : part.replaceAll(/<(?!br>)/g, '&lt;').replaceAll('{{', '&#123;&#123;'),
    )
    .join('');
}
