import { isMap, isScalar, isSeq, Node, Pair, Scalar, YAMLMap } from 'yaml';
import { LEGACY_ANNOTATIONS, LEGACY_DISRUPTION_TAINT, LEGACY_LABELS } from '../../contract';

/** A text of a document that has to read differently. */
export interface Renaming {
  readonly scalar: Scalar<string>;
  readonly to: string;
}

/** A text that names a legacy key, and that only a person can change. */
export interface Mention {
  readonly scalar: Scalar;
  readonly key: string;
  readonly why: string;
}

const KEYS: ReadonlyMap<string, string> = new Map([...LEGACY_LABELS, ...LEGACY_ANNOTATIONS]);
/** Fields whose value is a key of a label or taint. */
const KEY_FIELDS = ['key', 'topologyKey'];

/** Finds label, annotation and taint keys of earlier releases, wherever in an object they stand. */
export class RenamedKeys {
  public readonly renamings: Renaming[] = [];
  public readonly mentions: Mention[] = [];

  public visit(node: Node | null): void {
    if (isSeq(node)) for (const item of node.items) this.visit(item as Node | null);
    if (isMap(node)) this.visitMap(node as YAMLMap<Node, Node | null>);
    if (isScalar(node)) this.visitText(node);
  }

  private visitMap(map: YAMLMap<Node, Node | null>): void {
    for (const pair of map.items) {
      this.renameKey(map, pair);
      const isKey = KEY_FIELDS.includes(textOf(pair.key) ?? '') && this.renameKeyField(map, pair);
      if (!isKey) this.visit(pair.value);
    }
  }

  private renameKey(map: YAMLMap<Node, Node | null>, { key }: Pair<Node, Node | null>): void {
    const to = KEYS.get(textOf(key) ?? '');
    if (to === undefined) return;
    const already = map.items.some((other) => other.key !== key && (textOf(other.key) === to || KEYS.get(textOf(other.key) ?? '') === to));
    if (already) this.mentions.push({ scalar: key as Scalar, key: textOf(key)!, why: `${to} stands beside it` });
    else this.renamings.push({ scalar: key as Scalar<string>, to });
  }

  /** In selectors, tolerations and spread constraints; true where the value was a key of an earlier release. */
  private renameKeyField(map: YAMLMap<Node, Node | null>, { value }: Pair<Node, Node | null>): boolean {
    const text = textOf(value);
    const to = LEGACY_LABELS.get(text ?? '');
    if (to !== undefined) this.renamings.push({ scalar: value as Scalar<string>, to });
    if (text !== LEGACY_DISRUPTION_TAINT.key) return to !== undefined;
    this.renamings.push({ scalar: value as Scalar<string>, to: LEGACY_DISRUPTION_TAINT.successor });
    const taintValue = map.items.find((pair) => textOf(pair.key) === 'value')?.value;
    if (taintValue && textOf(taintValue) === LEGACY_DISRUPTION_TAINT.value) this.renamings.push({ scalar: taintValue as Scalar<string>, to: '' });
    return true;
  }

  /** Settings of a chart or a script in a text. */
  private visitText(scalar: Scalar): void {
    const { value } = scalar;
    if (typeof value !== 'string') return;
    for (const key of KEYS.keys()) {
      if (value.includes(key)) this.mentions.push({ scalar, key, why: 'it is part of a text' });
    }
  }
}

function textOf(node: Node | null | undefined): string | undefined {
  return isScalar(node) && typeof node.value === 'string' ? node.value : undefined;
}
