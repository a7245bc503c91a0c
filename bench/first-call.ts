/**
 * Prints how long the first plan of a process takes: loading and resolving the catalogue, compiling the kernel,
 * encoding and packing 10,000 pods.
 */
import { DEPLOYMENTS } from './manifests';
import { replicas } from './workload';
import { Catalog } from '../src/catalog';
import { schedule } from '../src/scheduling';

const input = replicas(10_000, DEPLOYMENTS);
const start = performance.now();
const plan = schedule(input, Catalog.load());
const milliseconds = performance.now() - start;
const scheduledPods = plan.nodeClaims.reduce((sum, { pods }) => sum + pods.length, 0);
console.log(JSON.stringify({ milliseconds, scheduledPods, nodes: plan.nodeClaims.length }));
