import { amiFamilyTraits } from './ami-family';
import { CatalogFacts, CatalogFile } from './catalog-file';
import { column } from './columns';
import { expressionColumn } from './kubelet-expressions';
import { NodeClassFacts } from './node-class-facts';

const DEFAULT_MAX_PODS = 110;

/**
 * How many pods the default network card carries: every interface has one address of its own, and two pods more run on the
 * host's network.
 */
export function interfaceLimitedPods(facts: CatalogFacts, reservedENIs: number, nodeClass: NodeClassFacts): Float64Array {
  const efaOnly = nodeClass.networkInterfaces?.filter((i) => i.networkCardIndex === 0 && i.interfaceType === 'efa-only').length ?? 0;
  return column(facts.vcpus.length, (type) => {
    const usable = Math.max(facts.networkInterfaces[type] - reservedENIs - efaOnly, 0);
    return usable === 0 ? 0 : usable * (facts.ipv4PerInterface[type] - 1) + 2;
  });
}

/** The `pods` capacity by type. */
export function podCapacity(file: CatalogFile, reservedENIs: number, nodeClass: NodeClassFacts): Float64Array {
  const { facts } = file;
  const traits = amiFamilyTraits(nodeClass.amiFamily);
  const { maxPods, expressions } = nodeClass.kubelet ?? {};
  const pods = maxPods === undefined && traits.podsByInterfaces
    ? interfaceLimitedPods(facts, reservedENIs, nodeClass)
    : new Float64Array(facts.vcpus.length).fill(maxPods ?? DEFAULT_MAX_PODS);
  const byDefault = perCore(facts, pods, nodeClass);
  if (expressions?.maxPods === undefined) return byDefault;
  const stated = expressionColumn(file, expressions.maxPods, byDefault);
  return perCore(facts, stated.map((value, type) => value >= 0 ? value : byDefault[type]), nodeClass);
}

function perCore(facts: CatalogFacts, pods: Float64Array, { amiFamily, kubelet: { podsPerCore = 0 } = {} }: NodeClassFacts): Float64Array {
  return podsPerCore > 0 && amiFamilyTraits(amiFamily).podsPerCore
    ? column(pods.length, (type) => Math.min(podsPerCore * facts.vcpus[type], pods[type]))
    : pods;
}
