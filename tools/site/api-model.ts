import {
  ApiReferenceSchema,
  CallableSchema,
  DocsSchema,
  Documentation,
  JsiiEntity,
  Language,
  ParameterSchema,
  PropertySchema,
  TypeSchema,
} from 'jsii-docgen';

/** A class, struct, interface or enum of the API. */
export interface ApiType {
  readonly submodule: string;
  readonly name: string;
  readonly kind: ApiKind;
  readonly description: string;
  readonly members: ApiMember[];
}

export type ApiKind = 'Construct' | 'Struct' | 'Class' | 'Protocol' | 'Enum';

/** A section of the page of a type. */
export type MemberGroup = 'Initializers' | 'Methods' | 'Static Functions' | 'Properties' | 'Constants' | 'Members';

export interface ApiMember {
  readonly group: MemberGroup;
  readonly name: string;
  /** How it is declared or called, without imports. */
  readonly code: string;
  readonly type: string;
  readonly default: string;
  readonly isRequired: boolean;
  readonly description: string;
}

/** Any type of the API: which of the lists it has depends on its kind. */
interface TypeParts {
  readonly id: string;
  readonly displayName: string;
  readonly docs: DocsSchema;
  readonly initializer?: CallableSchema;
  readonly instanceMethods?: readonly Documented[];
  readonly staticMethods?: readonly Documented[];
  readonly properties?: readonly PropertySchema[];
  readonly constants?: readonly PropertySchema[];
  readonly members?: readonly Documented[];
}
type Documented = { readonly displayName: string; readonly docs: DocsSchema } & Partial<
  Pick<CallableSchema, 'usage' | 'parameters'> & Pick<PropertySchema, 'type' | 'default' | 'optional'>
>;

const KINDS: Readonly<Record<keyof ApiReferenceSchema, ApiKind>> = {
  constructs: 'Construct',
  structs: 'Struct',
  classes: 'Class',
  interfaces: 'Protocol',
  enums: 'Enum',
};
/** Members that each construct inherits. */
const INHERITED = new Set(['toString', 'with', 'isConstruct', 'node']);

/** The types of the compiled package in a folder. */
export async function readApi(folder: string): Promise<ApiType[]> {
  const documentation = await Documentation.forProject(folder);
  const { content } = await documentation.toJson({ language: Language.TYPESCRIPT, allSubmodules: true });
  if (content.apiReference === undefined) throw new Error(`${folder} has no compiled API; run npm run compile`);
  const types = Object.entries(content.apiReference) as Array<[keyof ApiReferenceSchema, readonly TypeParts[]]>;
  return types.flatMap(([list, entries]) => entries.map((entry) => apiType(KINDS[list], entry)));
}

function apiType(kind: ApiKind, type: TypeParts): ApiType {
  const group = (name: MemberGroup, members: readonly Documented[] = []) =>
    members.filter(({ displayName }) => !INHERITED.has(displayName)).map((member) => apiMember(name, member));
  const { initializer } = type;
  return {
    submodule: type.id.split('.')[1],
    name: type.displayName,
    kind,
    description: [description(type.docs), exampleOf(type.docs)].filter((text) => text !== '').join('\n\n'),
    members: [
      ...(initializer === undefined
        ? []
        : [apiMember('Initializers', { usage: initializer.usage, displayName: type.displayName, docs: {} })]),
      ...group('Methods', type.instanceMethods),
      ...group('Static Functions', type.staticMethods),
      ...group('Properties', type.properties),
      ...group('Constants', type.constants),
      ...group('Members', type.members),
    ],
  };
}

function apiMember(group: MemberGroup, member: Documented): ApiMember {
  return {
    group,
    name: member.displayName,
    code: (member.usage ?? '').replace(/^import .*\n+/, ''),
    type: member.type === undefined ? '' : typeText(member.type),
    default: (member.default ?? '').replace(/^- /, '').trim(),
    isRequired: member.optional !== true && member.type !== undefined,
    description: [description(member.docs), ...(member.parameters ?? []).map(parameterText)]
      .filter((text) => text !== '')
      .join('\n\n'),
  };
}

function parameterText({ displayName, docs }: ParameterSchema): string {
  const text = description(docs);
  return text === '' ? '' : `\`${displayName}\`: ${text}`;
}

/** A type with its full names, so that pages can link to the types of this package. */
function typeText({ formattingPattern, types = [] }: TypeSchema): string {
  let next = 0;
  const nameOf = (type: TypeSchema | JsiiEntity) => ('formattingPattern' in type ? typeText(type) : type.fqn);
  return formattingPattern.replaceAll('%', () => nameOf(types[next++]));
}

function description({ summary = '', remarks = '', links = [] }: DocsSchema): string {
  return [summary, remarks, ...links.map((link) => (link.startsWith('http') ? `See [${link}](${link})` : `> ${link}`))]
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .join('\n\n');
}

function exampleOf({ example }: DocsSchema): string {
  return example === undefined ? '' : `\`\`\`typescript\n${example.trim()}\n\`\`\``;
}
