/** Writes extended resources into the requests and limits of containers. */
import { ApiObject } from 'cdk8s';
import { child, EditableWorkload, namedContainer } from './editable-workload';
import { editManifest } from './protections';
import { errorWithoutStack } from '../../model';
import { ExtendedResource } from '../extended-resource';

export function requestExtendedResources(workload: ApiObject, resources: readonly ExtendedResource[]): void {
  editManifest(workload, (manifest) => {
    const subject = new EditableWorkload(manifest);
    const { path } = workload.node;
    const written = new Set<string>();
    for (const { resource, count, container: name } of resources) {
      const container = namedContainer(subject, name, path);
      const place = JSON.stringify([container.name, resource]);
      if (written.has(place))
        throw errorWithoutStack(
          `${path}: a container can have ${resource} once, got it twice for ${container.name}; add up the counts`,
        );
      written.add(place);
      // Kubernetes requires equal requests and limits: devices are not overcommitted.
      for (const list of ['requests', 'limits']) child(child(container, 'resources'), list)[resource] = String(count);
    }
  });
}
