export type { Input } from './read-input';
export { inputForCluster, readInput } from './read-input';
export { modelOf, readManifests } from './read-manifests';
