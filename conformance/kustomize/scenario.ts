import { fields, Files } from './fields';
import { Json, objects } from './objects';
import { Dice } from '../../test/support/schedule-scenario/dice';

/** The files of a repository, and the folder that is built. */
export interface Scenario {
  readonly files: Readonly<Record<string, string>>;
  readonly folder: string;
}

const NAMES = ['kustomization.yaml', 'kustomization.yaml', 'kustomization.yaml', 'kustomization.yml', 'Kustomization'];

/** A tree of kustomizations: bases, overlays on them, components, and a folder that collects overlays. */
export class Scenarios {
  public static at(seed: number, index: number): Scenario {
    const scenarios = new Scenarios(new Dice(seed, index));
    return { folder: scenarios.tree(), files: scenarios.files };
  }

  private readonly files: Record<string, string> = {};
  private readonly known = new Map<string, readonly Json[]>();

  private constructor(private readonly dice: Dice) {}

  private tree(): string {
    const { dice } = this;
    const bases = ['base', 'other'].slice(0, dice.between(1, 2));
    for (const base of bases) this.base(base);
    if (dice.chance(0.3)) this.component();
    const overlays = ['overlays/dev', 'overlays/prod', 'overlays/test'].slice(0, dice.between(1, 3));
    const collects = dice.chance(0.4);
    // Without names of their own, the objects of the overlays would have the same ids.
    for (const [index, overlay] of overlays.entries())
      this.overlay(
        overlay,
        dice.chance(0.8) ? [dice.pick(bases)] : bases,
        collects && dice.chance(0.95) ? { namePrefix: `p${index}-` } : {},
      );
    if (!collects) return dice.pick(overlays);
    this.overlay('all', dice.chance(0.95) ? overlays : [...overlays, overlays[0]]);
    return 'all';
  }

  private base(folder: string): void {
    const { dice } = this;
    const all = once(objects(dice, dice.between(1, 6)), dice);
    const split = dice.between(1, all.length);
    const parts = [all.slice(0, split), all.slice(split)].filter((part) => part.length > 0);
    const resources = parts.map((part, index) => {
      const name = `part-${index}.yaml`;
      const text = dice.chance(0.15)
        ? JSON.stringify({ apiVersion: 'v1', kind: 'List', items: part })
        : part.map((object) => JSON.stringify(object, null, 1)).join('\n---\n');
      this.files[`${folder}/${name}`] = `${text}\n`;
      return name;
    });
    if (dice.chance(0.03)) resources.push('absent.yaml');
    this.write(folder, { resources }, all, dice.chance(0.3));
  }

  private component(): void {
    this.write(
      'component',
      { apiVersion: 'kustomize.config.k8s.io/v1alpha1', kind: 'Component' },
      this.known.get('base') ?? [],
      true,
    );
  }

  private overlay(folder: string, bases: readonly string[], more: Json = {}): void {
    const up = '../'.repeat(folder.split('/').length);
    const known = bases.flatMap((base) => this.known.get(base) ?? []);
    const components = this.dice.chance(0.5) && this.known.has('component') ? { components: [`${up}component`] } : {};
    const resources = bases.map((base) => `${up}${base}`);
    const own = this.dice.chance(0.25) ? once(objects(this.dice, 1), this.dice) : [];
    if (own.length > 0) {
      this.files[`${folder}/own.yaml`] = JSON.stringify(own[0]);
      resources.push('own.yaml');
    }
    this.write(folder, { resources, ...components }, [...known, ...own], true, more);
  }

  private write(folder: string, start: Json, known: readonly Json[], hasFields: boolean, more: Json = {}): void {
    const files: Files = {};
    const content = { ...start, ...(hasFields ? fields(this.dice, known, files) : {}), ...more };
    for (const [path, text] of Object.entries(files)) this.files[`${folder}/${path}`] = text;
    this.files[`${folder}/${this.dice.pick(NAMES)}`] = JSON.stringify(content, null, 1);
    this.known.set(folder, known);
  }
}

/** Leaves out objects with an id that an earlier object has, except sometimes. */
function once(all: readonly Json[], dice: Dice): Json[] {
  const seen = new Set<string>();
  return all.filter((object) => {
    const { name, namespace } = object.metadata as Json;
    const key = JSON.stringify([object.kind, name, namespace === 'default' ? undefined : namespace]);
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew || dice.chance(0.02);
  });
}
