import { podSpecOf, requirementAlternatives } from './pod-constraints';
import { Pool } from './pool';
import { amiFamilyTraits } from '../../../catalog';
import { Label } from '../../../model';
import { WorkloadManifest } from '../../manifest/model';
import { recordsOf, scalarText } from '../../manifest/records';
import { RuleContext } from '../rule';

const ACCELERATOR = /^(nvidia\.com|amd\.com|habana\.ai)\/|^aws\.amazon\.com\/neuron/;
/** Labels of nodes of every kind. A pod that selects any other label selects a kind of node. */
const PLACE_LABELS: readonly string[] = [Label.ZONE, Label.ZONE_ID, Label.REGION, Label.CAPACITY_TYPE];
/** Parts of names of Windows images. */
const WINDOWS_IMAGE = /windows|nanoserver|servercore|\biis\b|dotnet\/framework/i;

/** Whether every instance type of the NodePool has an accelerator. */
export function hasOnlyAccelerators({ launch }: Pool): boolean {
  if (!launch || launch.indices.length === 0) return false;
  const { table, indices } = launch;
  const rows = table.resources.flatMap((resource, row) => (ACCELERATOR.test(resource) ? [row] : []));
  return indices.every((index) => rows.some((row) => table.capacity[row][index] > 0));
}

export function launchesWindows({ input }: RuleContext, { spec }: Pool): boolean {
  const facts = input.nodeClasses.get(spec?.nodeClass ?? '');
  return facts !== undefined && amiFamilyTraits(facts.amiFamily).windowsBuild !== undefined;
}

/** Whether the pods constrain only where their nodes are: they select, prefer and request no kind of node. */
export function selectsNoKindOfNode(workload: WorkloadManifest, allowed: readonly string[] = []): boolean {
  const { shape } = workload;
  if (shape === undefined || shape.resourceClaims) return false;
  const keys = [
    ...requirementAlternatives(shape).flat(),
    ...shape.preferredNodeAffinity.flatMap(({ term }) => term.matchExpressions),
  ].map(({ key }) => key);
  return (
    keys.every((key) => PLACE_LABELS.includes(key) || allowed.includes(key)) &&
    [...shape.requests.keys()].every((resource) => !ACCELERATOR.test(resource)) &&
    podSpecOf(workload)?.runtimeClassName === undefined
  );
}

export function looksLikeWindows(workload: WorkloadManifest): boolean {
  return podSpecOf(workload)?.os?.name === 'windows' || imagesOf(workload).some((image) => WINDOWS_IMAGE.test(image));
}

/** The images of all containers, as written. */
export function imagesOf(workload: WorkloadManifest): string[] {
  const pod = podSpecOf(workload);
  return [...recordsOf(pod?.initContainers), ...recordsOf(pod?.containers)].map(({ image }) => scalarText(image ?? ''));
}
