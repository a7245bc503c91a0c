import { readFileSync } from 'node:fs';
import { join } from 'node:path';

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

/** What other languages get, as `npm run compile` describes it. */
const types = Object.values(JSON.parse(readFileSync(join(__dirname, '../../.jsii'), 'utf8')).types as Record<string, Type>);

const membersOf = ({ properties = [], methods = [], members = [] }: Type) => [...properties, ...methods, ...members];

describe('the public API', () => {
  test('has a type for every value: no any and no unions, except for values of Helm charts', () => {
    const withoutHelm = types.map((type) => ({ ...type, properties: type.properties?.filter(({ name }) => !/values$/i.test(name)) }));
    expect(JSON.stringify(withoutHelm).match(/"primitive":"(any|json)"|"union":/g)).toBeNull();
  });

  test('is documented throughout', () => {
    const silent = types.flatMap((type) => [
      ...(type.docs?.summary ? [] : [type.fqn]),
      ...membersOf(type).filter(({ docs }) => !docs?.summary).map(({ name }) => `${type.fqn}.${name}`),
    ]);
    expect(silent).toEqual([]);
  });

  test('says of every optional property what holds without it', () => {
    const silent = types.filter(({ datatype }) => datatype).flatMap(({ fqn, properties = [] }) =>
      properties.filter(({ optional, docs }) => optional && !docs?.default).map(({ name }) => `${fqn}.${name}`));
    expect(silent).toEqual([]);
  });

  test('ends no summary in the midst of a sentence: of a docstring jsii takes what is before the first semicolon', () => {
    const cut = types.flatMap((type) => [{ name: '', docs: type.docs }, ...membersOf(type)]
      .filter(({ docs }) => docs?.summary?.endsWith(';')).map(({ name }) => `${type.fqn}.${name}`));
    expect(cut).toEqual([]);
  });

  test('has no default that Javadoc takes for HTML: it gets them as they are', () => {
    const marked = types.flatMap((type) => membersOf(type).filter(({ docs }) => /[<>&]/.test(docs?.default ?? '')).map(({ name }) => `${type.fqn}.${name}`));
    expect(marked).toEqual([]);
  });
});

describe('in other languages', () => {
  /** Names are `camelCase`, `snake_case`, `PascalCase` and `SNAKE_CASE`: what is left of all of them is the same. */
  const bare = (name: string) => name.replaceAll('_', '').toLowerCase();

  test('no two members of a type have one name', () => {
    const twins = types.flatMap((type) => {
      const names = membersOf(type).map(({ name }) => name);
      return names.filter((name, index) => names.findIndex((other) => bare(other) === bare(name)) < index).map((name) => `${type.fqn}.${name}`);
    });
    expect(twins).toEqual([]);
  });

  test('no member has the name of its class, which is a constructor in C#', () => {
    const same = types.flatMap((type) => membersOf(type).filter(({ name }) => bare(name) === bare(type.name)).map(({ name }) => `${type.fqn}.${name}`));
    expect(same).toEqual([]);
  });

  test('no member hides one that every object has in Java, C# or Python', () => {
    const taken = new Set(['clone', 'equals', 'finalize', 'getclass', 'gethashcode', 'gettype', 'hashcode', 'memberwiseclone', 'notify', 'notifyall', 'tostring', 'wait', 'class', 'self']);
    expect(types.flatMap((type) => membersOf(type).filter(({ name }) => taken.has(bare(name))).map(({ name }) => `${type.fqn}.${name}`))).toEqual([]);
  });

  test('no type has the name that properties of one value have as an interface of C#: I and their own', () => {
    const fqns = new Set(types.map(({ fqn }) => fqn));
    expect(types.filter(({ datatype, namespace, name }) => datatype && fqns.has(`karpenter-constructs.${namespace}.I${name}`)).map(({ fqn }) => fqn)).toEqual([]);
  });

  test('no function of a Go package has the name of another, or of a type', () => {
    const declared = types.flatMap(({ name, namespace, initializer, properties = [], methods = [], members = [] }) => [
      name,
      ...(initializer ? [`New${name}`] : []),
      ...[...properties, ...methods].filter((member) => member.static).map((member) => `${name}_${member.name[0].toUpperCase()}${member.name.slice(1)}`),
      ...members.map((member) => `${name}_${member.name}`),
    ].map((each) => `${namespace}.${each}`));
    expect(declared.filter((each, index) => declared.indexOf(each) < index)).toEqual([]);
  });

  test('only these names are keywords: jsii writes in_ in Python, and In in C# and Go', () => {
    const keywords = new Set([
      ...'and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(' '),
      ...'abstract base bool byte case catch char const default do double enum event extends final float goto implements int interface internal lock long native new null object operator out override package private protected public ref short static string super switch synchronized this throw throws transient using var virtual void volatile'.split(' '),
      ...'chan defer fallthrough func go map range select struct'.split(' '),
    ]);
    const used = types.flatMap((type) => membersOf(type).map(({ name }) => name)).filter((name) => keywords.has(name));
    expect([...new Set(used)]).toEqual(['in']);
  });
});
