import { isMap, isScalar, isSeq, Node, Pair, Scalar, YAMLMap } from 'yaml';
import { LEGACY_ANNOTATIONS, LEGACY_DISRUPTION_TAINT, LEGACY_LABELS } from '../../contract';

/** A scalar of the document that needs another text. */
export interface KeyReplacement {
  readonly scalar: Scalar<string>;
  readonly to: string;
}

/** A scalar that names a legacy key and that only a person can change. */
export interface LegacyKeyMention {
  readonly scalar: Scalar;
  readonly key: string;
  readonly why: string;
}

const KEYS: ReadonlyMap<string, string> = new Map([...LEGACY_LABELS, ...LEGACY_ANNOTATIONS]);
/** Fields whose value is a label key or taint key. */
const KEY_FIELDS = ['key', 'topologyKey'];

/** Finds legacy keys of labels, annotations and taints anywhere in an object. */
export class LegacyKeyFinder {
  public readonly replacements: KeyReplacement[] = [];
  public readonly mentions: LegacyKeyMention[] = [];

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
    const hasSuccessor = map.items.some(
      (pair) => pair.key !== key && (textOf(pair.key) === to || KEYS.get(textOf(pair.key) ?? '') === to),
    );
    if (hasSuccessor) this.mentions.push({ scalar: key as Scalar, key: textOf(key)!, why: `the same map has ${to}` });
    else this.replacements.push({ scalar: key as Scalar<string>, to });
  }

  /** For selectors, tolerations and spread constraints. Returns true if the value was a legacy key. */
  private renameKeyField(map: YAMLMap<Node, Node | null>, { value }: Pair<Node, Node | null>): boolean {
    const text = textOf(value);
    const to = LEGACY_LABELS.get(text ?? '');
    if (to !== undefined) this.replacements.push({ scalar: value as Scalar<string>, to });
    if (text !== LEGACY_DISRUPTION_TAINT.key) return to !== undefined;
    this.replacements.push({ scalar: value as Scalar<string>, to: LEGACY_DISRUPTION_TAINT.successor });
    const taintValue = map.items.find((pair) => textOf(pair.key) === 'value')?.value;
    if (taintValue && textOf(taintValue) === LEGACY_DISRUPTION_TAINT.value)
      this.replacements.push({ scalar: taintValue as Scalar<string>, to: '' });
    return true;
  }

  /** A string may contain Helm values or a script. */
  private visitText(scalar: Scalar): void {
    const { value } = scalar;
    if (typeof value !== 'string') return;
    for (const key of KEYS.keys()) {
      if (value.includes(key)) this.mentions.push({ scalar, key, why: 'it is part of a longer string' });
    }
  }
}

function textOf(node: Node | null | undefined): string | undefined {
  return isScalar(node) && typeof node.value === 'string' ? node.value : undefined;
}
