import { isAbsolute, relative, resolve, sep } from 'path';
import { pathToFileURL } from 'url';
import type { ArtifactLocation, Location, LogicalLocation, PhysicalLocation } from 'sarif';
import { Finding } from '../../vocabulary/verdict';

/** The base of relative paths. The reader of the log decides which folder it is. */
export const ROOT = '%SRCROOT%';
/** Stands for standard input, because readers reject results without a file. */
const STDIN_URI = 'stdin';

/** The location of a finding: its file and line, and its Kubernetes object and field. */
export function locationOf({ subject, location }: Finding, root: string): Location {
  const physicalLocation = placeOf(location, root);
  const logicalLocations = [...objectOf(subject, location.path), ...constructOf(location)];
  return { physicalLocation, ...(logicalLocations.length === 0 ? {} : { logicalLocations }) };
}

/** The second place of a finding, with what it has to do with it. */
export function relatedLocationsOf({ related }: Finding, root: string): { readonly relatedLocations?: Location[] } {
  if (related === undefined) return {};
  const { location, label } = related;
  return { relatedLocations: [{ id: 0, physicalLocation: placeOf(location, root), message: { text: label } }] };
}

function placeOf({ file, line, column }: Finding['location'], root: string): PhysicalLocation {
  return {
    artifactLocation: artifactOf(file, root),
    ...(line > 0 ? { region: { startLine: line, startColumn: Math.max(1, column) } } : {}),
  };
}

/** A file inside the root is relative to it. Other files have an absolute URI. */
export function artifactOf(file: string, root: string): ArtifactLocation {
  if (file === '' || file === '-') return { uri: STDIN_URI, uriBaseId: ROOT };
  const path = relative(root, resolve(root, file));
  const steps = path.split(sep);
  if (steps[0] === '..' || isAbsolute(path)) return { uri: pathToFileURL(resolve(root, file)).href };
  return { uri: steps.map(encodeURIComponent).join('/'), uriBaseId: ROOT };
}

function objectOf({ kind, namespace, name }: Finding['subject'], path: string): LogicalLocation[] {
  if (kind === '') return [];
  const object = [kind, ...(namespace === '' ? [] : [namespace]), name].join('/');
  return [{ name, kind: 'resource', fullyQualifiedName: path === '' ? object : `${object}#${path}` }];
}

function constructOf({ construct, resource }: Finding['location']): LogicalLocation[] {
  const name = construct ?? resource;
  return name === undefined
    ? []
    : [{ kind: construct === undefined ? 'resource' : 'object', fullyQualifiedName: name }];
}
