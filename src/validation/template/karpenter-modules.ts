import { resourcesOfType } from './eks';
import { valueText } from '../../model';
import { KarpenterModule, TemplateResource } from '../manifest/aws-model';

export function readKarpenterModules(resources: readonly TemplateResource[]): KarpenterModule[] {
  return resourcesOfType(resources, 'Terraform::KarpenterModule').map((resource) => {
    const { ModuleName, NodeRole, IsPrefix, QueueName, HasQueue, HasInstanceProfile, HasEntry } = resource.properties;
    return {
      resource,
      name: valueText(ModuleName),
      isPrefix: IsPrefix === true,
      ...(typeof NodeRole === 'string' ? { nodeRole: NodeRole } : {}),
      ...(typeof QueueName === 'string' ? { queue: QueueName } : {}),
      ...(typeof HasQueue === 'boolean' ? { hasQueue: HasQueue } : {}),
      ...(typeof HasEntry === 'boolean' ? { hasEntry: HasEntry } : {}),
      ...(typeof HasInstanceProfile === 'boolean' ? { hasInstanceProfile: HasInstanceProfile } : {}),
    };
  });
}
