import { ChartPlaces, WrittenPlace } from './chart-places';
import { ValuesFix, valuesFixes } from './values-fix';
import { ChartRendering, SourceFile } from '../../manifest';
import { Finding, FindingLocation } from '../../vocabulary/verdict';

/** Findings with the places that a user edits, and the files of these places. */
export interface PlacedFindings<Placed extends Finding> {
  readonly findings: readonly Placed[];
  readonly files: readonly SourceFile[];
}

const RANK: Readonly<Record<Finding['severity'], number>> = { error: 0, warning: 1, info: 2 };

/** Moves findings about what helm has made to the values, or the lines of templates, that give the fields. */
export function withWrittenPlaces<Placed extends Finding>(
  findings: readonly Placed[],
  sources: readonly SourceFile[],
): PlacedFindings<Placed> {
  const rendered = new Set(sources.filter(({ chart }) => chart !== undefined).map(({ path }) => path));
  if (rendered.size === 0) return { findings, files: [] };
  const charts = chartPlaces(findings, sources);
  const fixes = fixesOf(findings, charts);
  const files = new Map<string, SourceFile>();
  const moved = (location: FindingLocation, place: WrittenPlace | undefined): FindingLocation => {
    if (place !== undefined) files.set(place.file.path, place.file);
    return place === undefined ? location : movedLocation(location, place);
  };
  const placed = findings.map((finding): Placed => {
    const { fix, ...unfixed } = finding;
    const { location, related, message } = finding;
    const chart = charts.get(location.file);
    const found = chart?.placeOf(location, message, fix);
    const edit = fixes.get(finding);
    const place = found?.value === undefined ? (edit?.place ?? found) : found;
    const second = related
      ? { ...related, location: moved(related.location, placeIn(charts, related.location, message)) }
      : place && { location, label: renderedLabel(finding, chart?.isWritten(location) === true) };
    const own = fix !== undefined && rendered.has(fix.file) ? edit?.fix : fix;
    if (edit !== undefined) files.set(edit.place.file.path, edit.place.file);
    return {
      ...(unfixed as Placed),
      location: moved(location, place),
      ...(second ? { related: second } : {}),
      ...(own ? { fix: own } : {}),
    };
  });
  return { findings: placed, files: [...files.values()] };
}

function placeIn(
  charts: ReadonlyMap<string, ChartPlaces>,
  location: FindingLocation,
  message: string,
): WrittenPlace | undefined {
  return charts.get(location.file)?.placeOf(location, message);
}

function movedLocation(location: FindingLocation, { file, line, column, value }: WrittenPlace): FindingLocation {
  return {
    ...location,
    file: file.path,
    line,
    column,
    ...(value === undefined ? {} : { value }),
    rendered: { file: location.file, line: location.line, column: location.column },
  };
}

/** The fixes of what helm has made, as edits of values. */
function fixesOf(
  findings: readonly Finding[],
  charts: ReadonlyMap<string, ChartPlaces>,
): ReadonlyMap<Finding, ValuesFix> {
  const byChart = new Map<ChartPlaces, Finding[]>();
  for (const finding of findings) {
    const chart = finding.fix && charts.get(finding.fix.file);
    if (chart !== undefined) byChart.set(chart, [...(byChart.get(chart) ?? []), finding]);
  }
  return new Map([...byChart].flatMap(([chart, own]) => [...valuesFixes(own, chart)]));
}

function renderedLabel(
  { subject: { kind, namespace, name }, location: { path } }: Finding,
  isWritten: boolean,
): string {
  const object = `${kind} ${namespace === '' ? '' : `${namespace}/`}${name}`;
  return isWritten ? `rendered as ${path} of ${object}` : `rendered in ${object}`;
}

/** The charts that have made fields of findings, by the paths of the files that helm has made. */
function chartPlaces(findings: readonly Finding[], sources: readonly SourceFile[]): ReadonlyMap<string, ChartPlaces> {
  const bySeverity = [...findings].sort((left, right) => RANK[left.severity] - RANK[right.severity]);
  const places = new Map<string, ChartPlaces>();
  const byChart = new Map<ChartRendering, SourceFile[]>();
  for (const source of sources)
    if (source.chart !== undefined) byChart.set(source.chart, [...(byChart.get(source.chart) ?? []), source]);
  for (const [rendering, own] of byChart) {
    const paths = new Set(own.map(({ path }) => path));
    const isHere = ({ file }: FindingLocation) => paths.has(file);
    const inChart = bySeverity.filter(
      ({ location, related }) => isHere(location) || (related && isHere(related.location)),
    );
    if (inChart.length === 0) continue;
    const chart = new ChartPlaces(rendering, own, inChart);
    for (const path of paths) places.set(path, chart);
  }
  return places;
}
