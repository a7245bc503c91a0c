import { Cursor, enumOf, struct, text, textMap, Writer } from './cursor';
import { chooseExpression } from './evaluate';
import { call, Expression, literal } from './expression';
import { valueText } from '../../model';

const DISCOVERY_TAG = 'karpenter.sh/discovery';

/** Writes the call of one static method; undefined if the term has no field for it. */
type MethodWriter = (cursor: Cursor, className: string) => Expression | undefined;

/** Writer for a class of selector terms: tries its static methods in this order. */
function term(className: string, ...methods: readonly MethodWriter[]): Writer {
  return (cursor) =>
    chooseExpression(
      methods.map((method) => method(cursor, className)),
      cursor.value,
    );
}

/** @param options writer of the method's options, from the other fields of the term */
function by(method: string, field: string, write: Writer, options?: Writer): MethodWriter {
  return (cursor, className) => {
    const child = cursor.at(...field.split(' '));
    const value = child && write(child);
    const optionsExpression = options?.(cursor);
    const isEmpty = optionsExpression?.kind === 'object' && optionsExpression.entries.length === 0;
    return (
      value && call(`nodes.${className}`, method, value, ...(optionsExpression && !isEmpty ? [optionsExpression] : []))
    );
  };
}

const byId = by('byId', 'id', text);
const byTags = by('byTags', 'tags', textMap);
const byDiscoveryTag = by('byDiscoveryTag', `tags ${DISCOVERY_TAG}`, text);

export const subnetTerm = term('SubnetSelectorTerm', byDiscoveryTag, byId, byTags);
export const securityGroupTerm = term(
  'SecurityGroupSelectorTerm',
  byDiscoveryTag,
  byId,
  by('byName', 'name', text),
  byTags,
);

const ALIAS_METHODS: ReadonlyArray<readonly [string, RegExp]> = [
  ['al2', /^al2@(.+)$/],
  ['al2023', /^al2023@(.+)$/],
  ['bottlerocket', /^bottlerocket@(.+)$/],
  ['windows2019', /^windows2019@latest$/],
  ['windows2022', /^windows2022@latest$/],
  ['windows2025', /^windows2025@latest$/],
];

/** A method for a family of images that AWS builds for EKS. */
function byFamily([method, pattern]: readonly [string, RegExp]): MethodWriter {
  return (cursor, className) => {
    const match = pattern.exec(valueText(cursor.fields.alias));
    return match ? call(`nodes.${className}`, method, ...match.slice(1).map(literal)) : undefined;
  };
}

export const amiTerm = term(
  'AmiSelectorTerm',
  ...ALIAS_METHODS.map(byFamily),
  by('byAlias', 'alias', text),
  byId,
  by('byName', 'name', text, struct({ tags: ['tags', textMap], owner: ['owner', text] })),
  by('byTags', 'tags', textMap, struct({ owner: ['owner', text] })),
  by('bySsmParameter', 'ssmParameter', text),
);

const matchCriteria = enumOf('InstanceMatchCriteria');

export const capacityReservationTerm = term(
  'CapacityReservationSelectorTerm',
  byId,
  by(
    'byTags',
    'tags',
    textMap,
    struct({ ownerId: ['ownerID', text], instanceMatchCriteria: ['instanceMatchCriteria', matchCriteria] }),
  ),
  by('byInstanceMatchCriteria', 'instanceMatchCriteria', matchCriteria, struct({ ownerId: ['ownerID', text] })),
);

export const placementGroup = term('PlacementGroupSelector', byId, by('byName', 'name', text));
