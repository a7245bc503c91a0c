/** A class, struct, interface or enum of API.md. */
export interface ApiType {
  readonly submodule: string;
  readonly name: string;
  readonly kind: ApiKind;
  readonly description: string;
  readonly members: ApiMember[];
}

export type ApiKind = 'Construct' | 'Struct' | 'Class' | 'Protocol' | 'Enum';

/** A section heading of a type in API.md. */
export type MemberGroup = 'Initializers' | 'Methods' | 'Static Functions' | 'Properties' | 'Constants' | 'Members';

export interface ApiMember {
  readonly group: MemberGroup;
  readonly name: string;
  /** The line of code that API.md shows, without imports. */
  readonly code: string;
  readonly type: string;
  readonly default: string;
  readonly isRequired: boolean;
  readonly description: string;
}

const KINDS: Readonly<Record<string, ApiKind>> = {
  Constructs: 'Construct',
  Structs: 'Struct',
  Classes: 'Class',
  Protocols: 'Protocol',
  Enums: 'Enum',
};
/** Members that each construct inherits. */
const INHERITED = new Set(['toString', 'with', 'isConstruct', 'node']);

/** The types of API.md, in its order. */
export function readApi(markdown: string): ApiType[] {
  return markdown
    .split(/^## (?=\w+ <a name)/m)
    .slice(1)
    .flatMap((chapter) => {
      const kind = KINDS[/^\w+/.exec(chapter)![0]];
      return chapter
        .split(/^### (?=\S+ <a name)/m)
        .slice(1)
        .map((text) => readType(kind, text));
    });
}

function readType(kind: ApiKind, text: string): ApiType {
  const [, name, path] = /^(\S+) <a name="\S+" id="karpenter-constructs\.([\w.]+)"/.exec(text)!;
  const [head, ...groups] = text.slice(text.indexOf('\n')).split(/^#### (?=[A-Z][\w ]* <a name)/m);
  const members = groups.flatMap((group) => readGroup(name, group));
  return {
    submodule: path.split('.')[0],
    name,
    kind,
    description: prose(head.replace(/^- \*(Extends|Implements|Implemented By):\*.*$/gm, '')),
    members,
  };
}

function readGroup(type: string, text: string): ApiMember[] {
  const group = /^[\w ]+(?= <a)/.exec(text)![0] as MemberGroup;
  // The members of a struct are its properties; its own "Initializer" has an object literal and nothing else.
  if ((group as string) === 'Initializer') return [];
  if (group === 'Initializers') return readInitializer(type, text);
  return text
    .split(/^##### (?=.* <a name)/m)
    .slice(1)
    .map((member) => readMember(group, member))
    .filter(({ name }) => !INHERITED.has(name));
}

function readInitializer(type: string, text: string): ApiMember[] {
  const code = codeOf(text);
  return code === ''
    ? []
    : [{ group: 'Initializers', name: type, code, type: '', default: '', isRequired: false, description: '' }];
}

function readMember(group: MemberGroup, text: string): ApiMember {
  const [heading] = text.split('\n');
  const name = /`(?:~~)?(\w+)/.exec(heading)![1];
  const [own, ...parameters] = text.slice(heading.length).split(/^###### (?=`)/m);
  const listed = parameters
    .map((parameter) => {
      const words = prose(withoutFacts(parameter.slice(parameter.indexOf('\n'))));
      return words === '' ? '' : `\`${/`(\w+)`/.exec(parameter)![1]}\`: ${words}`;
    })
    .filter((line) => line !== '');
  return {
    group,
    name,
    code: codeOf(own),
    type: fact(own, 'Type'),
    default: fact(own, 'Default'),
    isRequired: heading.includes('<sup>Required</sup>'),
    description: [prose(withoutFacts(own)), ...listed].filter((line) => line !== '').join('\n\n'),
  };
}

function codeOf(text: string): string {
  const [, block] = /^```typescript\n(.*?)^```$/ms.exec(text) ?? ['', ''];
  return block
    .split('\n')
    .filter((line) => !line.startsWith('import '))
    .join('\n')
    .trim();
}

function fact(text: string, name: string): string {
  return new RegExp(`^- \\*${name}:\\* (.*)$`, 'm').exec(text)?.[1].trim() ?? '';
}

function withoutFacts(text: string): string {
  return text.replace(/^```typescript\n.*?^```$/gms, '').replace(/^- \*\w[\w ]*:\*.*$/gm, '');
}

/** A text without anchors, rules, and links to files that are not there. Paragraphs are separated by an empty line. */
function prose(text: string): string {
  return text
    .replace(/^---$/gm, '')
    .replace(/^\|.*$/gm, '')
    .replace(/<a [^>]*><\/a>/g, '')
    .replace(/\[([^\]]+)\]\((?!https?:)[^)]*\)+/g, '$1')
    .replace(/^\*Example\*$/gm, '')
    .replace(/^> (?=\[http)/gm, 'See ')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
