import { fitsOnType } from './node-fit';
import { InstanceTypeTable } from '../../catalog';
import { Requirements, ResourceList } from '../../model';
import { cheapestPrice } from '../../scheduling';

/** An instance type with its price. */
export interface PricedType {
  readonly name: string;
  readonly usdPerHour: number;
}

/** Instance types to choose from, and what their offerings have to meet. */
export interface NodeChoice {
  readonly table: InstanceTypeTable;
  /** Indices into the table. */
  readonly types: readonly number[];
  readonly requirements: Requirements;
}

/** The cheapest node that holds the requests, of the first choice that has one. Undefined if none has. */
export function cheapestNode(requests: ResourceList, choices: readonly NodeChoice[]): PricedType | undefined {
  for (const { table, types, requirements } of choices) {
    const [cheapest] = types
      .filter((type) => fitsOnType(table, type, requests))
      .map((type) => ({ name: table.names[type], usdPerHour: cheapestPrice(table, requirements, type) }))
      .filter(({ usdPerHour }) => Number.isFinite(usdPerHour))
      .sort((left, right) => left.usdPerHour - right.usdPerHour || (left.name < right.name ? -1 : 1));
    if (cheapest !== undefined) return cheapest;
  }
  return undefined;
}
