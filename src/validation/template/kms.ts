import { KmsKey, TemplateResource } from './aws-model';
import { Naming, readStatements } from './iam';
import { arnOf, nameOf } from './identity';
import { plainText } from './token';

export function readKmsKeys(resources: readonly TemplateResource[], naming: Naming): KmsKey[] {
  const aliases = resources.filter(({ type }) => type === 'AWS::KMS::Alias').map(({ properties }) =>
    ({ name: plainText(properties.AliasName), target: plainText(properties.TargetKeyId) }));
  return resources.filter(({ type }) => type === 'AWS::KMS::Key').map((resource) => {
    const names = [nameOf(naming(resource)), arnOf(naming(resource))];
    const own = aliases.filter(({ target }) => names.includes(target)).map(({ name }) => name);
    return {
      resource,
      path: [],
      names: [...names, ...own, ...own.map((alias) => names[1].replace(/:key\/.*$/, `:${alias}`))],
      enabled: resource.properties.Enabled !== false && resource.properties.Enabled !== 'false',
      statements: readStatements(resource, ['Properties', 'KeyPolicy'], resource.properties.KeyPolicy),
    };
  });
}
