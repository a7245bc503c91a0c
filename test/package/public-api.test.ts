import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

interface Docs {
  readonly summary?: string;
  readonly default?: string;
}

interface Member {
  readonly name: string;
  readonly static?: boolean;
  readonly docs?: Docs;
  readonly optional?: boolean;
}

interface Type {
  readonly name: string;
  readonly namespace: string;
  readonly fqn: string;
  readonly kind: string;
  readonly initializer?: object;
  readonly datatype?: boolean;
  readonly docs?: Docs;
  readonly properties?: readonly Member[];
  readonly methods?: readonly Member[];
  readonly members?: readonly Member[];
}

/** The types that jsii exports to other languages. `npm run compile` writes the file. */
const types = Object.values(
  JSON.parse(gunzipSync(readFileSync(join(__dirname, '../../.jsii.gz'))).toString()).types as Record<string, Type>,
);

const membersOf = ({ properties = [], methods = [], members = [] }: Type) => [...properties, ...methods, ...members];

describe('the public API', () => {
  test('has no `any` and no union types, except for Helm values', () => {
    const withoutHelm = types.map((type) => ({
      ...type,
      properties: type.properties?.filter(({ name }) => !/values$/i.test(name)),
    }));
    expect(JSON.stringify(withoutHelm).match(/"primitive":"(any|json)"|"union":/g)).toBeNull();
  });

  test('has a summary for every type and member', () => {
    const undocumented = types.flatMap((type) => [
      ...(type.docs?.summary ? [] : [type.fqn]),
      ...membersOf(type)
        .filter(({ docs }) => !docs?.summary)
        .map(({ name }) => `${type.fqn}.${name}`),
    ]);
    expect(undocumented).toEqual([]);
  });

  test('has a @default for every optional property', () => {
    const undocumented = types
      .filter(({ datatype }) => datatype)
      .flatMap(({ fqn, properties = [] }) =>
        properties.filter(({ optional, docs }) => optional && !docs?.default).map(({ name }) => `${fqn}.${name}`),
      );
    expect(undocumented).toEqual([]);
  });

  test('has no summary that ends with a semicolon, because jsii cuts a docstring at the first one', () => {
    const cut = types.flatMap((type) =>
      [{ name: '', docs: type.docs }, ...membersOf(type)]
        .filter(({ docs }) => docs?.summary?.endsWith(';'))
        .map(({ name }) => `${type.fqn}.${name}`),
    );
    expect(cut).toEqual([]);
  });

  test('has no <, > or & in a default, because jsii does not escape them for Javadoc', () => {
    const marked = types.flatMap((type) =>
      membersOf(type)
        .filter(({ docs }) => /[<>&]/.test(docs?.default ?? ''))
        .map(({ name }) => `${type.fqn}.${name}`),
    );
    expect(marked).toEqual([]);
  });
});

describe('names in other languages', () => {
  /** The same text for a name in `camelCase`, `snake_case`, `PascalCase` and `SNAKE_CASE`. */
  const caseless = (name: string) => name.replaceAll('_', '').toLowerCase();

  test('differ between the members of a type', () => {
    const twins = types.flatMap((type) => {
      const names = membersOf(type).map(({ name }) => name);
      return names
        .filter((name, index) => names.findIndex((candidate) => caseless(candidate) === caseless(name)) < index)
        .map((name) => `${type.fqn}.${name}`);
    });
    expect(twins).toEqual([]);
  });

  test('differ between a member and its class, because C# would see a constructor', () => {
    const same = types.flatMap((type) =>
      membersOf(type)
        .filter(({ name }) => caseless(name) === caseless(type.name))
        .map(({ name }) => `${type.fqn}.${name}`),
    );
    expect(same).toEqual([]);
  });

  test('do not hide members of the base object of Java, C# or Python', () => {
    const taken = new Set([
      'clone',
      'equals',
      'finalize',
      'getclass',
      'gethashcode',
      'gettype',
      'hashcode',
      'memberwiseclone',
      'notify',
      'notifyall',
      'tostring',
      'wait',
      'class',
      'self',
    ]);
    expect(
      types.flatMap((type) =>
        membersOf(type)
          .filter(({ name }) => taken.has(caseless(name)))
          .map(({ name }) => `${type.fqn}.${name}`),
      ),
    ).toEqual([]);
  });

  test('do not equal the name of a C# interface of a struct, which is I and the name of the struct', () => {
    const fqns = new Set(types.map(({ fqn }) => fqn));
    expect(
      types
        .filter(({ datatype, namespace, name }) => datatype && fqns.has(`karpenter-constructs.${namespace}.I${name}`))
        .map(({ fqn }) => fqn),
    ).toEqual([]);
  });

  test('are unique among the functions and types of a Go package', () => {
    const declared = types.flatMap(({ name, namespace, initializer, properties = [], methods = [], members = [] }) =>
      [
        name,
        ...(initializer ? [`New${name}`] : []),
        ...[...properties, ...methods]
          .filter((member) => member.static)
          .map((member) => `${name}_${member.name[0].toUpperCase()}${member.name.slice(1)}`),
        ...members.map((member) => `${name}_${member.name}`),
      ].map((identifier) => `${namespace}.${identifier}`),
    );
    expect(declared.filter((identifier, index) => declared.indexOf(identifier) < index)).toEqual([]);
  });

  test('are not keywords, except `in`, which jsii writes as in_ in Python, and as In in C# and Go', () => {
    const keywords = new Set([
      ...'and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
        ' ',
      ),
      ...'abstract base bool byte case catch char const default do double enum event extends final float goto implements int interface internal lock long native new null object operator out override package private protected public ref short static string super switch synchronized this throw throws transient using var virtual void volatile'.split(
        ' ',
      ),
      ...'chan defer fallthrough func go map range select struct'.split(' '),
    ]);
    const used = types.flatMap((type) => membersOf(type).map(({ name }) => name)).filter((name) => keywords.has(name));
    expect([...new Set(used)]).toEqual(['in']);
  });
});
