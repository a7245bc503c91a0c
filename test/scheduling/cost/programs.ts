import * as fc from 'fast-check';
import { ZoneCase } from './exhaustive';
import { CoveringRows } from '../../../src/scheduling/cost/covering-rows';
import { mixedRow } from '../../../src/scheduling/cost/mixed-row';
import { NodeOption } from '../../../src/scheduling/cost/node-options';
import { Demand, PodKind } from '../../../src/scheduling/cost/pod-kinds';
import { CoveringProgram, dualValues } from '../../../src/scheduling/cost/simplex';
import { zoneRows } from '../../../src/scheduling/cost/zone-rows';
import { ZonedPods } from '../../../src/scheduling/cost/zoned-pods';

export interface SmallCase {
  readonly demand: Demand;
  readonly options: readonly NodeOption[];
  readonly existing: readonly Float64Array[];
}

const RESOURCES = ['cpu', 'memory', 'pods'];
const CONSTRAINTS = 2;
const requirement: Demand['constraints'][number] = { variants: [], volumeTopology: [] };

const amounts = (most: number) =>
  fc
    .tuple(fc.integer({ min: 0, max: most }), fc.integer({ min: 0, max: most }))
    .map(([cpu, memory]) => Float64Array.from([cpu, memory, 1]));
const room = fc
  .tuple(fc.integer({ min: 0, max: 16 }), fc.integer({ min: 0, max: 16 }), fc.integer({ min: 1, max: 4 }))
  .map((values) => Float64Array.from(values));
const kind: fc.Arbitrary<PodKind> = fc.record({
  count: fc.integer({ min: 1, max: 3 }),
  requests: amounts(9),
  constraint: fc.nat(CONSTRAINTS - 1),
  mostPerNode: fc.constantFrom(Infinity, Infinity, 1, 2),
});
const option: fc.Arbitrary<NodeOption> = fc.record({
  usdPerHour: fc.integer({ min: 1, max: 40 }).map((cents) => cents / 100),
  room,
  admits: fc.tuple(fc.nat(1), fc.nat(1)).map((bits) => Uint8Array.from(bits)),
});

/** A few pods of a few kinds, with two kinds of constraints, some of them apart from each other. */
export const smallCases: fc.Arbitrary<SmallCase> = casesOf(kind);

function casesOf(kindOf: fc.Arbitrary<PodKind>): fc.Arbitrary<SmallCase> {
  return fc
    .record({
      kinds: fc.array(kindOf, { minLength: 1, maxLength: 3 }),
      options: fc.array(option, { minLength: 1, maxLength: 4 }),
      existing: fc.array(room, { maxLength: 1 }),
      together: fc.constantFrom(0, 0, 1, 2),
    })
    .map(({ kinds, options, existing, together }) => {
      const isShared = together > 0 && kinds.length > 1;
      const limited = kinds.map((one, index) =>
        isShared && index < 2 ? { ...one, mostPerNode: Math.min(one.mostPerNode, together) } : one,
      );
      return {
        demand: {
          resources: RESOURCES,
          kinds: limited,
          constraints: [requirement, requirement],
          shared: isShared ? [{ kinds: [0, 1], most: together }] : [],
        },
        options,
        existing,
      };
    });
}

const ZONES = ['a', 'b', 'c'];
const rule: fc.Arbitrary<ZonedPods> = fc
  .record({
    kinds: fc.constantFrom([0], [0], [0, 1]),
    count: fc.constantFrom(1, 2, 3, 3),
    maxSkew: fc.constantFrom(1, 1, 2),
    isLeastZero: fc.boolean(),
    running: fc.array(fc.constantFrom(0, 0, 0, 0, 0, 1, 3), { minLength: 3, maxLength: 3 }),
  })
  .map(({ count, running, ...more }) => ({ ...more, zones: ZONES.slice(0, count), running: running.slice(0, count) }));

/** Pods that are small beside the nodes, and keep rules over up to three zones. */
export const zoneCases: fc.Arbitrary<SmallCase & { readonly zoned: ZoneCase }> = fc
  .record({
    small: casesOf(
      kind.chain((one) => amounts(3).map((requests) => ({ ...one, requests, constraint: 0, mostPerNode: Infinity }))),
    ),
    rules: fc.array(rule, { minLength: 1, maxLength: 2 }),
    zones: fc.array(fc.subarray(ZONES, { minLength: 1 }), { minLength: 4, maxLength: 4 }),
    existing: fc.constantFrom(...ZONES),
  })
  .map(({ small, rules, zones, existing }) => ({
    ...small,
    zoned: {
      rules: rules.filter(({ kinds }) => kinds.every((index) => index < small.demand.kinds.length)),
      zones,
      existing: small.existing.map(() => existing),
    },
  }));

export function programOf({ demand, options, existing, zoned }: SmallCase & { zoned?: ZoneCase }): CoveringProgram {
  const prices = options.map(({ usdPerHour }) => usdPerHour);
  const rooms = existing.map((node, index) => ({ room: node, zone: zoned?.existing[index] }));
  const rows = [
    ...new CoveringRows(demand, options, existing).all(),
    ...zoneRows(demand, zoned?.rules ?? [], options, rooms),
  ];
  const mixed = mixedRow(demand, options, existing, rows, dualValues({ prices, rows }));
  return { prices, rows: mixed === undefined ? rows : [...rows, mixed] };
}
