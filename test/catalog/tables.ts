import {
  Catalog,
  CatalogOptions,
  DEFAULT_NODE_CLASS,
  describeInstanceType,
  InstanceTypeDescription,
  NodeClassFacts,
} from '../../src/catalog';

/** One type as the node class makes it: the settings of AL2023 hold where `nodeClass` does not say. */
export function describeType(
  name: string,
  nodeClass: Partial<NodeClassFacts> = {},
  options?: CatalogOptions,
): InstanceTypeDescription {
  const catalog = Catalog.load(options);
  return describeInstanceType(catalog.resolve({ ...DEFAULT_NODE_CLASS, ...nodeClass }), catalog.names.indexOf(name));
}

/** Names of the types with an available offering. */
export function availableTypes(
  nodeClass: Partial<NodeClassFacts> = {},
  options?: CatalogOptions,
  capacityType = 'on-demand',
): string[] {
  const table = Catalog.load(options).resolve({ ...DEFAULT_NODE_CLASS, ...nodeClass });
  const planes = table.offerings.filter((plane) => plane.capacityType === capacityType);
  return table.names.filter((_, type) => planes.some((plane) => !Number.isNaN(plane.usdPerHour[type])));
}
