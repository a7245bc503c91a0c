import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Docs {
  readonly summary?: string;
  readonly default?: string;
}

interface Member {
  readonly name: string;
  readonly docs?: Docs;
  readonly optional?: boolean;
}

interface Type {
  readonly fqn: string;
  readonly kind: string;
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
  test('has a type for every value: none is any, or one of several, but for the values of Helm charts', () => {
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
});
