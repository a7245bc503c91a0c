import { Template } from './template';
import { asRecord } from '../../contract';
import { PlainRecord } from '../manifest/records';

export const NESTED_STACK = 'AWS::CloudFormation::Stack';
/** Where CDK notes the file of a nested stack's template, relative to the one that it is nested in. */
const ASSET_PATH = 'aws:asset:path';
/** Nested stacks that aws-eks makes for itself: they hold the functions that apply manifests and charts, and nothing else. */
const OF_AWS_EKS = /^awscdkawseks/;

/** Where a nested stack is declared. */
export interface Nesting {
  readonly parent: Template;
  readonly logicalId: string;
  readonly properties: PlainRecord;
}

/** Nested stacks whose templates are among the files. */
export class NestedStacks {
  private readonly nestings = new Map<Template, Nesting>();
  private readonly children = new Map<string, Template>();

  public constructor(templates: readonly Template[]) {
    for (const parent of templates) {
      for (const [logicalId, raw] of Object.entries(asRecord(parent.raw.Resources) ?? {})) {
        const resource = asRecord(raw);
        const child = resource?.Type === NESTED_STACK ? templates.find((template) => isTemplateOf(resource, template)) : undefined;
        if (!child || child === parent) continue;
        this.nestings.set(child, { parent, logicalId, properties: asRecord(resource!.Properties) ?? {} });
        this.children.set(idIn(parent, logicalId), child);
      }
    }
  }

  public nestingOf(template: Template): Nesting | undefined {
    return this.nestings.get(template);
  }

  public childOf(parent: Template, logicalId: string): Template | undefined {
    return this.children.get(idIn(parent, logicalId));
  }

  /** Whether the stack may hold what is looked for, and cannot be looked into. */
  public isOpaque(resourceId: string): boolean {
    return !this.children.has(resourceId) && !OF_AWS_EKS.test(resourceId.slice(resourceId.indexOf('/') + 1));
  }
}

/** The templates, those of nested stacks with the place that the stack is deployed to which they are in the end nested in. */
export function placedAsParents(templates: readonly Template[]): Template[] {
  const nested = new NestedStacks(templates);
  return templates.map((template) => {
    const { region, account } = outermost(template, nested);
    return { ...template, region, account };
  });
}

function outermost(template: Template, nested: NestedStacks): Template {
  const seen = new Set<Template>();
  let at = template;
  for (let parent: Template | undefined = at; parent && !seen.has(parent); parent = nested.nestingOf(at)?.parent) {
    seen.add(parent);
    at = parent;
  }
  return at;
}

function isTemplateOf(resource: PlainRecord, { file, digest }: Template): boolean {
  const path = asRecord(resource.Metadata)?.[ASSET_PATH];
  if (typeof path === 'string') return fileName(path) === fileName(file);
  return digest !== undefined && JSON.stringify(asRecord(resource.Properties)?.TemplateURL ?? '').includes(digest);
}

function idIn({ name }: Template, logicalId: string): string {
  return `${name}/${logicalId}`;
}

function fileName(path: string): string {
  return path.split(/[\\/]/).pop()!;
}
