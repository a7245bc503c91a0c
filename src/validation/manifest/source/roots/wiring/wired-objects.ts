import { normalize } from 'path';
import { asRecord } from '../../../../../contract';
import { valueText } from '../../../../../model';
import { SourceFile } from '../../../model';
import { PlainRecord, stringOrUndefined } from '../../../records';
import { DefinedObject } from '../clusters/deployed-path';
import { FluxDeployment } from '../clusters/flux';
import { Kustomizations } from '../kustomization';

export const KUSTOMIZE_GROUP = 'kustomize.toolkit.fluxcd.io';
export const HELM_GROUP = 'helm.toolkit.fluxcd.io';
export const SOURCE_GROUP = 'source.toolkit.fluxcd.io';
export const ARGO_GROUP = 'argoproj.io';

const WIRED = /^(?:\w+\.toolkit\.fluxcd|argoproj)\.io\//;

/** An object as a kustomization deploys it. One that several kustomizations deploy is several objects. */
export interface WiredObject {
  readonly definition: DefinedObject;
  readonly group: string;
  readonly kind: string;
  readonly name: string;
  /** @default - unknown: the object writes none */
  readonly namespace?: string;
  readonly spec: PlainRecord;
  /** @default - unknown */
  readonly clusters?: ReadonlySet<string>;
}

/** A value that another program fills in. */
const PLACEHOLDER = /\$\{[^{}]*\}|\{\{[^{}]*\}\}|\$\([^()]*\)|<[^<>]*>/;

export function isFilledLater(text: string): boolean {
  return PLACEHOLDER.test(text);
}

/** Whether a name with placeholders may become the other name. */
export function mayBecome(pattern: string, name: string): boolean {
  if (!isFilledLater(pattern)) return pattern === name;
  const [first, ...others] = pattern.split(PLACEHOLDER);
  return name.startsWith(first) && name.endsWith(others.at(-1) ?? '');
}

/** Kinds that objects of Flux and Argo CD name, and kinds that make further objects of Flux. */
const NAMED =
  /^(?:ConfigMap|Secret|CustomResourceDefinition|ResourceSet|FluxInstance|Terraform|Kustomize|Composition)$/;

/** The objects of Flux and Argo CD, and what they name, as they are deployed. Those of samples are left out. */
export function wiredObjects(
  definitions: readonly DefinedObject[],
  deployments: readonly FluxDeployment[],
  kustomizations: Kustomizations,
): WiredObject[] {
  const builds = new Builds(definitions, deployments, kustomizations);
  return definitions
    .filter(({ file }) => file.isOfOthers !== true && file.isLeftOver !== true)
    .filter(({ object }) => WIRED.test(valueText(object.apiVersion ?? '')) || NAMED.test(valueText(object.kind ?? '')))
    .flatMap((definition) => formsOf(definition, builds));
}

function formsOf(definition: DefinedObject, builds: Builds): WiredObject[] {
  const forms = builds.of(definition).map(({ object, clusters }): WiredObject => {
    const { name, namespace } = asRecord(object.metadata) ?? {};
    const written = stringOrUndefined(namespace);
    return {
      definition,
      group: groupOf(object.apiVersion),
      kind: valueText(object.kind ?? ''),
      name: stringOrUndefined(name) ?? '',
      spec: asRecord(object.spec) ?? {},
      ...(written === undefined ? {} : { namespace: written }),
      ...(clusters === undefined ? {} : { clusters }),
    };
  });
  return forms.filter(({ name }) => name !== '');
}

/** The group of an apiVersion; empty for the kinds of the core. */
export function groupOf(apiVersion: unknown): string {
  const [group, version] = valueText(apiVersion ?? '').split('/');
  return version === undefined ? '' : group;
}

interface Form {
  readonly object: PlainRecord;
  readonly clusters?: ReadonlySet<string>;
}

/** Finds what Flux and kustomizations make of an object. */
class Builds {
  private readonly byPath = new Map<string, Array<{ readonly source: SourceFile; readonly clusters?: Set<string> }>>();

  public constructor(
    definitions: readonly DefinedObject[],
    deployments: readonly FluxDeployment[],
    kustomizations: Kustomizations,
  ) {
    for (const { sources, clusters } of deployments) for (const source of sources) this.add(source, new Set(clusters));
    // A build takes long, so that one without such objects is not made.
    const wanted = new Set(
      definitions
        .filter(({ object }) => WIRED.test(valueText(object.apiVersion ?? '')))
        .map(({ file }) => normalize(file.path))
        .filter((path) => !this.byPath.has(path)),
    );
    for (const folder of kustomizations.rootFolders) {
      if (!kustomizations.filesReachedBy(folder).some(({ path }) => wanted.has(normalize(path)))) continue;
      for (const source of kustomizations.build(folder).sources)
        if (wanted.has(normalize(source.path))) this.add(source);
    }
  }

  public of({ file, object }: DefinedObject): Form[] {
    const builds = this.byPath.get(normalize(file.path)) ?? [];
    const forms = new Map<string, Form & { readonly clusters?: Set<string> }>();
    for (const { source, clusters } of builds) {
      const edited = source.edit ? source.edit(object) : object;
      if (edited === undefined) continue;
      const key = JSON.stringify(edited);
      const known = forms.get(key);
      const all = known?.clusters && clusters && new Set([...known.clusters, ...clusters]);
      forms.set(key, { object: edited, ...((all ?? clusters) ? { clusters: all ?? clusters } : {}) });
    }
    return forms.size === 0 ? [{ object }] : [...forms.values()];
  }

  private add(source: SourceFile, clusters?: Set<string>): void {
    const path = normalize(source.path);
    this.byPath.set(path, [...(this.byPath.get(path) ?? []), { source, ...(clusters ? { clusters } : {}) }]);
  }
}

/** Whether the objects may be in the same cluster. */
export function mayMeet({ clusters: left }: WiredObject, { clusters: right }: WiredObject): boolean {
  return left === undefined || right === undefined || [...left].some((cluster) => right.has(cluster));
}

/** Such as `Kustomization apps`. */
export function wiredTitle({ kind, name }: Pick<WiredObject, 'kind' | 'name'>): string {
  return `${kind} ${name}`;
}
