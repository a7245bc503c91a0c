/** Writes plans and states in the format of `terraform show -json`. */

interface Resource {
  /** Such as `module.karpenter.aws_iam_role.node[0]`. */
  readonly address: string;
  readonly values: object;
  /** Names of attributes that are known only after the apply, or the `after_unknown` itself. */
  readonly unknown?: readonly string[] | object;
  /** References by attribute; anything else is an expression as Terraform writes it. */
  readonly references?: Readonly<Record<string, unknown>>;
  readonly dependsOn?: readonly string[];
  readonly provider?: string;
}

interface Call {
  /** References of the module's arguments. */
  readonly arguments?: Readonly<Record<string, readonly string[]>>;
  /** References of its outputs. */
  readonly outputs?: Readonly<Record<string, readonly string[]>>;
  readonly dependsOn?: readonly string[];
}

interface Parts {
  readonly resources: readonly Resource[];
  /** By address, such as `module.karpenter`. */
  readonly calls?: Readonly<Record<string, Call>>;
  readonly providers?: object;
  readonly others?: object;
}

const ADDRESS = /^((?:module\.[\w-]+(?:\[[^\]]*\])?\.)*)(data\.)?([\w-]+)\.([\w-]+)(?:\[(.*)\])?$/;

function partsOf({ address }: Resource) {
  const [, modules, data, type, name, index] = ADDRESS.exec(address)!;
  return {
    modules: [...modules.matchAll(/module\.[\w-]+(?:\[[^\]]*\])?/g)].map(([module]) => module),
    head: {
      mode: data === undefined ? 'managed' : 'data',
      type,
      name,
      ...(index === undefined ? {} : { index: JSON.parse(index) }),
    },
  };
}

function moduleIn(root: any, modules: readonly string[], key: string): any {
  return modules.reduce((parent, _, i) => {
    const address = modules.slice(0, i + 1).join('.');
    parent.child_modules ??= [];
    const known = parent.child_modules.find((child: any) => child.address === address);
    if (known) return known;
    const made = { address, [key]: [] };
    parent.child_modules.push(made);
    return made;
  }, root);
}

function valuesOf(resources: readonly Resource[], isState: boolean): object {
  const root: any = { resources: [] };
  for (const resource of resources) {
    const { modules, head } = partsOf(resource);
    const { address, values, dependsOn } = resource;
    const module = moduleIn(root, modules, 'resources');
    module.resources.push({
      address,
      ...head,
      provider_name: 'registry.terraform.io/hashicorp/aws',
      schema_version: 0,
      values,
      sensitive_values: {},
      ...(isState && dependsOn ? { depends_on: dependsOn } : {}),
    });
  }
  return { root_module: root };
}

function expressions(references: Readonly<Record<string, unknown>> = {}): object {
  const written = (value: unknown) =>
    Array.isArray(value) && value.every((item) => typeof item === 'string') ? { references: value } : value;
  return Object.fromEntries(Object.entries(references).map(([name, value]) => [name, written(value)]));
}

function configurationOf({ resources, calls = {}, providers = {} }: Parts): object {
  const root: any = { resources: [] };
  const moduleOf = (modules: readonly string[]) =>
    modules.reduce((parent, name) => {
      parent.module_calls ??= {};
      const key = name.replace(/^module\./, '').replace(/\[.*$/, '');
      parent.module_calls[key] ??= { module: {} };
      return parent.module_calls[key].module;
    }, root);
  for (const resource of resources) {
    const { modules, head } = partsOf(resource);
    const module = moduleOf(modules);
    module.resources ??= [];
    const { index, ...block } = head as { index?: unknown; mode: string; type: string; name: string };
    if (module.resources.some(({ type, name }: any) => type === block.type && name === block.name)) continue;
    module.resources.push({
      address: `${block.mode === 'data' ? 'data.' : ''}${block.type}.${block.name}`,
      ...block,
      provider_config_key: resource.provider ?? block.type.split('_')[0],
      expressions: expressions(resource.references),
      ...(resource.dependsOn ? { depends_on: resource.dependsOn } : {}),
    });
  }
  for (const [address, call] of Object.entries(calls)) {
    const modules = address.match(/module\.[\w-]+/g)!;
    const module = moduleOf(modules);
    module.outputs = Object.fromEntries(
      Object.entries(call.outputs ?? {}).map(([name, references]) => [name, { expression: { references } }]),
    );
    const parent = moduleOf(modules.slice(0, -1));
    const own = parent.module_calls[modules.at(-1)!.slice('module.'.length)];
    own.expressions = expressions(call.arguments);
    if (call.dependsOn) own.depends_on = call.dependsOn;
  }
  return { provider_config: providers, root_module: root };
}

/** A plan that creates all of the resources. */
export function plan(parts: Parts): object {
  const planned = parts.resources.map((resource) => ({ ...resource, values: resource.values }));
  return {
    format_version: '1.2',
    terraform_version: '1.13.4',
    planned_values: valuesOf(planned, false),
    resource_changes: parts.resources.map((resource) => {
      const { modules, head } = partsOf(resource);
      const { unknown = [] } = resource;
      return {
        address: resource.address,
        ...(modules.length > 0 ? { module_address: modules.join('.') } : {}),
        ...head,
        change: {
          actions: [head.mode === 'data' ? 'read' : 'create'],
          before: null,
          after: resource.values,
          after_unknown: Array.isArray(unknown) ? Object.fromEntries(unknown.map((name) => [name, true])) : unknown,
        },
      };
    }),
    configuration: configurationOf(parts),
    ...parts.others,
  };
}

/** A state that has all of the resources. */
export function state(resources: readonly Resource[]): object {
  return { format_version: '1.0', terraform_version: '1.13.4', values: valuesOf(resources, true) };
}
