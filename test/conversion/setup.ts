import { parseAllDocuments } from 'yaml';
import { ConversionOptions, joinYaml, upgrade } from '../../src/conversion';
import { check, Finding } from '../../src/validation';

export interface Converted {
  readonly text: string;
  /** Objects of the result as JSON. */
  readonly objects: any[];
  /** Notes as `kind: message`, in order. */
  readonly notes: string[];
}

/** Converts the documents of one file, `old.yaml`. */
export function convert(text: string, options: ConversionOptions = {}): Converted {
  const { files, notes } = upgrade([{ path: 'old.yaml', text }], options);
  const result = joinYaml(files);
  return { text: result, objects: objectsOf(result), notes: notes.map(({ kind, message }) => `${kind}: ${message}`) };
}

export function objectsOf(text: string): any[] {
  return parseAllDocuments(text, { uniqueKeys: true })
    .map((document) => {
      if (document.errors.length > 0) throw document.errors[0];
      return document.toJS() as unknown;
    })
    .filter((value) => value !== null);
}

/** Errors about syntax, values, API versions and references: what the API server or Karpenter would reject. */
export function refusals(text: string): Finding[] {
  return check([{ path: 'new.yaml', text }]).findings.filter(
    ({ rule, severity }) => severity === 'error' && /^KARP-(?:001|10[0-3])$/.test(rule),
  );
}

/** A Provisioner with this `spec`. */
export function provisioner(spec: string, name = 'default'): string {
  return `apiVersion: karpenter.sh/v1alpha5\nkind: Provisioner\nmetadata:\n  name: ${name}\nspec:\n${indent(spec)}`;
}

export function nodeTemplate(spec = '', name = 'default'): string {
  const selectors = ['subnetSelector', 'securityGroupSelector']
    .filter((field) => !spec.includes(`${field}:`))
    .map((field) => `${field}: { team: web }\n`)
    .join('');
  return `apiVersion: karpenter.k8s.aws/v1alpha1\nkind: AWSNodeTemplate\nmetadata:\n  name: ${name}\nspec:\n${indent(selectors + spec)}`;
}

export function betaNodePool(spec: string, name = 'default'): string {
  return `apiVersion: karpenter.sh/v1beta1\nkind: NodePool\nmetadata:\n  name: ${name}\nspec:\n${indent(spec)}`;
}

export function betaNodeClass(spec = '', name = 'default'): string {
  const family = spec.includes('amiFamily:') ? '' : 'amiFamily: AL2023\n';
  const terms = ['subnetSelectorTerms', 'securityGroupSelectorTerms']
    .map((field) => `${field}: [{ tags: { team: web } }]\n`)
    .join('');
  return `apiVersion: karpenter.k8s.aws/v1beta1\nkind: EC2NodeClass\nmetadata:\n  name: ${name}\nspec:\n${indent(`${family}role: nodes\n${terms}${spec}`)}`;
}

export function join(...documents: readonly string[]): string {
  return documents.join('---\n');
}

function indent(text: string): string {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => `  ${line}\n`)
    .join('');
}
