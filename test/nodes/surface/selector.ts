import { FieldCase } from './field-case';
import * as nodes from '../../../src/nodes';

const {
  AmiSelectorTerm,
  CapacityReservationSelectorTerm,
  InstanceMatchCriteria,
  PlacementGroupSelector,
  SecurityGroupSelectorTerm,
  SubnetSelectorTerm,
} = nodes;

type Case = FieldCase<nodes.EC2NodeClassProps>;

const TAGS = { team: 'a' };
const NO_TAG = { team: '' };
const OWNER = '111122223333';

export function selectorCases(): Case[] {
  return [
    {
      field: 'spec.amiSelectorTerms[].alias',
      prop: 'amiSelectorTerms',
      by: 'AmiSelectorTerm.al2023',
      props: { amiSelectorTerms: [AmiSelectorTerm.al2023('v20250915')] },
      value: 'al2023@v20250915',
      misuseAtCall: () => AmiSelectorTerm.al2023('20250915'),
    },
    ami('alias', 'byAlias', AmiSelectorTerm.byAlias('al2023@latest'), 'al2023@latest'),
    ami('id', 'byId', AmiSelectorTerm.byId('ami-0123456789abcdef1'), 'ami-0123456789abcdef1'),
    ami('name', 'byName', AmiSelectorTerm.byName('node-*'), 'node-*'),
    ami('tags', 'byTags', AmiSelectorTerm.byTags(TAGS), TAGS, AmiSelectorTerm.byTags(NO_TAG)),
    ami(
      'tags',
      'AmiNameOptions.tags',
      AmiSelectorTerm.byName('node-*', { tags: TAGS }),
      TAGS,
      AmiSelectorTerm.byName('node-*', { tags: NO_TAG }),
    ),
    ami('owner', 'AmiOwnerOptions.owner', AmiSelectorTerm.byTags(TAGS, { owner: 'self' }), 'self'),
    ami('ssmParameter', 'bySsmParameter', AmiSelectorTerm.bySsmParameter('/ami/node'), '/ami/node'),
    subnet('id', 'byId', SubnetSelectorTerm.byId('subnet-0123456789abcdef1'), 'subnet-0123456789abcdef1'),
    subnet('tags', 'byTags', SubnetSelectorTerm.byTags(TAGS), TAGS, SubnetSelectorTerm.byTags(NO_TAG)),
    subnet('tags', 'byDiscoveryTag', SubnetSelectorTerm.byDiscoveryTag('main'), { 'karpenter.sh/discovery': 'main' }),
    group('id', 'byId', SecurityGroupSelectorTerm.byId('sg-0123456789abcdef1'), 'sg-0123456789abcdef1'),
    group('name', 'byName', SecurityGroupSelectorTerm.byName('nodes'), 'nodes'),
    group('tags', 'byTags', SecurityGroupSelectorTerm.byTags(TAGS), TAGS, SecurityGroupSelectorTerm.byTags(NO_TAG)),
    group('tags', 'byDiscoveryTag', SecurityGroupSelectorTerm.byDiscoveryTag('main'), {
      'karpenter.sh/discovery': 'main',
    }),
    ...reservationCases(),
    ...placementCases(),
  ];
}

function reservationCases(): Case[] {
  const Term = CapacityReservationSelectorTerm;
  const open = InstanceMatchCriteria.OPEN;
  return [
    reservation('id', 'byId', Term.byId('cr-0123456789abcdef1'), 'cr-0123456789abcdef1'),
    reservation('tags', 'byTags', Term.byTags(TAGS), TAGS, Term.byTags(NO_TAG)),
    reservation('ownerID', 'CapacityReservationOwnerOptions.ownerId', Term.byTags(TAGS, { ownerId: OWNER }), OWNER),
    reservation('instanceMatchCriteria', 'byInstanceMatchCriteria', Term.byInstanceMatchCriteria(open), 'open'),
    reservation(
      'instanceMatchCriteria',
      'CapacityReservationTagOptions.instanceMatchCriteria',
      Term.byTags(TAGS, { instanceMatchCriteria: open }),
      'open',
    ),
  ];
}

function placementCases(): Case[] {
  return [
    placement('id', 'byId', PlacementGroupSelector.byId('pg-0123456789abcdef1'), 'pg-0123456789abcdef1'),
    placement('name', 'byName', PlacementGroupSelector.byName('near'), 'near', PlacementGroupSelector.byName('')),
  ];
}

type Group = nodes.PlacementGroupSelector;

function placement(field: string, factory: string, selector: Group, value: string, misuse?: Group): Case {
  return {
    field: `spec.placementGroupSelector.${field}`,
    prop: 'placementGroupSelector',
    by: `PlacementGroupSelector.${factory}`,
    props: { placementGroupSelector: selector },
    value,
    ...(misuse && { misuse: { placementGroupSelector: misuse } }),
    ...(factory === 'byId' && { misuseAtCall: () => PlacementGroupSelector.byId('1') }),
  };
}

function ami(
  field: string,
  by: string,
  term: nodes.AmiSelectorTerm,
  value: unknown,
  misuse?: nodes.AmiSelectorTerm,
): Case {
  const props = (only: nodes.AmiSelectorTerm) => ({ amiFamily: nodes.AmiFamily.AL2023, amiSelectorTerms: [only] });
  return termCase(['amiSelectorTerms', field], ['AmiSelectorTerm', by], value, props, term, misuse);
}

function subnet(
  field: string,
  by: string,
  term: nodes.SubnetSelectorTerm,
  value: unknown,
  misuse?: nodes.SubnetSelectorTerm,
): Case {
  const props = (only: nodes.SubnetSelectorTerm) => ({ subnetSelectorTerms: [only] });
  return termCase(['subnetSelectorTerms', field], ['SubnetSelectorTerm', by], value, props, term, misuse);
}

function group(
  field: string,
  by: string,
  term: nodes.SecurityGroupSelectorTerm,
  value: unknown,
  misuse?: nodes.SecurityGroupSelectorTerm,
): Case {
  const props = (only: nodes.SecurityGroupSelectorTerm) => ({ securityGroupSelectorTerms: [only] });
  return termCase(['securityGroupSelectorTerms', field], ['SecurityGroupSelectorTerm', by], value, props, term, misuse);
}

type Reservation = nodes.CapacityReservationSelectorTerm;

function reservation(field: string, by: string, term: Reservation, value: unknown, misuse?: Reservation): Case {
  const props = (only: Reservation) => ({ capacityReservationSelectorTerms: [only] });
  return termCase(
    ['capacityReservationSelectorTerms', field],
    ['CapacityReservationSelectorTerm', by],
    value,
    props,
    term,
    misuse,
  );
}

/**
 * @param maker a class and one of its methods, or a class and `<options interface>.<property>`
 */
function termCase<T>(
  [list, field]: string[],
  maker: string[],
  value: unknown,
  toProps: (term: T) => Case['props'],
  term: T,
  misuse?: T,
): Case {
  const [, by] = maker;
  return {
    field: `spec.${list}[].${field}`,
    prop: list,
    by: by.includes('.') ? by : maker.join('.'),
    props: toProps(term),
    value,
    ...atCall(maker),
    ...(misuse && {
      misuse: toProps(misuse),
      misusedField: `spec.${list}[].${field}${field === 'tags' ? '.team' : ''}`,
    }),
  };
}

type Factories = Readonly<Record<string, (value: string) => unknown>>;

/** Ids, aliases and owners are checked at the call. */
function atCall([name, by]: string[]): Pick<Case, 'misuseAtCall'> {
  if (by === 'CapacityReservationOwnerOptions.ownerId')
    return { misuseAtCall: () => CapacityReservationSelectorTerm.byTags(TAGS, { ownerId: 'self' }) };
  if (by === 'AmiOwnerOptions.owner') return { misuseAtCall: () => AmiSelectorTerm.byTags(TAGS, { owner: 'me' }) };
  if (!['byId', 'byAlias', 'bySsmParameter'].includes(by)) return {};
  return { misuseAtCall: () => (nodes as unknown as Record<string, Factories>)[name][by]('a b') };
}
