import { Template } from './template';
import { asRecord } from '../../contract';
import { PlainRecord } from '../manifest/records';

export const NESTED_STACK = 'AWS::CloudFormation::Stack';
/** The metadata key where CDK writes the file of a nested stack's template, relative to the parent's file. */
const ASSET_PATH = 'aws:asset:path';
/** Nested stacks of the aws-eks library, which contain only the functions that apply manifests and charts. */
const EKS_PROVIDER_STACK = /^awscdkawseks/;

/** The declaration of a nested stack in its parent. */
export interface Nesting {
  readonly parent: Template;
  readonly logicalId: string;
  readonly properties: PlainRecord;
}

/** The nested stacks whose templates are in the input. */
export class NestedStacks {
  private readonly nestings = new Map<Template, Nesting>();
  private readonly children = new Map<string, Template>();

  public constructor(templates: readonly Template[]) {
    for (const parent of templates) {
      for (const [logicalId, raw] of Object.entries(asRecord(parent.raw.Resources) ?? {})) {
        const resource = asRecord(raw);
        const child =
          resource?.Type === NESTED_STACK ? templates.find((template) => isTemplateOf(resource, template)) : undefined;
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

  /** Whether the content of the nested stack is not known, so that it may declare anything. */
  public isOpaque(resourceId: string): boolean {
    return !this.children.has(resourceId) && !EKS_PROVIDER_STACK.test(resourceId.slice(resourceId.indexOf('/') + 1));
  }
}

/** The templates; nested ones get the region and account of their outermost stack. */
export function withPlaceOfParents(templates: readonly Template[]): Template[] {
  const nested = new NestedStacks(templates);
  return templates.map((template) => {
    const { region, account } = outermost(template, nested);
    return { ...template, region, account };
  });
}

function outermost(template: Template, nested: NestedStacks): Template {
  const seen = new Set<Template>();
  let current = template;
  for (
    let parent: Template | undefined = current;
    parent && !seen.has(parent);
    parent = nested.nestingOf(current)?.parent
  ) {
    seen.add(parent);
    current = parent;
  }
  return current;
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
