import { SourceFile } from '../../model';

/** Folders of what shows how something works, and nobody relies on. */
const SAMPLE_FOLDER = /(^|[/_-])(samples?|demos?)([-_][^/]*)?\//i;
/** Folders of what others have written: their releases, copies and rendered charts. */
const VENDOR_FOLDER = /(^|\/)(vendor(ed)?|third[-_]?party|rendered|generated|[a-z][a-z-]*-v?\d+\.\d+\.\d+)\//i;
/** Files that Flux, operators and their releases generate for their own installation. */
const VENDOR_FILE = /(^|\/)(gotk-components|[\w-]*operator[\w-]*-crds|[a-z][a-z-]*-v?\d+\.\d+\.\d+)\.ya?ml$/i;

/**
 * Marks samples and the files of vendors, so that advice for production is only a note: nobody changes them for that.
 *
 * @param around the folder of all files, whose name says nothing
 */
export function withOthersMarked(files: readonly SourceFile[], around: string): SourceFile[] {
  return files.map((file) => {
    const path = around !== '.' && file.path.startsWith(`${around}/`) ? file.path.slice(around.length + 1) : file.path;
    const isOfOthers = [SAMPLE_FOLDER, VENDOR_FOLDER, VENDOR_FILE].some((pattern) => pattern.test(path));
    return file.isFound && isOfOthers ? { ...file, isOfOthers } : file;
  });
}
