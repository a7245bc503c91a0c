import { TerraformFile } from './terraform-json';
import { AwsModel, TemplateResource } from '../../manifest/aws-model';
import { FieldPath, SourceLocation } from '../../manifest/object';
import { ProblemLog } from '../../manifest/problem-log';
import {
  addressOf,
  isOfOthers,
  ResourcesByAddress,
  withNames,
} from '../../manifest/source/terraform/written-resources';
import { WrittenResource } from '../../vocabulary/source-file';
import { readTemplates } from '../read-templates';
import { policyDocumentOf } from './policy-document';

/** Attributes that only AWS knows, and that other resources refer to. */
const COMPUTED = ['arn', 'url'];
const ROLE_ATTACHMENTS = ['aws_iam_role_policy_attachment', 'aws_iam_role_policy'];

/**
 * The AWS resources in Terraform files. Other files, modules and hands may create more, so that nothing is known to be
 * absent: `opaque` is never empty.
 */
export function readWrittenTerraform(resources: readonly WrittenResource[]): AwsModel | undefined {
  const known = withPolicies(resources).filter(
    ({ type, values }) => !ROLE_ATTACHMENTS.includes(type) || !isOfOthers(values.role),
  );
  if (known.length === 0) return undefined;
  const file = fileOf(known);
  const aws = readTemplates([], new ProblemLog(), [file]);
  return { ...aws, hasTemplates: true, opaque: [unreadRest(file)] };
}

/** The resources with the names of others, and with the texts that data sources make of policies. */
function withPolicies(resources: readonly WrittenResource[]): WrittenResource[] {
  const byAddress = new ResourcesByAddress(resources);
  const named = resources.map((resource) => ({
    ...resource,
    values: withNames(resource.values, resource.index, byAddress),
  }));
  const documents = new Map<string, string>();
  for (const { mode, type, name, values, index } of named) {
    if (mode !== 'data') continue;
    const document = policyDocumentOf({ address: '', module: '', mode, type, name, values, path: [] });
    if (document)
      documents.set(
        `\${${addressOf({ mode, type, name, index, values, place: NOWHERE })}.json}`,
        JSON.stringify(document),
      );
  }
  return named
    .filter(({ mode }) => mode === 'managed')
    .map((resource) => ({
      ...resource,
      values: Object.fromEntries(
        Object.entries(resource.values).map(([key, value]) => [
          key,
          typeof value === 'string' ? (documents.get(value) ?? value) : value,
        ]),
      ),
    }));
}

const NOWHERE: WrittenResource['place'] = { path: '', line: 1, column: 1, attributes: {} };

/** The resources in the form of a state. */
function fileOf(resources: readonly WrittenResource[]): TerraformFile {
  const all = resources.map((resource) => {
    const address = addressOf(resource);
    const computed = Object.fromEntries(COMPUTED.map((name) => [name, `\${${address}.${name}}`]));
    return {
      address,
      mode: 'managed',
      type: resource.type,
      name: resource.name,
      ...(resource.index === undefined ? {} : { index: resource.index }),
      // An argument may have the name of a computed attribute, as in a target of a rule.
      values: { ...computed, ...resource.values },
      depends_on: [],
    };
  });
  const [{ place }] = resources;
  return {
    file: place.path,
    name: 'terraform',
    raw: { format_version: '1.0', values: { root_module: { resources: all } } },
    isWritten: true,
    locate: (path) => locationOf(resources, path),
  };
}

function locationOf(resources: readonly WrittenResource[], path: FieldPath): SourceLocation {
  const [, , , position, , attribute] = path;
  const { place } = resources[typeof position === 'number' ? position : 0];
  const { attributes } = place;
  // The provider computes `tags_all` of `tags` and its own defaults.
  const written = attribute === 'tags_all' && !Object.hasOwn(attributes, attribute) ? 'tags' : attribute;
  const own = typeof written === 'string' && Object.hasOwn(attributes, written) ? attributes[written] : place;
  return { file: place.path, line: own.line, column: own.column, path: '' };
}

/** Stands for all that the files do not say. */
function unreadRest({ file }: TerraformFile): TemplateResource {
  return {
    object: {
      apiVersion: 'terraform',
      kind: 'module',
      name: 'other resources',
      raw: {},
      locate: () => ({ file, line: 1, column: 1, path: '' }),
    },
    id: 'terraform/others',
    type: 'module',
    properties: {},
    dependsOn: new Set(),
    tool: 'Terraform',
  };
}
